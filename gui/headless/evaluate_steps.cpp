#include "gui/headless/evaluate_steps.h"

#include <optional>
#include <utility>

#include "core/engine.h"
#include "core/evaluate/roc_plot.h"
#include "core/free_memory.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/log.h"
#include "core/run/recipe_runner.h"
#include "core/text.h"
#include "core/text_file.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/response_maps.h"
#include "kernels/device_engines.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

fs::path overlayFile(const EvaluateCommand& command, const std::string& name) {
  return fs::path(command.overlays) / (name + ".overlay.png");
}

/// Everything that is read or written, looked at before any work.
void requireFiles(const EvaluateCommand& command, const Study& study) {
  RunFiles files;
  for (const InputFile& input : study.inputs) {
    files.read(input.path, "an input");
    if (!input.field.empty()) files.read(input.field, "a mask");
  }
  for (const auto* masks : {&study.truth, &study.fieldOfView, &study.observer})
    for (const fs::path& mask : *masks) files.read(mask, "a mask");
  files.read(command.run.recipeFile, "the recipe");
  files.read(command.run.scaleTable, "the scales");
  readBanks(files, command.run.recipe);
  files.read(command.thresholdFrom, "the report of the threshold");
  const Foreign other = foreign(command.run.force);
  requireReportFiles(command, evaluationBeginnings(), other, files);
  requireReportFile(command.plot, "the plot", plotBeginning, other, files);
  if (command.overlays.empty()) return;
  for (const NamedImage& image : study.images)
    if (!image.name.empty()) requireResultFile(overlayFile(command, image.name), "an overlay", files);
}

/// Where overlays would be taken for images or masks by the next run.
std::vector<std::string> foldersRead(const EvaluateCommand& command) {
  std::vector<std::string> all = command.responses.empty() ? command.run.inputs : command.responses;
  for (const auto* masks : {&command.truth, &command.fieldOfView, &command.observer})
    all.insert(all.end(), masks->begin(), masks->end());
  return all;
}

std::shared_ptr<ResultFolder> overlayFolder(const EvaluateCommand& command) {
  if (command.overlays.empty()) return nullptr;
  return std::make_shared<ResultFolder>(command.overlays, foldersRead(command));
}

/// All images are held until the last one has come.
void requireRoom(const EvaluateCommand& command, std::int64_t pixels) {
  const std::int64_t room = command.run.memory / 2;
  if (pixels <= room / evaluateBytes) return;
  const std::int64_t wanted = (pixels * evaluateBytes * 2 >> 30) + 1;
  throw NoRoomForStudy(ErrorCode::BadInput,
                       "these images have " + std::to_string(pixels) +
                           " pixels, more than --memory leaves room for; give --memory " +
                           std::to_string(wanted) + "G");
}

Runner makeRunnerOf(const EvaluateCommand& command, double pixelsPerDegree) {
  const Recipe& recipe = command.run.recipe;
  takeDevices(command.run);
  requireReady(command.run);
  RunOptions options;
  options.plan.threads = command.run.threads;
  options.memoryBudget = command.run.memory / 4;
  if (recipe.ofMaps() && !command.run.memorySaid) options.memoryBudget = memoryForMaps(options.memoryBudget);
  options.pixelsPerDegree = pixelsPerDegree;
  options.mapDevices = mapDevices();
  return makeRunner(recipe, openBanks(recipe), options,
                    [engine = recipe.engine](const ConvolutionProblem& problem) -> const Engine& {
                      return selectEngine(engine, problem);
                    });
}

/// `warning`: what there is to say of the carried threshold.
EvaluateOptions optionsOf(const EvaluateCommand& command, const std::string& recipe, std::string& warning) {
  EvaluateOptions options;
  options.threads = command.run.threads;
  if (const auto& threshold = command.run.recipe.threshold)
    options.threshold = static_cast<float>(*threshold);
  if (command.thresholdFrom.empty()) return options;
  std::string text;
  try {
    text = readTextFile(command.thresholdFrom);
  } catch (const Error& error) {
    throw Error(ErrorCode::BadInput, error.what());
  }
  const CarriedThreshold carried = carriedThreshold(text, command.thresholdFrom);
  options.carried = carried.threshold;
  if (!recipe.empty() && !carried.recipe.empty() && !sameResponses(recipe, carried.recipe))
    warning = command.thresholdFrom +
              ": is of another recipe, whose responses have a scale of their own; its threshold says little "
              "here";
  return options;
}

