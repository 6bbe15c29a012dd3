/// A maximum that keeps NaN.
#pragma once

namespace bankside::cuda {

/// The larger of two, NaN if one of them is: one instruction from compute capability 8.0 on. (Of two zeros it
/// gives +0, and sums that start from +0 are never -0 unless they underflow.)
__device__ __forceinline__ float maximum(float a, float b) {
#if __CUDA_ARCH__ >= 800
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
#else
  return a == a && b == b ? fmaxf(a, b) : __uint_as_float(0x7fffffffu);
#endif
}

}  // namespace bankside::cuda
