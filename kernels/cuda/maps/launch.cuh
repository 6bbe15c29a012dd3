/// How the kernels over maps are started, and which pixels their threads take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/shared_memory.h"

namespace bankside::cuda {

/// With so many bytes of dynamic shared memory a block. Errors  Error{Device}, as below
template <class... Parameters>
void launchWith(void (*kernel)(Parameters...), std::size_t shared, dim3 grid, dim3 block, cudaStream_t stream,
                std::type_identity_t<Parameters>... given) {
  void* arguments[] = {const_cast<void*>(static_cast<const void*>(&given))...};
  const void* const address = kernelAddress(kernel);
  allowSharedMemory(address, shared);
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(address, grid, block, arguments, shared, stream));
}

template <class... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
            std::type_identity_t<Parameters>... given) {
  void* arguments[] = {const_cast<void*>(static_cast<const void*>(&given))...};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(kernel), grid, block, arguments, 0, stream));
}

/// Threads of a block that goes over pixels.
inline constexpr int pixelThreads = 256;
inline constexpr dim3 wideBlock(64, 4);
inline constexpr dim3 highBlock(32, 8);
/// Blocks that stand below each other in a grid, or behind each other.
inline constexpr int mostGridRows = 65535;

/// Blocks over `width` x `height` places, `layers` times; where they cannot all be there, threads take
/// several rows (`forPixels`).
inline dim3 gridOver(int width, int height, const dim3& block, std::size_t layers = 1) {
  return {static_cast<unsigned>(ceilDiv(width, static_cast<int>(block.x))),
          static_cast<unsigned>(std::min(ceilDiv(height, static_cast<int>(block.y)), mostGridRows)),
          static_cast<unsigned>(layers)};
}

/// Calls use(x, y) for the thread's places of those.
template <class Use>
__device__ __forceinline__ void forPixels(int width, int height, const Use& use) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= width) return;
  for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < height;
       y += static_cast<int>(gridDim.y * blockDim.y))
    use(x, y);
}

}  // namespace bankside::cuda
