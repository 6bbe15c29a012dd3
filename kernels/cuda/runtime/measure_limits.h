/// What the device allows: the rates that every kernel time is held against, measured in the same run.
#pragma once

#include <functional>

#include "core/bench/device_limits.h"
#include "core/bench/measure.h"
#include "core/environment.h"
#include "kernels/cuda/runtime/pass_timing.h"

namespace bankside::cuda {

DeviceDescription describeDevice();

/// Adds what the device is. Errors  Error{Unsupported} without one; Error{Device}
void describeInto(Environment& environment);

/// Errors  Error{Device}, Error{Limit}; the engines must be available
DeviceLimits measureLimits();

/// Seconds of one call of `launch(i, stream)`, which starts work on the i-th set of buffers: a CUDA graph of
/// `calls` launches over `sets` sets in turn (or these launches themselves), again until the samples do.
/// Units  seconds
Interval timeLaunches(const std::function<void(int set, void* stream)>& launch, int sets, int calls,
                      const PassTiming& timing = {});

}  // namespace bankside::cuda
