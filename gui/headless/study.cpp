#include "gui/headless/study.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/engine.h"
#include "core/imageio/image_io.h"
#include "core/log.h"
#include "core/refuse.h"
#include "gui/headless/exit_code.h"

namespace bankside::headless {

namespace fs = std::filesystem;

namespace {

/// An image that nobody marked is not tried, and says so; the others are.
std::vector<fs::path> truthOf(Study& study, const EvaluateCommand& command) {
  const auto found = lookForFilesOfImages(study.images, command.truth, command.places.truth, study.others);
  const bool any =
      std::any_of(found.begin(), found.end(), [](const FileOfImage& each) { return !each.none; });
  std::vector<fs::path> files;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].error.empty()) {
      if (!any || !found[i].none) refuse(found[i].error);
      study.inputs[i].error = found[i].error;
    }
    files.push_back(found[i].file);
  }
  return files;
}

/// Of images that are tried.
std::vector<fs::path> masksOf(const Study& study, const std::vector<std::string>& arguments,
                              const std::string& place) {
  std::vector<fs::path> files;
  for (FileOfImage& found : lookForFilesOfImages(study.images, arguments, place, study.others)) {
    if (!found.error.empty() && study.inputs[files.size()].error.empty()) refuse(found.error);
    files.push_back(std::move(found.file));
  }
  return files;
}

}  // namespace

bool isLeftOut(const Study& study, std::size_t image) {
  return study.truth[image].empty() && !study.images[image].name.empty();
}

Study findStudy(const EvaluateCommand& command) {
  const bool ready = !command.responses.empty();
  Study study;
  study.inputs = findInputs(expandPatterns(ready ? command.responses : command.run.inputs), study.remarks);
  study.images = namesOf(study.inputs, ready, command.truth);
  if (study.images.empty()) return study;
  if (!ready) study.others = besides(study.images);
  study.truth = truthOf(study, command);
  giveFields(study.inputs, command.run.field, command.run.recipe);
  giveScales(study.inputs, command.run.scaleTable);
  if (!command.fieldOfView.empty())
    study.fieldOfView = masksOf(study, command.fieldOfView, command.places.fieldOfView);
  if (!command.observer.empty()) study.observer = masksOf(study, command.observer, command.places.observer);
  return study;
}

StudyImages::StudyImages(const EvaluateCommand& command, const Study& study, EvaluationReport& report)
    : command_(command),
      study_(study),
      report_(report),
      progress_(command.run.progress && !command.watched, static_cast<int>(study.inputs.size())) {
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

void StudyImages::take(ResponseMap&& made) {
  EvaluationReport::Image& image = report_.images[made.input];
  progress_.show(static_cast<int>(made.input), image.input);
  image.notes = std::move(made.notes);
  image.pixelsPerDegree = made.pixelsPerDegree;
  for (const std::string& remark : made.remarks) {
    if (command_.watched) break;
    progress_.clear();
    log(LogLevel::Warning, image.input + ": " + remark);
  }
  image.error.clear();
  try {
    if (made.error != nullptr) std::rethrow_exception(made.error);
    const Image truth = mask(image.truth, image);
    const Image fieldOfView = mask(image.fieldOfView, image);
    const Image observer = mask(image.observer, image);
    images_.emplace(made.input, labelled(image.name, std::move(made.map), truth, fieldOfView, observer));
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception&) {
    wanted_ = wanted_ || isWant(std::current_exception());
    fail(image, sentenceOf(std::current_exception()));
  }
  if (command_.watched)
    command_.watched({static_cast<int>(report_.images.size()), ++taken_, image.input, image.error,
                      isLeftOut(study_, made.input)});
}

std::int64_t StudyImages::failed() const {
  return std::count_if(report_.images.begin(), report_.images.end(),
                       [](const EvaluationReport::Image& image) { return !image.error.empty(); });
}

std::vector<LabelledImage> StudyImages::finish() {
  progress_.clear();
  std::vector<LabelledImage> good;
  for (auto& [input, image] : images_) good.push_back(std::move(image));
  images_.clear();
  return good;
}

Image StudyImages::mask(const std::string& file, EvaluationReport::Image& image) const {
  if (file.empty()) return {};
  const LoadedImage loaded = readImage(file, 0, {.maxPixels = command_.run.maxPixels});
  Mask mask = maskOf(loaded.image);
  if (mask.graded) {
    image.notes.push_back(file + " has several values beside 0; all of them count");
    if (!command_.watched) log(LogLevel::Warning, image.notes.back());
  }
  return std::move(mask.pixels);
}

void StudyImages::fail(EvaluationReport::Image& image, std::string sentence) {
  const auto names = [&](const std::string& file) { return !file.empty() && sentence.rfind(file, 0) == 0; };
  if (!names(image.input) && !names(image.truth) && !names(image.fieldOfView) && !names(image.observer))
    sentence = image.input + ": " + sentence;
  image.error = sentence;
  if (command_.watched) return;
  progress_.clear();
  log(LogLevel::Error, sentence);
}

}  // namespace bankside::headless
