/// The form for everything that is not compiled: any filter size known at run time only, any number of taps.
///
/// The tile form with the tap columns in a loop of four and taps from global memory (broadcast through the
/// L1).
#pragma once

#include "kernels/cuda/any_size_shape.h"
#include "kernels/cuda/result_sink.cuh"
#include "kernels/cuda/stage_tile.cuh"

namespace bankside::cuda {

template <int last>
__device__ __forceinline__ void addColumns(const float* taps, const float4& left, const float4& right,
                                           float (&sum)[4]) {
  const float window[8] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
  for (int kx = 0; kx < last; ++kx) {
    const float tap = __ldg(taps + kx);
#pragma unroll
    for (int p = 0; p < 4; ++p) sum[p] = __fmaf_rn(tap, window[p + kx], sum[p]);
  }
}

template <Fused fused>
__global__ void __launch_bounds__(256, 2) anySizeKernel(const __grid_constant__ KernelArguments a) {
  using Shape = AnySizeShape;
  extern __shared__ float4 tileUnits[];
  const int stride = Shape::stride(a.filterWidth);
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * Shape::tileWidth;
  const int firstY = place.tileY * Shape::tileHeight;
  stageTile<256, 4>(a, reinterpret_cast<float*>(tileUnits), stride, stride,
                    min(Shape::tileHeight, a.height - firstY) + a.filterHeight - 1, false,
                    a.x + firstX - a.anchorX, a.y + firstY - a.anchorY);
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = static_cast<int>(threadIdx.x) / 32;
  const int x = firstX + lane * Shape::pixels;
  const int y = firstY + group * Shape::rows;
  if (x >= a.width || y >= a.height) return;

  const int begin = place.firstFilter;
  ResultSink<Shape::rows, Shape::pixels, fused> sink(a, begin, x, y);
  const int end = place.endFilter;
  const int tapsEach = passStride(a.filterHeight * a.filterWidth, 1);
#pragma unroll 1
  for (int filter = begin; filter < end; ++filter) {
    float sum[Shape::rows][Shape::pixels] = {};
    const float* taps = a.taps + static_cast<std::ptrdiff_t>(filter) * tapsEach;
#pragma unroll 1
    for (int ky = 0; ky < a.filterHeight; ++ky, taps += a.filterWidth) {
      const float4* row = tileUnits + (group * Shape::rows + ky) * (stride / 4) + lane;
      float4 left[Shape::rows];
#pragma unroll
      for (int r = 0; r < Shape::rows; ++r) left[r] = row[r * (stride / 4)];
#pragma unroll 1
      for (int kx = 0; kx < a.filterWidth; kx += 4) {
        ++row;
#pragma unroll
        for (int r = 0; r < Shape::rows; ++r) {
          const float4 right = row[r * (stride / 4)];
          switch (a.filterWidth - kx) {
            case 1: addColumns<1>(taps + kx, left[r], right, sum[r]); break;
            case 2: addColumns<2>(taps + kx, left[r], right, sum[r]); break;
            case 3: addColumns<3>(taps + kx, left[r], right, sum[r]); break;
            default: addColumns<4>(taps + kx, left[r], right, sum[r]);
          }
          left[r] = right;
        }
      }
    }
    sink.take(a, filter, x, y, sum);
  }
  sink.finish(a, x, y);
}

}  // namespace bankside::cuda
