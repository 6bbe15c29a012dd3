/// What the device allows: the rates that every kernel time is held against, measured in the same run.
#pragma once

#include <cstddef>
#include <string>

#include "core/bench/machine_limits.h"
#include "core/environment.h"

namespace bankside::cuda {

struct DeviceDescription {
  std::string name;  ///< "NVIDIA H200"
  int multiprocessors = 0;
  std::size_t l2Bytes = 0;
  std::string runtime;  ///< CUDA's version, of the runtime and of the driver
  std::string driver;
};
DeviceDescription describeDevice();

/// Adds what the device is. Errors  Error{Unsupported} without one; Error{Device}
void describeInto(Environment& environment);

/// Errors  Error{Device}, Error{Limit}; the engines must be available
MachineLimits measureLimits();

struct MeasuredRates {
  double copyBytes = 0;     ///< a second, read and written
  double multiplyAdds = 0;  ///< of f32, a second
};

/// The two that a planner needs, in some milliseconds; the best of what was seen. Errors  as `measureLimits`
MeasuredRates measureRates();

}  // namespace bankside::cuda
