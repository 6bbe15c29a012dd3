/// From the sums of the tensor cores to results: through shared memory, so that a lane holds neighbouring
/// pixels and sees the filters in order.
#pragma once

#include "kernels/cuda/result_sink.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// One warp's results of a strip in shared memory: 16 pixels of `rows` rows for every slot of the pass.
template <class S>
struct ResultTile {
  static constexpr int slotWords = resultWords(S::rows);
  static constexpr int slots = S::columns / 2;
  static constexpr int words = slotWords * slots;
};

/// The halves of every sum together, added to what lies there if `add`. Lane 4g + t has pixels g and g + 8
/// and the slots 4i + t.
template <class S, class Sums>
__device__ __forceinline__ void putResults(const Sums& sums, float* tile, int lane, bool add) {
  float* const mine = tile + lane % 4 * ResultTile<S>::slotWords + lane / 4;
#pragma unroll
  for (int i = 0; i < S::columns / 8; ++i) {
#pragma unroll
    for (int r = 0; r < S::rows; ++r) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const float* whole = sums[0][r] + 4 * i + 2 * h;
        float low = whole[1];
        if constexpr (S::parts == PixelParts::Split) {
          const float* part = sums[1][r] + 4 * i + 2 * h;
          low = __fadd_rn(low, __fmaf_rn(part[1], lowWeight, part[0]));
        }
        float& place = mine[4 * i * ResultTile<S>::slotWords + r * 16 + h * 8];
        const float value = __fmaf_rn(low, lowWeight, whole[0]);
        place = add ? __fadd_rn(place, value) : value;
      }
    }
  }
}

/// Where the results of one slot go.
struct alignas(16) Slot {
  static constexpr int none = 1 << 30;
  std::ptrdiff_t offset;  ///< elements from the place of the strip's pixel
  float scale;
  int below;  ///< rows below the strip's; `none` where the bank has ended
};

/// Four neighbouring results, scaled.
__device__ __forceinline__ float4 readRun(const float* from, float scale) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  return make_float4(__fmul_rn(v.x, scale), __fmul_rn(v.y, scale), __fmul_rn(v.z, scale),
                     __fmul_rn(v.w, scale));
}

/// Every response written, or the one response of a bank of one filter as its combine has it.
template <class S>
__device__ __forceinline__ void writeResults(const KernelArguments& a, const float* tile, const Slot* slots,
                                             float pixelScale, int rowStep, int x, int y, int lane) {
  using Tile = ResultTile<S>;
  constexpr int runs = 4 * S::rows;
  constexpr int atOnce = 32 / runs;
  const int row = lane % runs / 4;
  x += lane % 4 * 4;
  y += row * rowStep;
  if (x >= a.width) return;
  const float* from = tile + lane / runs * Tile::slotWords + row * 16 + lane % 4 * 4;
  const std::ptrdiff_t place = y * a.dst.stride + x;
  slots += lane / runs;
  if (a.dst.type == ElementType::F32 && a.combine == Combine::None && x + 4 <= a.width) {
    float* const out = static_cast<float*>(a.dst.pixels) + place;
#pragma unroll
    for (int i = 0; i < Tile::slots / atOnce; ++i) {
      const Slot slot = slots[i * atOnce];
      const float4 v = readRun(from + i * atOnce * Tile::slotWords, slot.scale * pixelScale);
      if (y + slot.below < a.height) __stcs(reinterpret_cast<float4*>(out + slot.offset), v);
    }
    return;
  }
#pragma unroll 1
  for (int i = 0; i < Tile::slots / atOnce; ++i) {
    const Slot slot = slots[i * atOnce];
    if (y + slot.below >= a.height) continue;
    const float4 v = readRun(from + i * atOnce * Tile::slotWords, slot.scale * pixelScale);
    float run[4] = {v.x, v.y, v.z, v.w};
    if (a.combine != Combine::None) {
#pragma unroll
      for (float& r : run) r = combineFinish(a.combine, combineFirst(a.combine, r), 1);
    }
    storeRun(a.dst.pixels, a.dst.type, place + slot.offset, a.width - x, run);
    const std::uint32_t index[4] = {};
    if (a.combine == Combine::ArgMax) storeIndices(a.dst.index, place + slot.offset, a.width - x, index);
  }
}

/// Four neighbouring results over all filters. The first 4 x rows lanes hold one each.
template <class S>
class CombinedRun {
 public:
  __device__ __forceinline__ void take(const KernelArguments& a, const float* tile, const Slot* slots,
                                       float pixelScale, int firstFilter, int lane) {
    using Tile = ResultTile<S>;
    constexpr int runs = 4 * S::rows;
    const float* from = tile + lane % runs / 4 * 16 + lane % 4 * 4;
    const int count = min(Tile::slots, a.filterCount - firstFilter);
    if (a.combine == Combine::Max) {
      // In any order, so that no lane stands idle. NaN cannot come.
      if (firstFilter == 0) most_ = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
#pragma unroll
      for (int i = 0; i < Tile::slots; i += 32 / runs) {
        const int slot = i + lane / runs;
        const float4 v = readRun(from + slot * Tile::slotWords, slots[slot].scale);
        if (slot < count) most_ = largest(most_, v);
      }
      if (firstFilter + Tile::slots < a.filterCount) return;
#pragma unroll
      for (int distance = 16; distance >= runs; distance /= 2) {
        most_ = largest(
            most_,
            make_float4(__shfl_xor_sync(~0u, most_.x, distance), __shfl_xor_sync(~0u, most_.y, distance),
                        __shfl_xor_sync(~0u, most_.z, distance), __shfl_xor_sync(~0u, most_.w, distance)));
      }
      most_ =
          make_float4(most_.x * pixelScale, most_.y * pixelScale, most_.z * pixelScale, most_.w * pixelScale);
      return;
    }
#pragma unroll 1
    for (int slot = 0; slot < count; ++slot) {
      const float4 v = readRun(from + slot * Tile::slotWords, slots[slot].scale * pixelScale);
      const float run[1][4] = {{v.x, v.y, v.z, v.w}};
      sink_.take(a, firstFilter + slot, 0, 0, run);
    }
  }

  __device__ __forceinline__ void finish(const KernelArguments& a, int x, int y, int lane) {
    x += lane % 4 * 4;
    y += lane / 4;
    if (lane >= 4 * S::rows || x >= a.width || y >= a.height) return;
    if (a.combine == Combine::Max) {
      const float run[4] = {most_.x, most_.y, most_.z, most_.w};
      storeRun(a.dst.pixels, a.dst.type, y * a.dst.stride + x, a.width - x, run);
    } else {
      sink_.finish(a, x, y);
    }
  }

 private:
  __device__ __forceinline__ static float4 largest(const float4& a, const float4& b) {
    return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
  }

  float4 most_;
  ResultSink<1, 4, S::kept> sink_;
};

}  // namespace bankside::cuda
