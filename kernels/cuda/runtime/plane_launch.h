/// From planes in device memory to the launches of a kernel.
#pragma once

#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

/// Starts all response groups of a problem, for every image of the batch. Rows and planes lie as the kernel
/// takes them, pixels side by side; rows of `indices` are as many elements apart as those of the results.
void startGroups(BandKernel& kernel, const ConvolutionProblem& problem, const DevicePlanes& image,
                 const DevicePlanes& results, const DevicePlanes* indices, const ImageBatch& batch,
                 cudaStream_t stream);

}  // namespace bankside::cuda
