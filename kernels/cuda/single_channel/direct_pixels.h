/// Direct sums pixel by pixel, for filters so large that no block holds a tile's windows.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/runtime/launch.h"

namespace bankside::cuda {

/// Taps in device memory as [filter][row][column]. Results that `a.fallback` asks for.
/// `before`: what starts directly before them, if there is such
void startDirectPixels(const KernelArguments& a, cudaStream_t stream, const KernelLaunch* before = nullptr);

}  // namespace bankside::cuda
