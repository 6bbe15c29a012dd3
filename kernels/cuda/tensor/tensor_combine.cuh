/// The results of a strip over all filters, combined on the chip.
#pragma once

#include <cmath>

#include "kernels/cuda/tensor/tensor_results.cuh"

namespace bankside::cuda {

/// Shared memory from byte `offset` on. By its place and not by a pointer, which would take two registers and
/// hide where it points.
template <class T>
__device__ __forceinline__ T* dynamicShared(int offset) {
  extern __shared__ __align__(128) char shared[];
  return reinterpret_cast<T*>(shared + offset);
}

/// One row a strip: the filters of a warp are combined by lanes that halve what they hold with every
/// exchange, those of different warps through shared memory, four neighbouring pixels a thread.
template <class S>
class CombinedRow {
 public:
  /// `scratch`: byte of shared memory.
  __device__ __forceinline__ CombinedRow(int scratch, int warpgroup, int thread)
      : scratch_(scratch + warpgroup * TensorLayout::rowBytes(S::width)),
        warpgroup_(warpgroup),
        thread_(thread) {
    static_assert(4 * quads * 32 * sizeof(float4) == TensorLayout::rowBytes(S::width));
  }

  /// `first`: nothing was taken before. `value` is used up.
  __device__ __forceinline__ void take(Combine combine, float (&value)[S::values], const Unit* units,
                                       bool first, float pixelScale) {
    const Unit unit = units[thread_ / 4 / S::shifts];
    const bool any = unit.row != Unit::none;
    const float scale = unit.scale * pixelScale;
    // Where the bank has ended: what changes nothing. Minus zero added changes not even a zero.
    const float none = !any && combine == Combine::Max ? -INFINITY : -0.0f;
#pragma unroll
    for (float& v : value) v = __fmaf_rn(v, scale, none);
    // Combined responses join combined responses: squares are added up.
    const bool squares = combine == Combine::Magnitude;
    if (squares) {
#pragma unroll
      for (float& v : value) v = __fmul_rn(v, v);
    }
    withRule(squares ? Combine::Sum : combine, [&](const auto& rule) {
      const int lane = thread_ % 32;
      halve<S::values, 16>(value, rule);
      if constexpr (S::shifts == 2) halve<S::values / 2, 8>(value, rule);
      syncWarpgroup(warpgroup_);  // whoever still reads what was there
#pragma unroll
      for (int q = 0; q < quads; ++q)
        dynamicShared<float4>(scratch_)[(thread_ / 32 * quads + q) * 32 + lane] =
            make_float4(value[4 * q], value[4 * q + 1], value[4 * q + 2], value[4 * q + 3]);
      syncWarpgroup(warpgroup_);
      if (thread_ / 32 >= quads) return;
#pragma unroll
      for (int warp = 0; warp < 4; ++warp) {
        const float4 v = dynamicShared<float4>(scratch_)[(warp * quads + thread_ / 32) * 32 + lane];
        const float four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) sum_[i] = first && warp == 0 ? four[i] : rule(sum_[i], four[i]);
      }
    });
  }

