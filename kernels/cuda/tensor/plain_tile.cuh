/// A tile in f32, pixel by pixel: where half precision cannot hold the pixels (NaN, infinities).
#pragma once

#include "kernels/cuda/pixels/direct_pixel.cuh"

namespace bankside::cuda {

/// Result pixels [x0, x0 + width) x [y0, y0 + rows), from global memory, by `threads` threads.
__device__ __noinline__ inline void plainTile(const KernelArguments& a, int x0, int y0, int width, int rows,
                                              int thread, int threads) {
#pragma unroll 1
  for (int i = thread; i < width * rows; i += threads) {
    const int x = x0 + i % width;
    const int y = y0 + i / width;
    if (x >= 0 && y >= 0 && x < a.width && y < a.height) directPixel(a, x, y);
  }
}

}  // namespace bankside::cuda
