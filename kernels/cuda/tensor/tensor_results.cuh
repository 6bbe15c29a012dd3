/// From the sums of the tensor cores to results: each lane writes what it holds, two neighbouring pixels at a
/// time.
#pragma once

#include "kernels/cuda/pixel_io.cuh"
#include "kernels/cuda/result_sink.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Where the results of one filter in one row of a strip go.
struct alignas(16) Unit {
  static constexpr int none = 1 << 30;
  std::ptrdiff_t offset;  ///< elements from the place of the strip's first row
  float scale;
  int row;  ///< of the strip; `none` where the bank has ended
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

/// Two neighbouring results at an even place, rounded as the element type has it.
__device__ __forceinline__ void storeTwo(float* at, float first, float second) {
  __stcs(reinterpret_cast<float2*>(at), make_float2(first, second));
}
__device__ __forceinline__ void storeTwo(std::uint8_t* at, float first, float second) {
  __stcs(reinterpret_cast<unsigned short*>(at),
         static_cast<unsigned short>(packBytes(first, second, 0.0f, 0.0f)));
}
__device__ __forceinline__ void storeTwo(std::uint16_t* at, float first, float second) {
  __stcs(reinterpret_cast<std::uint32_t*>(at), packWords(first, second));
}
__device__ __forceinline__ void storeTwo(__half* at, float first, float second) {
  __stcs(reinterpret_cast<std::uint32_t*>(at), toHalfBits(first) | toHalfBits(second) << 16);
}

__device__ __forceinline__ void storeTwo(const KernelArguments& a, std::ptrdiff_t offset, float first,
                                         float second) {
  visitElement(a.dst.type, [&](auto element) {
    storeTwo(static_cast<decltype(element)*>(a.dst.pixels) + offset, first, second);
  });
}

/// Results (x, .) and (x + 1, .), `offset` elements from the first result, those inside the region.
__device__ __forceinline__ void storePair(const KernelArguments& a, std::ptrdiff_t offset, int x, float first,
                                          float second) {
  if ((x & 1) == 0 && x >= 0 && x + 1 < a.width) {
    storeTwo(a, offset, first, second);
    return;
  }
  const float one[4] = {first, 0.0f, 0.0f, 0.0f};
  const float other[4] = {second, 0.0f, 0.0f, 0.0f};
  if (x >= 0 && x < a.width) storeRun(a.dst.pixels, a.dst.type, offset, 1, one);
  if (x + 1 >= 0 && x + 1 < a.width) storeRun(a.dst.pixels, a.dst.type, offset + 1, 1, other);
}

/// Every response written, or the one response of a bank of one filter as its combine has it. (x0, y): the
/// strip's first result; it may lie left of and above the region.
template <class S>
__device__ __forceinline__ void writeResults(const TensorArguments& arguments,
                                             const float (&value)[S::values], const Unit* units,
                                             float pixelScale, int x0, int y, int thread) {
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
        if (unit.row != Unit::none) {
          store(unit.offset, value[4 * j] * scale, value[4 * j + 1] * scale);
          store(unit.offset + apart, value[4 * j + 2] * scale, value[4 * j + 3] * scale);
        }
      }
    };
    if (a.dst.type == ElementType::F32) {
      float* const out = static_cast<float*>(a.dst.pixels) + place;
      write([&](std::ptrdiff_t at, float first, float second) { storeTwo(out + at, first, second); });
    } else {
      write([&](std::ptrdiff_t at, float first, float second) { storeTwo(a, place + at, first, second); });
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < S::eights; ++j, units += each) {
    const Unit unit = *units;
    const int row = y + unit.row;
    if (unit.row == Unit::none || row < 0 || row >= a.height) continue;
    const float scale = unit.scale * pixelScale;
#pragma unroll
    for (int group = 0; group < 2; ++group) {
      float pair[2] = {value[4 * j + 2 * group] * scale, value[4 * j + 2 * group + 1] * scale};
      if (a.combine != Combine::None) {
#pragma unroll
        for (float& r : pair) r = combineFinish(a.combine, combineFirst(a.combine, r), 1);
      }
      const int column = x + group * apart;
      const std::ptrdiff_t at = place + unit.offset + group * apart;
      storePair(a, at, column, pair[0], pair[1]);
      if (a.combine != Combine::ArgMax) continue;
#pragma unroll
      for (int k = 0; k < 2; ++k)
        if (column + k >= 0 && column + k < a.width) a.dst.index[at + k] = 0;
    }
  }
}

}  // namespace bankside::cuda
