/// What `bankside evaluate` looks at: images, their masks, and both together once responses have come.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/evaluate/evaluation_report.h"
#include "gui/headless/evaluate_options.h"
#include "gui/headless/inputs.h"
#include "gui/headless/progress.h"
#include "gui/headless/response_maps.h"
#include "gui/headless/truth_files.h"

namespace bankside::headless {

/// One of each an image; paths are empty for an image that cannot even be tried.
struct Study {
  std::vector<std::string> remarks = {};  ///< on the whole of it
  std::vector<InputFile> inputs;
  std::vector<NamedImage> images;
  std::vector<NamedImage> others = {};  ///< of their folders, which have masks of their own
  std::vector<std::filesystem::path> truth;
  std::vector<std::filesystem::path> fieldOfView;  ///< no path at all: whole images
  std::vector<std::filesystem::path> observer;     ///< no path at all: nobody
};

/// Whether the image is not tried because nobody marked it.
bool isLeftOut(const Study& study, std::size_t image);

/// Errors  Error{BadInput} where images and masks do not go together
Study findStudy(const EvaluateCommand& command);

/// Takes responses as they come and reads their masks. What goes wrong with an image stands in the report.
class StudyImages {
 public:
  /// References must outlive it. The report gets its list of images.
  StudyImages(const EvaluateCommand& command, const Study& study, EvaluationReport& report);

  /// Errors  Cancelled
  void take(ResponseMap&& made);

  /// Those that never came among them.
  std::int64_t failed() const;
  /// Whether one failed for want of memory, threads or open files.
  bool wanted() const { return wanted_; }
  /// The good ones, in the order of the inputs, given away.
  std::vector<LabelledImage> finish();

 private:
  Image mask(const std::string& file, EvaluationReport::Image& image) const;
  void fail(EvaluationReport::Image& image, std::string sentence);

  const EvaluateCommand& command_;
  const Study& study_;
  EvaluationReport& report_;
  Progress progress_;
  int taken_ = 0;
  bool wanted_ = false;
  std::map<std::size_t, LabelledImage> images_;  ///< by their inputs
};

}  // namespace bankside::headless
