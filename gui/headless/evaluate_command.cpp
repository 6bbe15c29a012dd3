#include <algorithm>
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
#include "gui/headless/inputs.h"
#include "gui/headless/progress.h"
#include "gui/headless/response_maps.h"
#include "gui/headless/truth_files.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

/// What is looked at, and which masks belong to it.
struct Study {
  std::vector<InputFile> inputs;
  std::vector<NamedImage> images;
  std::vector<fs::path> truth;
  std::vector<fs::path> fieldOfView;  ///< empty: whole images
  std::vector<fs::path> observer;     ///< empty: nobody
};

Study findStudy(const EvaluateCommand& command) {
  const bool ready = !command.responses.empty();
  Study study;
  study.inputs = findInputs(expandPatterns(ready ? command.responses : command.run.inputs));
  study.images = namesOf(study.inputs, ready, command.truth);
  if (study.images.empty()) return study;
  study.truth = filesOfImages(study.images, command.truth, "--truth");
  if (!command.fieldOfView.empty())
    study.fieldOfView = filesOfImages(study.images, command.fieldOfView, "--fov");
  if (!command.observer.empty())
    study.observer = filesOfImages(study.images, command.observer, "--observer2");
  return study;
}

fs::path overlayOf(const EvaluateCommand& command, const std::string& name) {
  return fs::path(command.overlays) / (name + ".overlay.png");
}

