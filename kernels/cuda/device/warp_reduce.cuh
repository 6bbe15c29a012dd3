/// One number of a whole warp's: one instruction from compute capability 8.0 on.
#pragma once

#include <cstdint>

namespace bankside::cuda {

#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)

__device__ __forceinline__ std::uint32_t largestOfWarp(std::uint32_t value) {
  return __reduce_max_sync(~0u, value);
}
__device__ __forceinline__ std::uint32_t leastOfWarp(std::uint32_t value) {
  return __reduce_min_sync(~0u, value);
}
__device__ __forceinline__ std::uint32_t sumOfWarp(std::uint32_t value) {
  return __reduce_add_sync(~0u, value);
}

#else

template <class Join>
__device__ __forceinline__ std::uint32_t joinWarp(std::uint32_t value, const Join& join) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) value = join(value, __shfl_xor_sync(~0u, value, lanes));
  return value;
}
__device__ __forceinline__ std::uint32_t largestOfWarp(std::uint32_t value) {
  return joinWarp(value, [](std::uint32_t a, std::uint32_t b) { return max(a, b); });
}
__device__ __forceinline__ std::uint32_t leastOfWarp(std::uint32_t value) {
  return joinWarp(value, [](std::uint32_t a, std::uint32_t b) { return min(a, b); });
}
__device__ __forceinline__ std::uint32_t sumOfWarp(std::uint32_t value) {
  return joinWarp(value, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}

#endif

}  // namespace bankside::cuda
