/// The matrix instruction of a warp for TF32 numbers: 16 x 8 times 8 x 8, added to f32 sums.
#pragma once

#include <cstdint>

namespace bankside::cuda {

/// sum += taps x pixels; fragments as in the PTX ISA.
__device__ __forceinline__ void multiplyTf32(float (&sum)[4], const float4& taps,
                                             const std::uint32_t (&pixels)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(__float_as_uint(taps.x)), "r"(__float_as_uint(taps.y)), "r"(__float_as_uint(taps.z)),
        "r"(__float_as_uint(taps.w)), "r"(pixels[0]), "r"(pixels[1]));
}

}  // namespace bankside::cuda
