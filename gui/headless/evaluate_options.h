/// What `bankside evaluate` is asked for, and the options that say it.
#pragma once

#include <string>
#include <vector>

#include "gui/headless/bench_options.h"
#include "gui/headless/filter_options.h"

namespace CLI {
class App;
}

namespace bankside::headless {

struct EvaluateCommand : ReportFiles {
  FilterCommand run;  ///< which images, how they are filtered, and what that may take; nothing is written
  std::vector<std::string> responses;  ///< instead of images; empty: images are filtered
  std::vector<std::string> truth;
  std::vector<std::string> fieldOfView;
  std::vector<std::string> observer;
  std::string thresholdFrom;
  std::string plot;
  std::string overlays;
};

void addEvaluate(CLI::App& root, EvaluateCommand& command);

/// After the line was read: the sentence of a usage error, or "".
std::string endEvaluate(EvaluateCommand& command);

}  // namespace bankside::headless