  __device__ __forceinline__ void finish(const KernelArguments& a, int x0, int y) {
    if (thread_ / 32 >= quads) return;
    const int lane = thread_ % 32;
    const float4 v = tradeRun<S::shifts>(sum_, 0, lane);
    float run[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (float& r : run) r = combineFinish(a.combine, r, a.filterCount);
    // Lanes of later filters kept later values.
    const int quad = (S::shifts == 2 ? 2 * (lane / 16) + lane / 8 % 2 : lane / 16) * quads + thread_ / 32;
    const int x = x0 + runColumn<S::shifts>(quad, lane);
    if (y < 0 || x >= a.width) return;
    const std::ptrdiff_t offset = y * a.dst.stride + x;
    if ((x0 & 3) == 0 && x >= 0) {
      storeRun(a.dst.pixels, a.dst.type, offset, a.width - x, run);
    } else {
      storeCut(a, y * a.dst.stride, x, make_float4(run[0], run[1], run[2], run[3]));
    }
  }

 private:
  /// Of a lane's kept values, four neighbouring ones at a time.
  static constexpr int quads = S::values / 4 / (8 / S::shifts);

  /// Lanes `mask` apart hold different filters: each gives the other half of its values away and keeps one.
  template <int count, int mask, class Rule>
  __device__ __forceinline__ void halve(float (&value)[S::values], const Rule& rule) {
    const bool later = (thread_ & mask) != 0;
#pragma unroll
    for (int i = 0; i < count / 2; ++i) {
      const float given = later ? value[i] : value[i + count / 2];
      const float kept = later ? value[i + count / 2] : value[i];
      const float received = __shfl_xor_sync(~0u, given, mask);
      value[i] = later && Rule::ordered ? rule(received, kept) : rule(kept, received);
    }
  }

  int scratch_;
  int warpgroup_;
  int thread_;
  float sum_[4];
};

/// Strips of several rows, and the numbers of filters: in the order of filters, some pixels at a time through
/// shared memory, one pixel a thread.
template <class S>
class Combined {
 public:
  /// `scratch`: byte of shared memory.
  __device__ __forceinline__ Combined(int scratch, int warpgroup, int thread)
      : scratch_(scratch + warpgroup * TensorLayout::unitsBytes(S::shifts)),
        warpgroup_(warpgroup),
        thread_(thread) {
    static_assert(unitsPerBlock * combinedPixels * sizeof(float) == TensorLayout::unitsBytes(S::shifts));
  }

  /// Unit `first` of the bank is the block's first. A strip of several rows has all filters in one block and
  /// is finished here, a row at a time.
  __device__ __forceinline__ void take(const TensorArguments& a, const float (&value)[S::values],
                                       const Unit* units, int first, float pixelScale, int x0, int y) {
    const int own = thread_ / 4 / S::shifts;
    const float scale = units[own].scale * pixelScale;
    const int rowStep = a.layout.rowStep;
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      syncWarpgroup(warpgroup_);  // whoever still reads what was there
#pragma unroll
      for (int i = 0; i < runsOfRound; ++i) {
        const float4 v = tradeRun<S::shifts>(value, round * runsOfRound + i, thread_ % 32);
        *reinterpret_cast<float4*>(dynamicShared<float>(scratch_) + own * combinedPixels +
                                   runColumn<S::shifts>(i, thread_ % 32)) =
            make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
      }
      syncWarpgroup(warpgroup_);
      if (rowStep == 1) {
        addFilters(a, round, 0, 1, first, min(unitsPerBlock, a.base.filterCount - first));
        continue;
      }
#pragma unroll 1
      for (int row = 0; row < rowStep; ++row) {
        addFilters(a, round, row, rowStep, 0, a.base.filterCount);
        store(a.base, round, x0, y + row);
      }
    }
  }

  __device__ __forceinline__ void finish(const TensorArguments& a, int x0, int y) {
    if (a.layout.rowStep > 1) return;
#pragma unroll
    for (int round = 0; round < rounds; ++round) store(a.base, round, x0, y);
  }

 private:
  static constexpr int unitsPerBlock = tapRows / 2 / S::shifts;
  static constexpr int combinedPixels = tensorWarpgroup;  // at a time
  static constexpr int rounds = S::width / combinedPixels;
  static constexpr int runsOfRound = S::values / 4 / rounds;

  __device__ __forceinline__ void addFilters(const TensorArguments& a, int round, int unit, int apart,
                                             int first, int count) {
    const float* const from = dynamicShared<float>(scratch_) + unit * combinedPixels + thread_;
    constexpr int together = rounds > 2 ? 1 : 4;  // as registers allow
    sink_[round].template takeAll<together>(a.base, first, count,
                                            [&](int i) { return from[i * apart * combinedPixels]; });
  }

  __device__ __forceinline__ void store(const KernelArguments& a, int round, int x0, int y) {
    if (y >= 0) sink_[round].finishOne(a, x0 + round * combinedPixels + thread_, y);
  }

  int scratch_;
  int warpgroup_;
  int thread_;
  ResultSink<1, 1, S::kept> sink_[rounds];
};

}  // namespace bankside::cuda
