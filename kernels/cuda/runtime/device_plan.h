/// A bank over somebody's device memory, in somebody's stream.
#pragma once

#include <memory>

#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

/// `kernel` is loaded for use beside others. It runs once on made-up pixels, so that whatever it makes when
/// it first runs is there. Dense planes are taken without `anySteps`, of any width. Errors  Error{Device},
/// Error{Limit}
std::unique_ptr<DevicePlan> makeDevicePlan(const ConvolutionProblem& problem,
                                           std::unique_ptr<BandKernel> kernel, bool anySteps);

}  // namespace bankside::cuda
