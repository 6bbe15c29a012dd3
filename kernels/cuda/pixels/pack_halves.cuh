/// f32 numbers as halves, eight in 16 bytes, and what those leave over.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace bankside::cuda {

__device__ __forceinline__ std::uint32_t bitsOf(__half2 pair) {
  return reinterpret_cast<const std::uint32_t&>(pair);
}
__device__ __forceinline__ __half2 pairOf(std::uint32_t bits) {
  return reinterpret_cast<const __half2&>(bits);
}

__device__ __forceinline__ uint4 packEight(const float (&v)[8]) {
  return make_uint4(bitsOf(__floats2half2_rn(v[0], v[1])), bitsOf(__floats2half2_rn(v[2], v[3])),
                    bitsOf(__floats2half2_rn(v[4], v[5])), bitsOf(__floats2half2_rn(v[6], v[7])));
}

/// What `packed` leaves of the pixels, times `weight`.
__device__ __forceinline__ uint4 packRest(const float (&v)[8], const uint4& packed, float weight) {
  const std::uint32_t words[4] = {packed.x, packed.y, packed.z, packed.w};
  float rest[8];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 high = __half22float2(pairOf(words[i]));
    rest[2 * i] = (v[2 * i] - high.x) * weight;
    rest[2 * i + 1] = (v[2 * i + 1] - high.y) * weight;
  }
  return packEight(rest);
}

}  // namespace bankside::cuda
