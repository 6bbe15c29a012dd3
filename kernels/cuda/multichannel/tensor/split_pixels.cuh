/// What pixels of some channels become for the tensor cores: units of 16 bytes, upper and lower parts.
#pragma once

#include "kernels/cuda/multichannel/tensor/tensor_layout.h"
#include "kernels/cuda/pixels/pack_halves.cuh"

namespace bankside::cuda {

/// `v`: a unit's channels of one pixel. `scale`: a power of two.
__device__ __forceinline__ void splitUnit(const float* v, float scale, uint4& upper, uint4& lower) {
  float scaled[channelsPerUnit];
#pragma unroll
  for (int i = 0; i < channelsPerUnit; ++i) scaled[i] = v[i] * scale;
  upper = packEight(scaled);
  lower = packRest(scaled, upper, 1.0f);
}

}  // namespace bankside::cuda
