/// In the place of kernels/cuda/device/tf32_product.cuh: `mma.sync` m16n8k8, worked off at the warp's next
/// barrier.
///
/// Products of TF32 numbers are exact in f32; they are added one after another and rounded, where the tensor
/// cores align and cut.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

/// The bits below TF32's ten after the point are not looked at.
inline float asTf32(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }

inline void multiplyTf32(float (&sum)[4], const float4& taps, const std::uint32_t (&pixels)[2]) {
  on_host::pending().warpProducts.push_back(
      {sum,
       {asTf32(taps.x), asTf32(taps.y), asTf32(taps.z), asTf32(taps.w)},
       {asTf32(__uint_as_float(pixels[0])), asTf32(__uint_as_float(pixels[1]))}});
}

}  // namespace bankside::cuda
