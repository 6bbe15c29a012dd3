/// The GPUs that this process sees: which there are, and which of them engines use.
#pragma once

#include <string>
#include <vector>

#include "core/engine.h"

namespace bankside {

struct DeviceLine {
  std::string name;  ///< "cuda:0": numbered as the process sees them
  std::string what;  ///< "NVIDIA H100 80GB HBM3, compute capability 9.0"
  Support use;       ///< whether images are spread over it; if not, one sentence
};
/// None in a build without nvcc, or without a driver. Sets all of them up.
std::vector<DeviceLine> describeDevices();

/// Engines work on these from now on, in that order; all are in use where nobody calls. Where they are of
/// different kinds, those of the first one's kind are in use, which is said in the log. Errors
/// Error{BadInput} for one that is not there or is named twice; Error{Unsupported} for one that cannot be
/// used
void useDevices(const std::vector<int>& devices);

}  // namespace bankside
