/// A result pixel in f32, tap by tap: where a faster way cannot hold the pixels (NaN, infinities).
#pragma once

#include "kernels/cuda/pixels/fused_combine.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

// Without edgeIndex, which calls a function: registers that outlive a call would be spilled.

/// The row of the buffer that tap row 0 meets at result row y; negative: the border's value.
__device__ __forceinline__ int rowAt(const KernelArguments& a, int y) {
  return bufferRow(a.y + y - a.anchorY, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
}

/// The pixel of such a row that tap column 0 meets at result column x.
__device__ __forceinline__ float pixelOf(const KernelArguments& a, int row, int x) {
  const int column = borderIndex(a.x + x - a.anchorX, a.src.width, a.border.kind);
  if (row < 0 || column < 0) return a.border.value;
  const std::ptrdiff_t at = row * a.src.stride + column;
  float pixel = 0.0f;
  visitElement(a.src.type, [&](auto element) {
    pixel = asFloat(__ldg(static_cast<const decltype(element)*>(a.src.pixels) + at));
  });
  return pixel;
}

/// Writes result pixel (x, y) of filters [begin, end), all of them where they are combined; `sumOf(filter)`.
template <class SumOf>
__device__ __forceinline__ void writePixel(const KernelArguments& a, int x, int y, int begin, int end,
                                           SumOf&& sumOf) {
  const std::ptrdiff_t offset = y * a.dst.stride + x;
  const bool combined = a.combine != Combine::None;
  float value[4] = {};
  std::uint32_t index[4] = {};
#pragma unroll 1
  for (int f = begin; f < end; ++f) {
    const float sum = sumOf(f);
    if (!combined || f == 0) {
      value[0] = combineFirst(a.combine, sum);
    } else if (a.combine == Combine::ArgMax) {
      keepLarger(value[0], index[0], sum, f);
    } else {
      withRule(a.combine, [&](const auto& rule) { value[0] = rule(value[0], sum); });
    }
    if (combined && f + 1 < end) continue;
    if (combined) value[0] = combineFinish(a.combine, value[0], a.filterCount);
    storeRun(a.dst.pixels, a.dst.type, (combined ? 0 : f * a.dst.planeStride) + offset, 1, value);
  }
  if (a.combine == Combine::ArgMax) storeIndices(a.dst.index, offset, 1, index);
}

/// Result pixel (x, y) of all filters, one fused multiply-add a tap in direct order. Slow and rare.
__device__ __forceinline__ void directPixel(const KernelArguments& a, int x, int y) {
  const float* tap = a.taps;
  writePixel(a, x, y, 0, a.filterCount, [&](int) {
    float sum = 0.0f;
#pragma unroll 1
    for (int ky = 0; ky < a.filterHeight; ++ky) {
      const int row = rowAt(a, y + ky);
#pragma unroll 1
      for (int kx = 0; kx < a.filterWidth; ++kx, ++tap)
        sum = __fmaf_rn(__ldg(tap), pixelOf(a, row, x + kx), sum);
    }
    return sum;
  });
}

}  // namespace bankside::cuda
