/// The results of a strip over all filters, combined in registers.
#pragma once

#include <cmath>

#include "kernels/cuda/tensor/tensor_results.cuh"

namespace bankside::cuda {

/// Lanes hold the outputs of a strip's row for every `filtersOfEight()`th filter, so that nothing is traded
/// before the bank has ended. Sums of finite pixels are finite: what a bank begins with needs no branch.
template <class S>
class Combined {
 public:
  Combined() = default;
  __device__ __forceinline__ Combined(const TensorArguments& a, int thread)
      : place_(thread, a.layout.shiftsLog2),
        filter_(place_.unit / a.layout.rowStep),
        row_(place_.unit % a.layout.rowStep) {}

  __device__ __forceinline__ void begin(Combine combine) {
#pragma unroll
    for (float& kept : kept_) kept = combine == Combine::AbsMax ? 0.0f : changesNothing(combine);
#pragma unroll
    for (std::uint32_t& index : index_) index = 0;
  }

  /// Block `of` of the bank's taps.
  __device__ __forceinline__ void take(const TensorArguments& arguments, const float (&value)[S::values],
                                       const Unit* units, int of, float pixelScale) {
    const Combine combine = arguments.base.combine;
    const float missing = changesNothing(combine);
    units += place_.unit * TensorLayout::unitsApart(S::eights);
    const auto forAll = [&](auto&& add) {
      forUnits<S>(units, [&](int j, Unit unit) {
        const float scale = unit.scale * pixelScale;
        const float none = unit.scale == 0.0f ? missing : -0.0f;
#pragma unroll
        for (int i = 0; i < 4; ++i) add(i, __fmaf_rn(value[4 * j + i], scale, none), j);
      });
    };
    if constexpr (S::kept == Fused::Index) {
      // One filter an eight: see tensorChoices.
      forAll([&](int i, float r, int j) { keepLarger(kept_[i], index_[i], r, of * S::eights + j); });
    } else {
      withRule(combine,
               [&](const auto& rule) { forAll([&](int i, float r, int) { kept_[i] = rule(kept_[i], r); }); });
    }
  }

  /// (x0, y): the strip's first result.
  __device__ __forceinline__ void finish(const TensorArguments& arguments, int x0, int y) {
    const KernelArguments& a = arguments.base;
    const TensorLayout& layout = arguments.layout;
    const int eight = layout.unitsOfEight();
    if (layout.rowStep < eight) {
      // Combined responses join combined responses: squares are added up. Lanes beyond the bank's end hold
      // what changes nothing.
      withRule(a.combine == Combine::Magnitude ? Combine::Sum : a.combine, [&](const auto& rule) {
#pragma unroll 1
        for (int apart = layout.rowStep; apart < eight; apart *= 2) {
#pragma unroll
          for (float& kept : kept_)
            kept = rule(kept, __shfl_xor_sync(~0u, kept, apart << layout.shiftsLog2 >> 1));
        }
      });
    }
    const int row = y + row_;
    if (filter_ != 0 || row < 0 || row >= a.height) return;
    const int x = x0 + place_.column;
#pragma unroll
    for (int group = 0; group < 2; ++group) {
      const int column = x + (group * 8 << layout.shiftsLog2);
      const std::ptrdiff_t at = row * a.dst.stride + column;
      storePair(a.dst, at, column, a.width, combineFinish(a.combine, kept_[2 * group], a.filterCount),
                combineFinish(a.combine, kept_[2 * group + 1], a.filterCount));
      if constexpr (S::kept == Fused::Index) {
#pragma unroll
        for (int k = 0; k < 2; ++k)
          if (column + k >= 0 && column + k < a.width)
            a.dst.index[at + k] = static_cast<std::uint16_t>(index_[2 * group + k]);
      }
    }
  }

 private:
  /// Combined with any response, gives that response.
  __device__ __forceinline__ static float changesNothing(Combine combine) {
    return combine == Combine::Max || combine == Combine::ArgMax ? -INFINITY : -0.0f;
  }

  LanePlace place_;
  int filter_, row_;  ///< of the lane's first unit
  float kept_[4];     ///< of two groups, two neighbouring results each
  std::uint32_t index_[S::kept == Fused::Index ? 4 : 1];
};

}  // namespace bankside::cuda
