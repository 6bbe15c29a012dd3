/// core/combine.h's combiner on values that stay in registers.
#pragma once

#include "kernels/cuda/device/maximum.cuh"
#include "kernels/cuda/fused.h"

namespace bankside::cuda {

/// Whether a maximum moves on to `r`: if it is larger or the first NaN. `a` and `b` are what is compared.
__device__ __forceinline__ bool movesOn(float a, float b) { return !(a <= b) && b == b; }

__device__ __forceinline__ float combineFirst(Combine combine, float r) {
  return combine == Combine::Magnitude ? __fmul_rn(r, r) : r;
}

__device__ __forceinline__ float combineFinish(Combine combine, float value, int filterCount) {
  if (combine == Combine::Mean) return __fmul_rn(value, __fdiv_rn(1.0f, static_cast<float>(filterCount)));
  if (combine == Combine::Magnitude) return __fsqrt_rn(value);
  return value;
}

}  // namespace bankside::cuda
