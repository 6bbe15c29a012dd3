/// What pixels of some channels become for the tensor cores: units of 16 bytes, upper and lower parts.
#pragma once

#include "kernels/cuda/multichannel/tensor/tensor_layout.h"
#include "kernels/cuda/pixels/pack_halves.cuh"

namespace bankside::cuda {

/// A pixel rounded to TF32, and what that leaves over: the tensor cores cut it to TF32.
__device__ __forceinline__ void splitWord(float v, std::uint32_t& upper, std::uint32_t& lower) {
  upper = (__float_as_uint(v) + 0x1000u) & 0xffffe000u;
  lower = __float_as_uint(v - __uint_as_float(upper));
}

/// `v`: a unit's channels of one pixel. `scale`: a power of two, for halves.
template <TensorMode mode>
__device__ __forceinline__ void splitUnit(const float* v, float scale, uint4& upper, uint4& lower) {
  if constexpr (inHalves(mode)) {
    float scaled[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) scaled[i] = v[i] * scale;
    upper = packEight(scaled);
    lower = packRest(scaled, upper, 1.0f);
  } else {
    splitWord(v[0], upper.x, lower.x);
    splitWord(v[1], upper.y, lower.y);
    splitWord(v[2], upper.z, lower.z);
    splitWord(v[3], upper.w, lower.w);
  }
}

}  // namespace bankside::cuda
