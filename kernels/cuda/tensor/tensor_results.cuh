/// From the sums of the tensor cores to results: each lane writes what it holds, two neighbouring pixels at a
/// time.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/keep_address.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/pixels/store_pairs.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Where the results of one filter in one row of a strip go. In shared memory a block's units are those of
/// the first lane, then those of the next one, each lane's side by side.
struct alignas(8) Unit {
  std::uint32_t quads;  ///< from the place of the strip's first row, in fours of elements
  float scale;          ///< 0 where the bank has ended
};

/// That of the bank's unit `of`.
__device__ __forceinline__ Unit unitOf(const TensorArguments& a, int of) {
  const int filter = of / a.layout.rowStep;
  const int row = of % a.layout.rowStep;
  const std::ptrdiff_t plane = a.base.combine == Combine::None ? filter * a.base.dst.planeStride : 0;
  return {static_cast<std::uint32_t>((plane + row * a.base.dst.stride) / 4),
          filter < a.base.filterCount ? __ldg(a.scales + filter) : 0.0f};
}

/// Calls `use(eight, the lane's unit of it)`. `own`: the lane's first unit. Read two at a time.
template <class S, class Use>
__device__ __forceinline__ void forUnits(const Unit* own, Use&& use) {
  struct alignas(16) Pair {
    Unit unit[2];
  };
#pragma unroll
  for (int j = 0; j < S::eights; j += 2) {
    const Pair pair = *reinterpret_cast<const Pair*>(own + j);
    use(j, pair.unit[0]);
    if (j + 1 < S::eights) use(j + 1, pair.unit[1]);
  }
}

/// What a lane holds: results of two groups, 8 apart, two neighbouring ones each. Of eight columns of taps it
/// has two, those of unit `unit` of `unitsOfEight`.
struct LanePlace {
  int column;  ///< of the first result, from the first group of the warpgroup's 64
  int unit;
  LanePlace() = default;
  __device__ __forceinline__ LanePlace(int thread, int shiftsLog2) {
    const int lane = thread % 32;
    const int pair = 2 * (lane % 4);
    column = ((thread / 32 * 16 + lane / 4) << shiftsLog2) + (pair & ((1 << shiftsLog2) - 1));
    unit = pair >> shiftsLog2;
  }
};

/// Groups of two: a store is taken in line by line, and eight lanes side by side hold pieces of four units.
/// So lanes trade: of the two groups that a lane has of its unit it keeps one and gives the other to the lane
/// that has the unit beside it, and each stores one group of either unit.
struct Trade {
  __device__ __forceinline__ explicit Trade(int thread) : odd_((thread & 1) != 0) {}
  /// Of the unit that comes first, from the lane's own.
  __device__ __forceinline__ int unit() const { return odd_ ? -1 : 0; }
  /// Of the group that the lane stores, from its first one.
  __device__ __forceinline__ int column() const { return odd_ ? 16 : 0; }
  /// Of one unit two groups become of one group two units.
  __device__ __forceinline__ void trade(float (&value)[4]) const {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float kept = odd_ ? value[2 + i] : value[i];
      const float taken = __shfl_xor_sync(~0u, odd_ ? value[i] : value[2 + i], 1);
      value[i] = odd_ ? taken : kept;
      value[2 + i] = odd_ ? kept : taken;
    }
  }

 private:
  bool odd_;
};

/// Whether a lane's two groups lie in the region; the column behind an odd width counts, since rows of
/// results begin at whole vectors.
template <class S>
struct Inside {
  bool first, second;
  __device__ __forceinline__ Inside(int x, int apart, int width)
      : first(!S::asksLanes || static_cast<unsigned>(x) < static_cast<unsigned>(width)),
        second(!S::asksLanes || static_cast<unsigned>(x + apart) < static_cast<unsigned>(width)) {}
};

