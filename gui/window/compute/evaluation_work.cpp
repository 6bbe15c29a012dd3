#include "gui/window/compute/evaluation_work.h"

#include <QCoreApplication>

#include "core/text.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/response_maps.h"
#include "gui/window/compute/work.h"

namespace bankside::window {
namespace {

std::string evaluationText(const char* text) {
  return QCoreApplication::translate("Evaluation", text).toStdString();
}

headless::EvaluateCommand evaluateCommand(const EvaluationRequest& request,
                                          const std::filesystem::path& folder) {
  headless::EvaluateCommand command;
  const auto list = [](const std::string& one) {
    return one.empty() ? std::vector<std::string>() : std::vector<std::string>{one};
  };
  command.run.inputs = list(request.images);
  command.truth = list(request.truth);
  command.fieldOfView = list(request.fieldOfView);
  command.observer = list(request.observer);
  command.thresholdFrom = request.thresholdFrom;
  command.places = {.truth = evaluationText("the folder of manual vessels"),
                    .fieldOfView = evaluationText("the folder of the fields of view"),
                    .observer = evaluationText("the second observer's folder")};
  command.run.recipe = request.recipe;
  // As the options leave it: with room for a second bank.
  auto& stages = command.run.recipe.stages;
  if (command.run.recipe.ofMaps()) stages.assign(2, {});
  stages.resize(2);
  if (request.threshold) command.run.recipe.threshold = request.threshold;
  command.run.pixelsPerDegree = request.pixelsPerDegree;
  command.run.memory = machineMemory() / 2;
  if (const std::string wrong = headless::endEvaluate(command); !wrong.empty())
    throw Error(ErrorCode::BadInput, wrong);
  if (folder.empty()) return command;
  std::string* const files[] = {&command.json, &command.csv, &command.markdown, &command.plot,
                                &command.overlays};
  for (std::size_t i = 0; i < std::size(files); ++i) *files[i] = (folder / evaluationFiles[i]).string();
  return command;
}

}  // namespace

EvaluatedPtr runEvaluation(const EvaluationRequest& request, int threads,
                           const std::function<void(const EvaluationProgress&)>& watch,
                           const std::stop_token& stop) {
  headless::EvaluateCommand command = evaluateCommand(request, {});
  command.run.threads = threads;
  EvaluationProgress progress;
  command.watched = [&](const headless::StudyProgress& study) {
    progress.total = study.total;
    ++(study.leftOut ? progress.leftOut : study.error.empty() ? progress.done : progress.failed);
    watch(progress);
  };
  try {
    auto outcome = std::make_shared<headless::StudyOutcome>(headless::evaluateStudy(command, stop));
    if (outcome->code == headless::exitEmptyInput)
      throw Error(ErrorCode::BadInput, request.images + evaluationText(": there is no picture in it"));
    return outcome;
  } catch (const headless::SeveralMaps& several) {
    throw Error(
        ErrorCode::BadInput,
        QCoreApplication::translate(
            "Evaluation",
            "These settings make %1 maps of a picture, and one is judged: combine them, and filter one "
            "channel.")
            .arg(several.maps())
            .toStdString());
  } catch (const headless::NoRoomForStudy&) {
    throw Error(ErrorCode::Limit,
                evaluationText("All pictures together have more pixels than fit into memory."));
  }
}

std::string evaluationCommand(const EvaluationRequest& request, const std::string& recipe,
                              const std::filesystem::path& folder) {
  std::string line = "bankside evaluate";
  const auto add = [&line](const char* option, const std::string& value) {
    if (!value.empty()) line += std::string(" ") + option + " " + shellWord(value);
  };
  add("--images", request.images);
  add("--truth", request.truth);
  add("--fov", request.fieldOfView);
  add("--observer2", request.observer);
  add("--recipe", recipe);
  if (request.pixelsPerDegree > 0) add("--scale", formatNumber(request.pixelsPerDegree));
  if (request.threshold) add("--threshold", formatNumber(*request.threshold));
  add("--threshold-from", request.thresholdFrom);
  if (folder.empty()) return line;
  const char* const options[] = {"--json", "--csv", "--markdown", "--plot", "--overlays"};
  for (std::size_t i = 0; i < std::size(options); ++i)
    add(options[i], (folder / evaluationFiles[i]).string());
  return line;
}

void exportEvaluation(const EvaluationRequest& request, const headless::StudyOutcome& evaluated,
                      const std::string& recipe, const std::filesystem::path& folder, bool replace,
                      const std::stop_token& stop) {
  headless::EvaluateCommand command = evaluateCommand(request, folder);
  command.run.force = replace;
  const auto overlays = headless::requireResults(command, evaluated.study);
  headless::writeStudy(command, evaluated, evaluationCommand(request, recipe, folder), stop);
}

}  // namespace bankside::window
