/// Dynamic shared memory of a thread block.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// Lets `kernel` be launched with `bytes` of dynamic shared memory on the current device. Asked for always:
/// how much a kernel may have without asking is 48 KB less its static shared memory.
inline void allowSharedMemory(const void* kernel, std::size_t bytes) {
  if (bytes > 0)
    BANKSIDE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

}  // namespace bankside::cuda