/// Every response of rows that lie in the region, to f32. `own`: the lane's units, `place`: its first
/// result's from the image's first one on. Issue slots are short: one multiplication for the place of both
/// groups.
template <class S>
__device__ __forceinline__ void writeWhole(const float (&value)[S::values], const Unit* own, float pixelScale,
                                           float* place, Inside<S> inside, int shiftsLog2, int thread) {
  auto* first = reinterpret_cast<char*>(place);
  keepAddress(first);
  const auto placeOf = [&](const Unit& unit) {
    return reinterpret_cast<float*>(first + std::uint64_t{unit.quads} * 16);
  };
  const auto storeScaled = [&](float* at, float one, float other, float unitScale) {
    const float scale = unitScale * pixelScale;
    storeTwo(at, one * scale, other * scale);
  };
  const auto write = [&](auto log2) {
    if constexpr (log2.value == 1) {
      const Trade trade(thread);
      constexpr int nextLane = TensorLayout::unitsApart(S::eights);
      own += trade.unit() * nextLane;
      first += trade.column() * 4;
      keepAddress(first);
      const bool stored = trade.unit() == 0 ? inside.first : inside.second;
      forUnits<S>(own, [&](int j, Unit one) {
        float mine[4] = {value[4 * j], value[4 * j + 1], value[4 * j + 2], value[4 * j + 3]};
        trade.trade(mine);
        const Unit other = own[nextLane + j];
        if (stored && one.scale != 0.0f) storeScaled(placeOf(one), mine[0], mine[1], one.scale);
        if (stored && other.scale != 0.0f) storeScaled(placeOf(other), mine[2], mine[3], other.scale);
      });
    } else {
      forUnits<S>(own, [&](int j, Unit unit) {
        if (unit.scale == 0.0f) return;
        float* const at = placeOf(unit);
        if (inside.first) storeScaled(at, value[4 * j], value[4 * j + 1], unit.scale);
        if (inside.second)
          storeScaled(at + (8 << log2.value), value[4 * j + 2], value[4 * j + 3], unit.scale);
      });
    }
  };
  switch (shiftsLog2) {
    case 1: return write(std::integral_constant<int, 1>{});
    case 2: return write(std::integral_constant<int, 2>{});
    default: return write(std::integral_constant<int, 3>{});
  }
}

/// Every response written, or the one response of a bank of one filter as its combine has it. (x0, y): the
/// strip's first result; it may lie left of and above the region. `units`: of the block of taps, the first of
/// them `firstUnit` of the bank. `whole`: every row (unless S::asksLanes every column too) lies in the region
/// and results begin at even columns; the same for all lanes.
template <class S>
__device__ __forceinline__ void writeResults(const TensorArguments& arguments,
                                             const float (&value)[S::values], const Unit* units,
                                             int firstUnit, float pixelScale, int x0, int y, bool whole,
                                             int thread) {
  const KernelArguments& a = arguments.base;
  const int shiftsLog2 = arguments.layout.shiftsLog2;
  const LanePlace lane(thread, shiftsLog2);
  const int x = x0 + lane.column;
  const int apart = 8 << shiftsLog2;
  const std::ptrdiff_t place = y * a.dst.stride + x;
  const Inside<S> inside(x, apart, a.width);
  if (whole && a.dst.type == ElementType::F32) {
    writeWhole<S>(value, units + lane.unit * TensorLayout::unitsApart(S::eights), pixelScale,
                  static_cast<float*>(a.dst.pixels) + place, inside, shiftsLog2, thread);
    return;
  }
  units += lane.unit * TensorLayout::unitsApart(S::eights);
  if (whole) {
    // A loop like the one below: both in one spill registers, by a branch or by a function for their body.
#pragma unroll
    for (int j = 0; j < S::eights; ++j) {
      const Unit unit = units[j];
      if (unit.scale == 0.0f) continue;
      const float scale = unit.scale * pixelScale;
      const std::ptrdiff_t at = place + std::int64_t{unit.quads} * 4;
      if (inside.first) storeTwo(a.dst, at, value[4 * j] * scale, value[4 * j + 1] * scale);
      if (inside.second) storeTwo(a.dst, at + apart, value[4 * j + 2] * scale, value[4 * j + 3] * scale);
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < S::eights; ++j) {
    const Unit unit = units[j];
    if (unit.scale == 0.0f) continue;
    const float scale = unit.scale * pixelScale;
    const std::ptrdiff_t at = place + std::int64_t{unit.quads} * 4;
    const int row =
        y + (firstUnit + lane.unit + j * arguments.layout.unitsOfEight()) % arguments.layout.rowStep;
    if (row < 0 || row >= a.height) continue;
#pragma unroll
    for (int group = 0; group < 2; ++group) {
      float pair[2] = {value[4 * j + 2 * group] * scale, value[4 * j + 2 * group + 1] * scale};
      if (a.combine != Combine::None) {
#pragma unroll
        for (float& r : pair) r = combineFinish(a.combine, combineFirst(a.combine, r), 1);
      }
      const int column = x + group * apart;
      storePair(a.dst, at + group * apart, column, a.width, pair[0], pair[1]);
      if (a.combine != Combine::ArgMax) continue;
#pragma unroll
      for (int k = 0; k < 2; ++k)
        if (column + k >= 0 && column + k < a.width) a.dst.index[at + group * apart + k] = 0;
    }
  }
}

}  // namespace bankside::cuda
