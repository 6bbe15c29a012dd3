#include "core/run/stage_times.h"

#include <algorithm>

#include "core/text.h"

namespace bankside {

std::string StageTimes::bottleneck() const {
  double threadsBusy = 0;
  for (int i = 0; i < stages; ++i) threadsBusy += share(i);
  if (deviceShare() > threadsBusy) return "device";
  return names[std::max_element(busySeconds.begin(), busySeconds.end()) - busySeconds.begin()];
}

std::string toString(const StageTimes& times) {
  std::string text = std::to_string(times.threads) + (times.threads == 1 ? " thread, " : " threads, ") +
                     formatFixed(times.wallSeconds, 2) + " s: ";
  for (int i = 0; i < StageTimes::stages; ++i) {
    text += std::string(i > 0 ? ", " : "") + StageTimes::names[i] + " " +
            formatFixed(times.share(i) * 100, 0) + " %";
  }
  if (times.deviceSeconds > 0) text += ", device " + formatFixed(times.deviceShare() * 100, 0) + " %";
  return text + "; " + times.bottleneck() + " is the bottleneck";
}

}  // namespace bankside
