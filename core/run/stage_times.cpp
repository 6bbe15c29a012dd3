#include "core/run/stage_times.h"

#include "core/text.h"

namespace bankside {

std::string toString(const StageTimes& times) {
  std::string text = std::to_string(times.threads) + (times.threads == 1 ? " thread, " : " threads, ") +
                     formatFixed(times.wallSeconds, 2) + " s: ";
  for (int i = 0; i < StageTimes::stages; ++i) {
    text += std::string(i > 0 ? ", " : "") + StageTimes::names[i] + " " +
            formatFixed(times.share(i) * 100, 0) + " %";
  }
  return text + "; " + StageTimes::names[times.bottleneck()] + " is the bottleneck";
}

}  // namespace bankside
