/// A maximum that keeps NaN.
#pragma once

namespace bankside::cuda {

/// The larger of two, NaN if one of them is: one instruction. (Of two zeros it gives +0, and sums that start
/// from +0 are never -0 unless they underflow.)
__device__ __forceinline__ float maximum(float a, float b) {
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
}

}  // namespace bankside::cuda
