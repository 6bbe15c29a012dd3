/// A tile in f32, pixel by pixel: where half precision cannot hold the pixels (NaN, infinities).
#pragma once

#include "kernels/cuda/direct_pixel.cuh"

namespace bankside::cuda {

/// Result pixels [x0, x0 + width) x [y0, y0 + rows), from global memory.
template <int threads, int width>
__device__ __noinline__ void plainTile(const KernelArguments& a, int x0, int y0, int rows) {
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < width * rows; i += threads) {
    const int x = x0 + i % width;
    const int y = y0 + i / width;
    if (x >= 0 && y >= 0 && x < a.width && y < a.height) directPixel(a, x, y);
  }
}

}  // namespace bankside::cuda
