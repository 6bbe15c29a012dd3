/// Shared memory past the 48 KB that every kernel may have.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// Lets `kernel` be launched with `bytes` of dynamic shared memory on the current device.
inline void allowSharedMemory(const void* kernel, std::size_t bytes) {
  constexpr std::size_t always = 48 * 1024;
  if (bytes > always)
    BANKSIDE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

}  // namespace bankside::cuda
