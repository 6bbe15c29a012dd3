/// From the sums of the tensor cores to results: lanes that hold the outputs of a group trade them for
/// neighbouring pixels of one filter.
#pragma once

#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/result_sink.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Where the results of one filter in one row of a strip go.
struct alignas(16) Unit {
  static constexpr int none = 1 << 30;
  std::ptrdiff_t offset;  ///< elements from the place of the strip's first row
  float scale;
  int row;  ///< of the strip; `none` where the bank has ended
};

/// Lanes that differ in bit `lane & mask` and values that differ in their place `a` and `b` change places.
__device__ __forceinline__ void trade(float& a, float& b, int mask, bool second) {
  const float received = __shfl_xor_sync(~0u, second ? a : b, mask);
  a = second ? received : a;
  b = second ? b : received;
}

/// Of the values 4i .. 4i + 3, the four neighbouring pixels that this lane keeps: those `runColumn` pixels
/// from the first of the tile.
template <int shifts, int values>
__device__ __forceinline__ float4 tradeRun(const float (&value)[values], int i, int lane) {
  // [2 (j odd) + e]
  float v[4] = {value[4 * i], value[4 * i + 1], value[4 * i + 2], value[4 * i + 3]};
  const bool odd = (lane & 4) != 0;
  if constexpr (shifts == 2) {
    // The even lane keeps the even j: its own outputs are the first of each group.
    trade(v[0], v[2], 4, odd);
    trade(v[1], v[3], 4, odd);
    return make_float4(v[0], v[2], v[1], v[3]);
  } else {
    const bool far = (lane & 8) != 0;
    trade(v[0], v[1], 4, odd);
    trade(v[2], v[3], 4, odd);
    trade(v[0], v[2], 8, far);
    trade(v[1], v[3], 8, far);
    return make_float4(v[0], v[1], v[2], v[3]);
  }
}
template <int shifts>
inline constexpr int runsApart = 16 * shifts;
template <int shifts>
__device__ __forceinline__ int runColumn(int i, int lane) {
  const int shift = lane / 4 % shifts;
  return runsApart<shifts> * i +
         (shifts == 2 ? 16 * shift + 4 * (lane % 4) : 32 * (shift / 2) + 8 * (lane % 4) + 4 * (shift % 2));
}

/// Four neighbouring results of plane offset `offset` at row `y`, where they begin left of the region or not
/// on a boundary of four.
__device__ __noinline__ inline void storeCut(const KernelArguments& a, std::ptrdiff_t offset, int x,
                                             float4 v) {
  const float run[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float one[4] = {run[i], 0.0f, 0.0f, 0.0f};
    if (x + i >= 0 && x + i < a.width) storeRun(a.dst.pixels, a.dst.type, offset + x + i, 1, one);
  }
}

/// Every response written, or the one response of a bank of one filter as its combine has it. (x0, y): the
/// strip's first result; it may lie left of and above the region.
template <class S>
__device__ __forceinline__ void writeResults(const KernelArguments& a, const float (&value)[S::values],
                                             const Unit* units, float pixelScale, int x0, int y, int thread) {
  const int lane = thread % 32;
  const Unit unit = units[thread / 4 / S::shifts];
  const int row = y + unit.row;
  // Lanes trade, so all of them stay.
  const bool wanted = unit.row != Unit::none && row >= 0 && row < a.height;
  const float scale = unit.scale * pixelScale;
  const std::ptrdiff_t place = unit.offset + y * a.dst.stride;
  const bool aligned = (x0 & 3) == 0;
  const bool plain = a.dst.type == ElementType::F32 && a.combine == Combine::None && aligned;
  // Whole runs wherever they are: the same for all lanes.
  if (plain && x0 >= 0 && x0 + S::width <= a.width) {
    float4 run[S::values / 4];
#pragma unroll
    for (int i = 0; i < S::values / 4; ++i) {
      const float4 v = tradeRun<S::shifts>(value, i, lane);
      run[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    }
    if (!wanted) return;
    float* const out = static_cast<float*>(a.dst.pixels) + place + x0 + runColumn<S::shifts>(0, lane);
#pragma unroll
    for (int i = 0; i < S::values / 4; ++i)
      __stcs(reinterpret_cast<float4*>(out + i * runsApart<S::shifts>), run[i]);
    return;
  }
#pragma unroll
  for (int i = 0; i < S::values / 4; ++i) {
    float4 v = tradeRun<S::shifts>(value, i, lane);
    v = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    const int x = x0 + runColumn<S::shifts>(i, lane);
    if (!wanted || x >= a.width) continue;
    float run[4] = {v.x, v.y, v.z, v.w};
    if (a.combine != Combine::None) {
#pragma unroll
      for (float& r : run) r = combineFinish(a.combine, combineFirst(a.combine, r), 1);
    }
    if (aligned && x >= 0) {
      storeRun(a.dst.pixels, a.dst.type, place + x, a.width - x, run);
    } else {
      storeCut(a, place, x, make_float4(run[0], run[1], run[2], run[3]));
    }
    if (a.combine != Combine::ArgMax) continue;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (x + k >= 0 && x + k < a.width) a.dst.index[place + x + k] = 0;
  }
}

}  // namespace bankside::cuda
