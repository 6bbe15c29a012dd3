/// The matrix instruction of a warp for halves: 16 x 16 times 16 x 8, added to f32 sums (two of 16 x 8
/// times 8 x 8 before compute capability 8.0).
#pragma once

#include <cstdint>

namespace bankside::cuda {

/// sum += taps x pixels; fragments as in the PTX ISA.
__device__ __forceinline__ void multiplyHalves(float (&sum)[4], const uint4& taps,
                                               const std::uint32_t (&pixels)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(taps.x), "r"(taps.y), "r"(taps.z), "r"(taps.w), "r"(pixels[0]), "r"(pixels[1]));
#else
  const auto half = [&](std::uint32_t upper, std::uint32_t lower, std::uint32_t pixel) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(upper), "r"(lower), "r"(pixel));
  };
  half(taps.x, taps.y, pixels[0]);
  half(taps.z, taps.w, pixels[1]);
#endif
}

}  // namespace bankside::cuda
