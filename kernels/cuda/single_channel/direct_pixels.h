/// Direct sums pixel by pixel, for filters so large that no block holds a tile's windows.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// Taps in device memory as [filter][row][column]. Results that `a.fallback` asks for.
void startDirectPixels(const KernelArguments& a, cudaStream_t stream);

}  // namespace bankside::cuda
