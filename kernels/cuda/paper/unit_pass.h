/// Algorithm 2 with units that match the banks of shared memory, and with units that do not: what section 5.1
/// of the paper predicts of the general case, as something to be timed. Not an engine.
#pragma once

#include "core/filter_bank.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

/// Table 1's tile for 3 x 3, pixels and taps in shared memory as the source's own type (f32 or f16), each
/// read `unitElements` (1, 2 or 4) at a time; sums are f32. Errors  Error{Unsupported} for anything but
/// summed channels, an even number of them, 64 filters at a time,
///         images of whole tiles (32 x 4), zero borders, and taps that the type holds; Error{Device}
std::unique_ptr<DevicePass> makeUnitPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                         int unitElements);

}  // namespace bankside::cuda
