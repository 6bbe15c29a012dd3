/// The form for everything that is not compiled: any filter size known at run time only, any number of taps.
///
/// Sums stay, the source moves (accumulator-stationary): a thread keeps 4 rows of one or two units of 4
/// pixels, and every row of the tile is read once for all of them, four tap columns at a time. Taps come from
/// global memory, four at once, the same for all lanes.
#pragma once

#include "kernels/cuda/device/code_for.cuh"
#include "kernels/cuda/device/warp_vote.cuh"
#include "kernels/cuda/pixels/mark_fallback.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"
#include "kernels/cuda/single_channel/any_size_shape.h"

namespace bankside::cuda {

/// One row of the tile and `columns` columns of taps, those of output row r at `taps` - r * `tapStride`.
/// `guarded`: rows below `from` and from `end` on have no taps for this row of the tile.
template <int columns, bool guarded, int units>
__device__ __forceinline__ void addColumns(const float* taps, int tapStride, int from, int end,
                                           const float4 (&left)[units], const float4 (&right)[units],
                                           float (&sum)[units][AnySizeShape::rows][4]) {
#pragma unroll
  for (int r = 0; r < AnySizeShape::rows; ++r, taps -= tapStride) {
    if (guarded && (r < from || r >= end)) continue;
    const float4 four = __ldg(reinterpret_cast<const float4*>(taps));
    const float tap[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int u = 0; u < units; ++u) {
      const float window[8] = {left[u].x,  left[u].y,  left[u].z,  left[u].w,
                               right[u].x, right[u].y, right[u].z, right[u].w};
#pragma unroll
      for (int kx = 0; kx < columns; ++kx)
#pragma unroll
        for (int p = 0; p < 4; ++p) sum[u][r][p] = __fmaf_rn(tap[kx], window[p + kx], sum[u][r][p]);
    }
  }
}

/// One row of the tile, from `row` on, all columns of taps.
template <bool guarded, int units>
__device__ __forceinline__ void addRow(const float* taps, int tapStride, int filterWidth, int from, int end,
                                       const float4* row, float (&sum)[units][AnySizeShape::rows][4]) {
  float4 left[units], right[units];
#pragma unroll
  for (int u = 0; u < units; ++u) left[u] = row[u * 32];
  int kx = 0;
#pragma unroll 1
  for (; kx + 4 <= filterWidth; kx += 4, taps += 4) {
    ++row;
#pragma unroll
    for (int u = 0; u < units; ++u) right[u] = row[u * 32];
    addColumns<4, guarded, units>(taps, tapStride, from, end, left, right, sum);
#pragma unroll
    for (int u = 0; u < units; ++u) left[u] = right[u];
  }
  if (kx == filterWidth) return;
  ++row;
#pragma unroll
  for (int u = 0; u < units; ++u) right[u] = row[u * 32];
  switch (filterWidth - kx) {
    case 1: return addColumns<1, guarded, units>(taps, tapStride, from, end, left, right, sum);
    case 2: return addColumns<2, guarded, units>(taps, tapStride, from, end, left, right, sum);
    default: return addColumns<3, guarded, units>(taps, tapStride, from, end, left, right, sum);
  }
}

/// All taps of a filter over one plane: the thread's rows of the tile begin at `row`.
template <int units>
__device__ __forceinline__ void addPlane(const float* taps, int filterWidth, int filterHeight,
                                         const float4* row, int stride,
                                         float (&sum)[units][AnySizeShape::rows][4]) {
  constexpr int rows = AnySizeShape::rows;
  const int tapStride = AnySizeShape::tapStride(filterWidth);
#pragma unroll 1
  for (int j = 0; j < filterHeight + rows - 1; ++j, taps += tapStride, row += stride / 4) {
    // Output row r meets tap row j - r.
    if (j >= rows - 1 && j < filterHeight) {
      addRow<false, units>(taps, tapStride, filterWidth, 0, rows, row, sum);
    } else {
      addRow<true, units>(taps, tapStride, filterWidth, j - filterHeight + 1, j + 1, row, sum);
    }
  }
}

/// Whether one of a thread's results meets a number with its first tap. The others are NaN.
template <int units>
__device__ __forceinline__ bool meetNumber(const float4* row, int stride) {
  bool any = false;
#pragma unroll
  for (int r = 0; r < AnySizeShape::rows; ++r, row += stride / 4) {
#pragma unroll
    for (int u = 0; u < units; ++u) {
      const float4 four = row[u * 32];
      any = any || four.x == four.x || four.y == four.y || four.z == four.z || four.w == four.w;
    }
  }
  return any;
}

template <Fused fused, int units>
__global__ void __launch_bounds__(256, blocksTogether(2, 256, codeFor <= 80))
    anySizeKernel(const __grid_constant__ KernelArguments a) {
  using Shape = AnySizeShape;
  constexpr int rows = Shape::rows;
  extern __shared__ float4 tileUnits[];
  const int stride = Shape::stride(units, a.filterWidth);
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * units * Shape::unitWidth;
  const int firstY = place.tileY * Shape::tileHeight;
  if (!wantedAndLeft(a, firstX, firstY, units * Shape::unitWidth, Shape::tileHeight, gridDim.x * gridDim.y))
    return;
  stageTile<(units + 1) * 128, 4 / units>(a, reinterpret_cast<float*>(tileUnits), stride, stride,
                                          min(Shape::tileHeight, a.height - firstY) + a.filterHeight - 1,
                                          false, a.x + firstX - a.anchorX, a.y + firstY - a.anchorY);
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = static_cast<int>(threadIdx.x) / 32;
  const int x = firstX + lane * Shape::unitPixels;
  const int y = firstY + group * rows;
  const bool inside = x < a.width && y < a.height;
  const float4* const top = tileUnits + group * rows * (stride / 4) + lane;
  // Masks of NaN come here from faster kernels: where a warp's results are NaN, one tap row says so.
  int tapRows = a.filterHeight;
  if (a.fallback.words != nullptr && votesOfWarp(inside && meetNumber<units>(top, stride)) == 0) tapRows = 1;
  if (!inside) return;

  using Sink = ResultSink<rows, Shape::unitPixels, fused>;
  const int begin = place.firstFilter;
  Sink first(a, begin, x, y);
  Sink second(a, begin, x + Shape::unitWidth, y);
  const bool both = units > 1 && x + Shape::unitWidth < a.width;
  const int tapStride = Shape::tapStride(a.filterWidth);
#pragma unroll 1
  for (int filter = begin; filter < place.endFilter; ++filter) {
    float sum[units][rows][4] = {};
    addPlane<units>(a.taps + static_cast<std::ptrdiff_t>(filter) * a.filterHeight * tapStride, a.filterWidth,
                    tapRows, top, stride, sum);
    first.take(a, filter, x, y, sum[0]);
    if (both) second.take(a, filter, x + Shape::unitWidth, y, sum[units - 1]);
  }
  first.finish(a, x, y);
  if (both) second.finish(a, x + Shape::unitWidth, y);
}

}  // namespace bankside::cuda
