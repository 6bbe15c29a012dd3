/// How busy the stages of a run over files were.
#pragma once

#include <algorithm>
#include <array>
#include <string>

namespace bankside {

struct StageTimes {
  enum Stage { Decode, Filter, Encode };
  static constexpr int stages = 3;
  static constexpr const char* names[stages] = {"decode", "filter", "encode"};

  int threads = 1;
  double wallSeconds = 0;
  std::array<double, stages> busySeconds = {};  ///< summed over threads
  double deviceSeconds = 0;                     ///< in which devices had images to filter

  /// Of all that the threads could do, 0 to 1.
  double share(int stage) const {
    const double most = threads * wallSeconds;
    return most > 0 ? busySeconds[static_cast<std::size_t>(stage)] / most : 0;
  }
  /// One after the other.
  StageTimes& operator+=(const StageTimes& other) {
    threads = std::max(threads, other.threads);
    wallSeconds += other.wallSeconds;
    for (std::size_t i = 0; i < busySeconds.size(); ++i) busySeconds[i] += other.busySeconds[i];
    deviceSeconds += other.deviceSeconds;
    return *this;
  }
  double deviceShare() const { return wallSeconds > 0 ? deviceSeconds / wallSeconds : 0; }
  /// The stage that the threads were busiest with; "device" where they had more time to spare than it had.
  std::string bottleneck() const;
};

/// "2 threads, 1.43 s: decode 31 %, filter 42 %, encode 21 %; filter is the bottleneck"
std::string toString(const StageTimes& times);

}  // namespace bankside
