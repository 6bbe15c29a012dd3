/// From the sums of the tensor cores to results: each lane writes what it holds, two neighbouring pixels at a
/// time.
#pragma once

#include "kernels/cuda/result_sink.cuh"
#include "kernels/cuda/store_pairs.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Where the results of one filter in one row of a strip go.
struct alignas(8) Unit {
  std::uint32_t quads;  ///< from the place of the strip's first row, in fours of elements
  float scale;          ///< 0 where the bank has ended
  __device__ __forceinline__ std::ptrdiff_t offset() const { return static_cast<std::ptrdiff_t>(quads) * 4; }
};

/// What a lane holds: results of two groups, 8 apart, two neighbouring ones each. Of eight columns of taps it
/// has two, those of unit `unit` of `unitsOfEight`.
struct LanePlace {
  int column;  ///< of the first result, from the first group of the warpgroup's 64
  int unit;
  __device__ __forceinline__ LanePlace(int thread, int shiftsLog2) {
    const int lane = thread % 32;
    const int pair = 2 * (lane % 4);
    column = ((thread / 32 * 16 + lane / 4) << shiftsLog2) + (pair & ((1 << shiftsLog2) - 1));
    unit = pair >> shiftsLog2;
  }
};

/// Every response written, or the one response of a bank of one filter as its combine has it. (x0, y): the
/// strip's first result; it may lie left of and above the region. `firstUnit` of the bank is the first of
/// `units`.
template <class S>
__device__ __forceinline__ void writeResults(const TensorArguments& arguments,
                                             const float (&value)[S::values], const Unit* units,
                                             int firstUnit, float pixelScale, int x0, int y, int thread) {
  const KernelArguments& a = arguments.base;
  const int shiftsLog2 = arguments.layout.shiftsLog2;
  const int each = arguments.layout.unitsOfEight();
  const LanePlace lane(thread, shiftsLog2);
  const int x = x0 + lane.column;
  const int apart = 8 << shiftsLog2;
  units += lane.unit;
  const std::ptrdiff_t place = y * a.dst.stride + x;
  // Whole runs wherever they are: the same for all lanes.
  if (a.combine == Combine::None && (x0 & 1) == 0 && x0 >= 0 &&
      x0 + (groupsOfProduct << shiftsLog2) <= a.width && y >= 0 && y + arguments.layout.rowStep <= a.height) {
    const auto write = [&](const auto& store) {
#pragma unroll
      for (int j = 0; j < S::eights; ++j, units += each) {
        const Unit unit = *units;
        const float scale = unit.scale * pixelScale;
        if (unit.scale != 0.0f) {
          store(unit.offset(), value[4 * j] * scale, value[4 * j + 1] * scale);
          store(unit.offset() + apart, value[4 * j + 2] * scale, value[4 * j + 3] * scale);
        }
      }
    };
    if (a.dst.type == ElementType::F32) {
      float* const out = static_cast<float*>(a.dst.pixels) + place;
      write([&](std::ptrdiff_t at, float first, float second) { storeTwo(out + at, first, second); });
    } else {
      write(
          [&](std::ptrdiff_t at, float first, float second) { storeTwo(a.dst, place + at, first, second); });
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < S::eights; ++j, units += each) {
    const Unit unit = *units;
    const int row = y + (firstUnit + lane.unit + j * each) % arguments.layout.rowStep;
    if (unit.scale == 0.0f || row < 0 || row >= a.height) continue;
    const float scale = unit.scale * pixelScale;
#pragma unroll
    for (int group = 0; group < 2; ++group) {
      float pair[2] = {value[4 * j + 2 * group] * scale, value[4 * j + 2 * group + 1] * scale};
      if (a.combine != Combine::None) {
#pragma unroll
        for (float& r : pair) r = combineFinish(a.combine, combineFirst(a.combine, r), 1);
      }
      const int column = x + group * apart;
      const std::ptrdiff_t at = place + unit.offset() + group * apart;
      storePair(a.dst, at, column, a.width, pair[0], pair[1]);
      if (a.combine != Combine::ArgMax) continue;
#pragma unroll
      for (int k = 0; k < 2; ++k)
        if (column + k >= 0 && column + k < a.width) a.dst.index[at + k] = 0;
    }
  }
}

}  // namespace bankside::cuda
