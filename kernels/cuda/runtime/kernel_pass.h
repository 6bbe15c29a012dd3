/// A bank on the device, run over buffers that lie there already.
#pragma once

#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

/// One start computes `images` images. Result rows start on boundaries of 64 elements; source rows that are
/// no whole units of the kernel's are copied first, which is part of the pass. Errors  Error{Unsupported} for
/// several response groups
std::unique_ptr<DevicePass> makeKernelPass(const ConvolutionProblem& problem,
                                           std::unique_ptr<BandKernel> kernel, int images = 1);

}  // namespace bankside::cuda
