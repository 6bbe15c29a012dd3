/// Matrices of 8 x 8 halves from shared memory to a warp's registers, as `mma.sync` wants them. Compute
/// capability 7.5.
#pragma once

#include <cstdint>

namespace bankside::cuda {

/// Shared memory as `loadMatrices` counts it, in bytes.
__device__ __forceinline__ std::uint32_t matrixAddress(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

/// Four matrices: lane 8i + r says where row r of the i-th one lies, 16 bytes. Lane 4g + t gets of each of
/// them halves 2t and 2t + 1 of row g.
__device__ __forceinline__ uint4 loadMatrices(std::uint32_t row) {
  uint4 halves;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(halves.x), "=r"(halves.y), "=r"(halves.z), "=r"(halves.w)
               : "r"(row)
               : "memory");
  return halves;
}

}  // namespace bankside::cuda
