/// core/combine.h's combiner on values that stay in registers.
#pragma once

#include <cstdint>

#include "kernels/cuda/device/maximum.cuh"
#include "kernels/cuda/pixels/fused.h"

namespace bankside::cuda {

/// Whether a maximum moves on to `r`: if it is larger or the first NaN. `a` and `b` are what is compared.
__device__ __forceinline__ bool movesOn(float a, float b) { return !(a <= b) && b == b; }

__device__ __forceinline__ float combineFirst(Combine combine, float r) {
  return combine == Combine::Magnitude ? __fmul_rn(r, r) : r;
}

/// What joins a response with those of earlier filters; `ordered` where it matters which is which.
template <bool ordered_, class Function>
struct CombineRule {
  static constexpr bool ordered = ordered_;
  Function function;
  __device__ __forceinline__ float operator()(float earlier, float later) const {
    return function(earlier, later);
  }
};
template <bool ordered, class Function>
__device__ __forceinline__ CombineRule<ordered, Function> ruleOf(Function function) {
  return {function};
}

/// Calls `use(rule)` with the rule of a combine that keeps a value alone.
template <class Use>
__device__ __forceinline__ void withRule(Combine combine, Use&& use) {
  if (combine == Combine::Max) {
    use(ruleOf<false>([](float kept, float r) { return maximum(kept, r); }));
  } else if (combine == Combine::AbsMax) {
    use(ruleOf<true>([](float kept, float r) { return movesOn(fabsf(r), fabsf(kept)) ? r : kept; }));
  } else if (combine == Combine::Magnitude) {
    use(ruleOf<true>([](float kept, float r) { return __fmaf_rn(r, r, kept); }));
  } else {
    use(ruleOf<false>([](float kept, float r) { return __fadd_rn(kept, r); }));
  }
}

/// ArgMax, which keeps a value and whose it is.
__device__ __forceinline__ void keepLarger(float& kept, std::uint32_t& index, float r, int filter) {
  const bool moves = movesOn(r, kept);
  kept = moves ? r : kept;
  index = moves ? static_cast<std::uint32_t>(filter) : index;
}

__device__ __forceinline__ float combineFinish(Combine combine, float value, int filterCount) {
  if (combine == Combine::Mean) return __fmul_rn(value, __fdiv_rn(1.0f, static_cast<float>(filterCount)));
  if (combine == Combine::Magnitude) return __fsqrt_rn(value);
  return value;
}

}  // namespace bankside::cuda
