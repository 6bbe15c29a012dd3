#include <iostream>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "core/evaluate/roc_plot.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/log.h"
#include "core/run/recipe_runner.h"
#include "core/text.h"
#include "core/text_file.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/response_maps.h"
#include "gui/headless/study.h"
#include "gui/headless/untrusted.h"
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
  requireReportFiles(command, files);
  requireReportFile(command.plot, "the plot", files);
  if (command.overlays.empty()) return;
  for (const NamedImage& image : study.images)
    if (!image.name.empty()) files.write(overlayFile(command, image.name), "an overlay");
}

/// Where overlays would be taken for images or masks by the next run.
std::vector<std::string> foldersRead(const EvaluateCommand& command) {
  std::vector<std::string> all = command.responses.empty() ? command.run.inputs : command.responses;
  for (const auto* masks : {&command.truth, &command.fieldOfView, &command.observer})
    all.insert(all.end(), masks->begin(), masks->end());
  return all;
}

/// All images are held until the last one has come.
void requireRoom(const EvaluateCommand& command, std::int64_t pixels) {
  const std::int64_t room = command.run.memory / 2;
  if (pixels <= room / evaluateBytes) return;
  const std::int64_t wanted = (pixels * evaluateBytes * 2 >> 30) + 1;
  throw Error(ErrorCode::Limit, "these images have " + std::to_string(pixels) +
                                    " pixels, more than --memory leaves room for; give --memory " +
                                    std::to_string(wanted) + "G");
}

Runner makeRunnerOf(const EvaluateCommand& command, double pixelsPerDegree) {
  const Recipe& recipe = command.run.recipe;
  takeDevices(command.run);
  requireEngine(recipe.engine);
  RunOptions options;
  options.plan.threads = command.run.threads;
  options.memoryBudget = command.run.memory / 4;
  options.pixelsPerDegree = pixelsPerDegree;
  options.mapDevices = mapDevices();
  return makeRunner(recipe, openBanks(recipe), options,
                    [engine = recipe.engine](const ConvolutionProblem& problem) -> const Engine& {
                      return selectEngine(engine, problem);
                    });
}

EvaluateOptions optionsOf(const EvaluateCommand& command, const std::string& recipe) {
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
    log(LogLevel::Warning, command.thresholdFrom +
                               ": is of another recipe, whose responses have a scale of their own; its "
                               "threshold says little here");
  return options;
}

void drawOverlays(const EvaluateCommand& command, const std::vector<LabelledImage>& images,
                  const Evaluation& evaluation, const EvaluateOptions& options) {
  const float threshold =
      options.carried.value_or(options.threshold.value_or(evaluation.pooled.bestThreshold));
  for (const LabelledImage& image : images)
    writeImage(overlayFile(command, image.name), overlayOf(segmentationAt(image, threshold), image),
               FileFormat::Png, existing(command.run.force));
}

}  // namespace

int runEvaluate(const EvaluateCommand& command, const std::string& commandText, std::stop_token stop) {
  const std::unique_ptr<Sandbox> sandbox = sandboxIf(command.run.untrusted, command.run.memory);
  const bool ready = !command.responses.empty();
  // Banks that do not go together, and engines that are not there, before images are looked for.
  std::optional<Runner> runner;
  if (!ready && command.run.scaleTable.empty()) runner = makeRunnerOf(command, command.run.pixelsPerDegree);
  Study study = findStudy(command);
  if (study.inputs.empty()) {
    log(LogLevel::Error,
        "no image files in " + joinWords(command.responses.empty() ? command.run.inputs : command.responses));
    return exitEmptyInput;
  }
  const std::string recipe = ready ? "" : writeRecipe(command.run.recipe);
  const std::vector<ScaleGroup> groups = scaleGroups(study.inputs, command.run.pixelsPerDegree);
  if (!ready && !runner) runner = makeRunnerOf(command, groups.front().pixelsPerDegree);
  const EvaluateOptions options = optionsOf(command, recipe);
  requireFiles(command, study);
  requireRoom(command, pixelsOf(command.run, study.inputs));
  if (runner) requireOneMap(command.run, study.inputs, *runner);
  std::optional<ResultFolder> folder;
  if (!command.overlays.empty()) folder.emplace(command.overlays, foldersRead(command));

  EvaluationReport report{.environment = currentEnvironment(),
                          .command = commandText,
                          .recipe = recipe,
                          .images = {},
                          .evaluation = {}};
  StudyImages gathered(command, study, report);
  const ReceiveMap take = [&](ResponseMap&& made) { gathered.take(std::move(made)); };
  if (!ready) {
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
  } else {
    readMaps(command.run, study.inputs, take, stop);
  }
  const std::int64_t failed = gathered.failed();
  const std::vector<LabelledImage> images = gathered.finish();
  if (failed > 0) {
    log(LogLevel::Error, std::to_string(failed) + " of " + std::to_string(report.images.size()) +
                             " images failed" + (images.empty() ? "; nothing is left to evaluate" : ""));
  }
  if (images.empty()) {
    if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
    return exitSomeFailed;
  }
  report.evaluation = evaluate(images, options, stop);

  std::cout << toText(report);
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  if (!command.csv.empty()) writeFileAtomically(command.csv, toCsv(report));
  if (!command.markdown.empty()) writeFileAtomically(command.markdown, toMarkdown(report));
  if (!command.plot.empty()) writeFileAtomically(command.plot, rocPlot(report.evaluation));
  if (!command.overlays.empty()) drawOverlays(command, images, report.evaluation, options);
  return failed > 0 ? exitSomeFailed : exitOk;
}

}  // namespace bankside::headless
