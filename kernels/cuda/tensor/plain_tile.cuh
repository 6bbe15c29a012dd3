/// A tile in f32, pixel by pixel: where half precision cannot hold the pixels (NaN, infinities).
#pragma once

#include "kernels/cuda/fused_combine.cuh"
#include "kernels/cuda/stage_tile.cuh"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Result pixels [x0, x0 + width) x [y0, y0 + rows), from global memory, one fused multiply-add a tap in
/// direct order. Slow and rare.
template <int threads, int width>
__device__ __noinline__ void plainTile(const KernelArguments& a, int x0, int y0, int rows) {
  const int taps = a.filterHeight * a.filterWidth;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < width * rows; i += threads) {
    const int x = x0 + i % width;
    const int y = y0 + i / width;
    if (x < 0 || y < 0 || x >= a.width || y >= a.height) continue;
    const std::ptrdiff_t offset = y * a.dst.stride + x;
    float value[4] = {};
    std::uint32_t index[4] = {};
#pragma unroll 1
    for (int f = 0; f < a.filterCount; ++f) {
      float sum[4] = {};
      const float* tap = a.taps + f * taps;
#pragma unroll 1
      for (int ky = 0; ky < a.filterHeight; ++ky) {
        const int row = edgeRow(a.y + y - a.anchorY + ky, a.src.imageHeight, a.border.kind,
                                a.src.rowsResolved, a.src.firstRow);
#pragma unroll 1
        for (int kx = 0; kx < a.filterWidth; ++kx, ++tap) {
          const int column = edgeIndex(a.x + x - a.anchorX + kx, a.src.width, a.border.kind);
          float pixel = a.border.value;
          if (row >= 0 && column >= 0) {
            if (a.src.type == ElementType::F32) {
              pixel = static_cast<const float*>(a.src.pixels)[row * a.src.stride + column];
            } else {
              pixel = __half2float(static_cast<const __half*>(a.src.pixels)[row * a.src.stride + column]);
            }
          }
          sum[0] = __fmaf_rn(*tap, pixel, sum[0]);
        }
      }
      const float r = combineFirst(a.combine, sum[0]);
      const bool absolute = a.combine == Combine::AbsMax;
      if (a.combine == Combine::None) {
        storeRun(a.dst.pixels, a.dst.type, f * a.dst.planeStride + offset, 1, sum);
      } else if (f == 0) {
        value[0] = r;
      } else if (a.combine == Combine::Max || a.combine == Combine::ArgMax || absolute) {
        if (movesOn(absolute ? fabsf(r) : r, absolute ? fabsf(value[0]) : value[0])) {
          value[0] = r;
          index[0] = static_cast<std::uint32_t>(f);
        }
      } else {
        value[0] = __fadd_rn(value[0], r);
      }
    }
    if (a.combine == Combine::None) continue;
    value[0] = combineFinish(a.combine, value[0], a.filterCount);
    storeRun(a.dst.pixels, a.dst.type, offset, 1, value);
    if (a.combine == Combine::ArgMax) storeIndices(a.dst.index, offset, 1, index);
  }
}

}  // namespace bankside::cuda