/// Everything that is read or written, looked at before any work.
void requireFiles(const EvaluateCommand& command, const Study& study) {
  RunFiles files;
  for (const InputFile& input : study.inputs) files.read(input.path, "an input");
  for (const auto* masks : {&study.truth, &study.fieldOfView, &study.observer})
    for (const fs::path& mask : *masks) files.read(mask, "a mask");
  files.read(command.run.recipeFile, "the recipe");
  readBanks(files, command.run.recipe);
  files.read(command.thresholdFrom, "the report of the threshold");
  requireReportFiles(command, files);
  requireReportFile(command.plot, "the plot", files);
  if (command.overlays.empty()) return;
  for (const NamedImage& image : study.images)
    if (!image.name.empty()) files.write(overlayOf(command, image.name), "an overlay");
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

/// Takes maps as they come, and their masks from files.
class Gathering {
 public:
  Gathering(const EvaluateCommand& command, const Study& study, EvaluationReport& report)
      : command_(command),
        report_(report),
        progress_(command.run.progress, static_cast<int>(study.inputs.size())) {
    for (std::size_t i = 0; i < study.images.size(); ++i) {
      const auto at = [&](const std::vector<fs::path>& masks) {
        return masks.empty() ? std::string() : masks[i].string();
      };
      const std::string& name = study.images[i].name;
      report.images.push_back({.name = name.empty() ? study.inputs[i].stem : name,
                               .input = study.images[i].path.string(),
                               .truth = at(study.truth),
                               .fieldOfView = at(study.fieldOfView),
                               .observer = at(study.observer),
                               .error = "not reached",
                               .notes = {}});
    }
  }

  void take(ResponseMap&& made) {
    EvaluationReport::Image& image = report_.images[made.input];
    progress_.show(static_cast<int>(made.input), image.input);
    image.notes = std::move(made.notes);
    image.error.clear();
    try {
      if (made.error != nullptr) std::rethrow_exception(made.error);
      const Image truth = mask(image.truth, image);
      const Image fieldOfView = mask(image.fieldOfView, image);
      const Image observer = mask(image.observer, image);
      images_.push_back(labelled(image.name, std::move(made.map), truth, fieldOfView, observer));
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception&) {
      fail(image, sentenceOf(std::current_exception()));
    }
  }

  /// Those that never came among them.
  std::int64_t failed() const {
    return std::count_if(report_.images.begin(), report_.images.end(),
                         [](const EvaluationReport::Image& image) { return !image.error.empty(); });
  }
  std::vector<LabelledImage> finish() {
    progress_.clear();
    return std::move(images_);
  }

 private:
  Image mask(const std::string& file, EvaluationReport::Image& image) const {
    if (file.empty()) return {};
    const LoadedImage loaded = readImage(file, 0, {.maxPixels = command_.run.maxPixels});
    Mask mask = maskOf(loaded.image);
    if (mask.graded) {
      image.notes.push_back(file + " has several values beside 0; all of them count");
      log(LogLevel::Warning, image.notes.back());
    }
    return std::move(mask.pixels);
  }

  void fail(EvaluationReport::Image& image, std::string sentence) {
    const auto names = [&](const std::string& file) { return !file.empty() && sentence.rfind(file, 0) == 0; };
    if (!names(image.input) && !names(image.truth) && !names(image.fieldOfView) && !names(image.observer))
      sentence = image.input + ": " + sentence;
    image.error = sentence;
    progress_.clear();
    log(LogLevel::Error, sentence);
  }

  const EvaluateCommand& command_;
  EvaluationReport& report_;
  Progress progress_;
  std::vector<LabelledImage> images_;
};

void gather(const EvaluateCommand& command, Study& study, std::optional<Runner>& runner, Gathering& gathering,
            const std::stop_token& stop) {
  const ReceiveMap take = [&](ResponseMap&& made) { gathering.take(std::move(made)); };
  if (runner) {
    filterMaps(command.run, study.inputs, *runner, take, stop);
  } else {
    readMaps(command.run, study.inputs, take, stop);
  }
}

std::optional<Runner> makeRunnerOf(const EvaluateCommand& command) {
  if (!command.responses.empty()) return std::nullopt;
  const Recipe& recipe = command.run.recipe;
  requireEngine(recipe.engine);
  RunOptions options;
  options.plan.threads = command.run.threads;
  options.memoryBudget = command.run.memory / 4;
  return makeRunner(recipe, openBanks(recipe), options,
                    [engine = recipe.engine](const ConvolutionProblem& problem) -> const Engine& {
                      return selectEngine(engine, problem);
                    });
}

EvaluateOptions optionsOf(const EvaluateCommand& command, const std::string& recipe) {
  EvaluateOptions options;
  options.threads = command.run.threads;
  options.threshold = command.threshold;
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
      options.threshold.value_or(options.carried.value_or(evaluation.pooled.bestThreshold));
  for (const LabelledImage& image : images)
    writeImage(overlayOf(command, image.name), bankside::overlayOf(segmentationAt(image, threshold), image),
               FileFormat::Png, existing(command.run.force));
}

}  // namespace

int runEvaluate(const EvaluateCommand& command, const std::string& commandText, std::stop_token stop) {
  std::optional<Runner> runner = makeRunnerOf(command);
  Study study = findStudy(command);
  if (study.inputs.empty()) {
    log(LogLevel::Error,
        "no image files in " + joinWords(command.responses.empty() ? command.run.inputs : command.responses));
    return exitEmptyInput;
  }
  const std::string recipe = runner ? writeRecipe(command.run.recipe) : "";
  const EvaluateOptions options = optionsOf(command, recipe);
  requireFiles(command, study);
  requireRoom(command, pixelsOf(command.run, study.inputs));
  if (runner) requireOneMap(command.run, study.inputs, *runner);
  std::optional<ResultFolder> folder;
  if (!command.overlays.empty())
    folder.emplace(command.overlays, command.responses.empty() ? command.run.inputs : command.responses);

  EvaluationReport report{.environment = currentEnvironment(),
                          .command = commandText,
                          .recipe = recipe,
                          .images = {},
                          .evaluation = {}};
  Gathering gathering(command, study, report);
  gather(command, study, runner, gathering, stop);
  const std::int64_t failed = gathering.failed();
  const std::vector<LabelledImage> images = gathering.finish();
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
