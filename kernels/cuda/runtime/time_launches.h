/// Launches timed in rounds that contenders share.
#pragma once

#include <functional>
#include <vector>

#include "core/bench/measure.h"
#include "kernels/cuda/runtime/pass_timing.h"

namespace bankside::cuda {

/// `start(i, stream)` starts work on the i-th of `sets` sets of buffers; a sample is of `calls` such
/// launches, the sets in turn.
struct TimedLaunch {
  std::function<void(int set, void* stream)> start;
  int sets = 1;
  int calls = 1;
};

/// Seconds of one launch of each: CUDA graphs of their calls (or these launches themselves). Every round
/// takes a sample of each contender, every other round in reverse order, so that clock and temperature are
/// the same to all; rounds go on until the samples of all do, without those that have theirs. Before a sample
/// of one of several comes a launch of its own that does not count: its taps are where it wants them again.
/// Units  seconds  Errors  Cancelled
std::vector<Interval> timeTogether(const std::vector<TimedLaunch>& contenders, const PassTiming& timing = {});

Interval timeLaunches(const std::function<void(int set, void* stream)>& launch, int sets, int calls,
                      const PassTiming& timing = {});

}  // namespace bankside::cuda