void drawOverlays(const EvaluateCommand& command, const StudyOutcome& outcome, const std::stop_token& stop) {
  const float threshold = overlayThreshold(outcome);
  for (const LabelledImage& image : outcome.images) {
    if (stop.stop_requested()) throw Cancelled();
    writeImage(overlayFile(command, image.name), overlayOf(segmentationAt(image, threshold), image),
               FileFormat::Png, existing(command.run.force));
  }
}

/// The responses of all images, by `runner` where they are not ready-made.
void makeMaps(const EvaluateCommand& command, const Study& study, const std::vector<ScaleGroup>& groups,
              std::optional<Runner>& runner, const ReceiveMap& take, const std::stop_token& stop) {
  if (!runner) return readMaps(command.run, study.inputs, take, stop);
  for (const ScaleGroup& group : groups) {
    if (&group != &groups.front()) runner = makeRunnerOf(command, group.pixelsPerDegree);
    filterMaps(
        command.run, imagesOf(group, study.inputs), *runner,
        [&](ResponseMap&& made) {
          made.input = group.images[made.input];
          take(std::move(made));
        },
        stop);
  }
}

}  // namespace

StudyOutcome evaluateStudy(const EvaluateCommand& command, const std::stop_token& stop) {
  const bool ready = !command.responses.empty();
  // Banks that do not go together, and engines that are not there, before images are looked for.
  std::optional<Runner> runner;
  if (!ready && command.run.scaleTable.empty()) runner = makeRunnerOf(command, command.run.pixelsPerDegree);
  StudyOutcome outcome;
  outcome.study = findStudy(command);
  Study& study = outcome.study;
  if (study.inputs.empty()) {
    outcome.code = exitEmptyInput;
    return outcome;
  }
  if (!command.watched)
    for (const std::string& remark : study.remarks) log(LogLevel::Warning, remark);
  const std::string recipe = ready ? "" : writeRecipe(command.run.recipe);
  const std::vector<ScaleGroup> groups = scaleGroups(study.inputs, command.run.pixelsPerDegree);
  if (!ready && !runner) runner = makeRunnerOf(command, groups.front().pixelsPerDegree);
  outcome.options = optionsOf(command, recipe, outcome.warning);
  if (!outcome.warning.empty() && !command.watched) log(LogLevel::Warning, outcome.warning);
  outcome.folder = overlayFolder(command);
  requireFiles(command, study);
  requireRoom(command, pixelsOf(command.run, study.inputs));
  if (runner) requireOneMap(command.run, study.inputs, *runner);

  EvaluationReport& report = outcome.report;
  report.environment = currentEnvironment();
  report.recipe = recipe;
  report.notes = study.remarks;
  StudyImages gathered(command, study, report);
  makeMaps(
      command, study, groups, runner, [&](ResponseMap&& made) { gathered.take(std::move(made)); }, stop);
  if (gathered.failed() > 0) outcome.code = gathered.wanted() ? exitTransient : exitSomeFailed;
  outcome.images = gathered.finish();
  if (!outcome.images.empty()) report.evaluation = evaluate(outcome.images, outcome.options, stop);
  return outcome;
}

std::shared_ptr<ResultFolder> requireResults(const EvaluateCommand& command, const Study& study) {
  std::shared_ptr<ResultFolder> folder = overlayFolder(command);
  requireFiles(command, study);
  return folder;
}

float overlayThreshold(const StudyOutcome& outcome) {
  const EvaluateOptions& options = outcome.options;
  return options.carried.value_or(options.threshold.value_or(outcome.report.evaluation.pooled.bestThreshold));
}

void writeStudy(const EvaluateCommand& command, const StudyOutcome& outcome, const std::string& commandText,
                const std::stop_token& stop) {
  EvaluationReport report = outcome.report;
  report.command = commandText;
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  if (outcome.images.empty()) return;
  if (!command.csv.empty()) writeFileAtomically(command.csv, toCsv(report));
  if (!command.markdown.empty()) writeFileAtomically(command.markdown, toMarkdown(report));
  if (!command.plot.empty()) writeFileAtomically(command.plot, rocPlot(report.evaluation));
  if (!command.overlays.empty()) drawOverlays(command, outcome, stop);
}

}  // namespace bankside::headless
