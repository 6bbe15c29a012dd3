/// The matrix instruction of a warp for halves: 16 x 16 times 16 x 8, added to f32 sums.
#pragma once

#include <cstdint>

namespace bankside::cuda {

/// sum += taps x pixels; fragments as in the PTX ISA.
__device__ __forceinline__ void multiplyHalves(float (&sum)[4], const uint4& taps,
                                               const std::uint32_t (&pixels)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(taps.x), "r"(taps.y), "r"(taps.z), "r"(taps.w), "r"(pixels[0]), "r"(pixels[1]));
}

}  // namespace bankside::cuda
