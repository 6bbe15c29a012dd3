/// A tile with its halo from global to shared memory, as f32, border resolved on the way: no padded copy.
#pragma once

#include "kernels/cuda/pixel_io.cuh"

namespace bankside::cuda {

/// Fills `rows` x `columns` floats at `tile`; the top left one is image pixel (x0, y0). Warps take rows,
/// lanes neighbouring columns; away from the left and right edges no column needs the border rule.
__device__ __forceinline__ void stageTile(const KernelArguments& a, float* tile, int stride, int columns,
                                          int rows, bool skewed, int x0, int y0) {
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool inside = x0 >= 0 && x0 + columns <= a.src.width;
  visitElement(a.src.type, [&](auto element) {
    using T = decltype(element);
#pragma unroll 1
    for (int r = static_cast<int>(threadIdx.x) / 32; r < rows; r += warps) {
      float* to = tile + r * stride;
      const int row = bufferRow(y0 + r, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
      const T* from = static_cast<const T*>(a.src.pixels) + row * a.src.stride;
      if (row < 0) {
#pragma unroll 1
        for (int c = lane; c < columns; c += 32) to[skewedColumn(c, skewed)] = a.border.value;
      } else if (inside) {
        from += x0;
#pragma unroll 4
        for (int c = lane; c < columns; c += 32) to[skewedColumn(c, skewed)] = asFloat(from[c]);
      } else {
#pragma unroll 1
        for (int c = lane; c < columns; c += 32) {
          const int x = borderIndex(x0 + c, a.src.width, a.border.kind);
          to[skewedColumn(c, skewed)] = x < 0 ? a.border.value : asFloat(from[x]);
        }
      }
    }
  });
}

/// The window of one thread in the tile's row `row` below `unit`.
template <TileShape shape>
__device__ __forceinline__ void readWindow(const float* const (&unit)[3], int row,
                                           float (&window)[4 * shape.windowUnits()]) {
#pragma unroll
  for (int j = 0; j < shape.windowUnits(); ++j) {
    const float4 v = *reinterpret_cast<const float4*>(unit[j / 2] + row * shape.stride() + j % 2 * 4);
    window[4 * j] = v.x;
    window[4 * j + 1] = v.y;
    window[4 * j + 2] = v.z;
    window[4 * j + 3] = v.w;
  }
}

}  // namespace bankside::cuda
