/// What `bankside evaluate` is asked for, and the options that say it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gui/headless/bench_options.h"
#include "gui/headless/filter_options.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// How far a study is.
struct StudyProgress {
  int total = 0;         ///< images
  int done = 0;          ///< of them
  std::string image;     ///< that just ended
  std::string error;     ///< why it failed; empty: it did not
  bool leftOut = false;  ///< since nobody marked it, which `error` says
};

/// What sentences call the places where masks are looked for.
struct MaskPlaces {
  std::string truth = "--truth";
  std::string fieldOfView = "--fov";
  std::string observer = "--observer2";
};

struct EvaluateCommand : ReportFiles {
  FilterCommand run;  ///< which images, how they are filtered, and what that may take; nothing is written
  std::vector<std::string> responses;  ///< instead of images; empty: images are filtered
  std::vector<std::string> truth;
  std::vector<std::string> fieldOfView;
  std::vector<std::string> observer;
  std::string thresholdFrom;
  std::string plot;
  std::string overlays;
  MaskPlaces places;
  /// Is told of every image, one call at a time, instead of terminal and log.
  std::function<void(const StudyProgress&)> watched = {};
};

void addEvaluate(CLI::App& root, EvaluateCommand& command);

/// After the line was read: the sentence of a usage error, or "".
std::string endEvaluate(EvaluateCommand& command);

}  // namespace bankside::headless
