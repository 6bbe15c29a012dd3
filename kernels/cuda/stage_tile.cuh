/// A tile with its halo from global to shared memory, as f32, border resolved on the way: no padded copy.
#pragma once

#include "kernels/cuda/pixel_io.cuh"

namespace bankside::cuda {

/// Fills `rows` x `columns` floats at `tile`; the top left one is image pixel (x0, y0). Warps take rows, four
/// of them at a time with all their columns on the way together: what counts here is how many loads wait at
/// once. Away from the left and right edges no column needs the border rule. `mostColumns` bounds `columns`.
template <int mostColumns>
__device__ __forceinline__ void stageTile(const KernelArguments& a, float* tile, int stride, int columns,
                                          int rows, bool skewed, int x0, int y0) {
  constexpr int atOnce = 4;
  constexpr int steps = ceilDiv(mostColumns, 32);
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool inside = x0 >= 0 && x0 + columns <= a.src.width;
  visitElement(a.src.type, [&](auto element) {
    using T = decltype(element);
    const T* pixels = static_cast<const T*>(a.src.pixels);
#pragma unroll 1
    for (int first = warp * atOnce; first < rows; first += warps * atOnce) {
      int row[atOnce];
#pragma unroll
      for (int i = 0; i < atOnce; ++i) {
        row[i] = bufferRow(y0 + min(first + i, rows - 1), a.src.imageHeight, a.border.kind,
                           a.src.rowsResolved, a.src.firstRow);
      }
      float* to = tile + first * stride;
      const bool allRows = first + atOnce <= rows && row[0] >= 0 && row[1] >= 0 && row[2] >= 0 && row[3] >= 0;
      if (inside && allRows) {
        T loaded[atOnce][steps];
#pragma unroll
        for (int i = 0; i < atOnce; ++i) {
          const T* from = pixels + row[i] * a.src.stride + x0 + lane;
#pragma unroll
          for (int c = 0; c < steps; ++c)
            if (32 * c + lane < columns) loaded[i][c] = __ldg(from + 32 * c);
        }
#pragma unroll
        for (int i = 0; i < atOnce; ++i)
#pragma unroll
          for (int c = 0; c < steps; ++c)
            if (32 * c + lane < columns)
              to[i * stride + skewedColumn(32 * c + lane, skewed)] = asFloat(loaded[i][c]);
      } else {
#pragma unroll 1
        for (int c = lane; c < columns; c += 32) {
          const int x = borderIndex(x0 + c, a.src.width, a.border.kind);
          const int at = skewedColumn(c, skewed);
#pragma unroll
          for (int i = 0; i < atOnce; ++i) {
            if (first + i < rows) {
              to[i * stride + at] =
                  x < 0 || row[i] < 0 ? a.border.value : asFloat(__ldg(pixels + row[i] * a.src.stride + x));
            }
          }
        }
      }
    }
  });
}

/// The window of one thread in the tile's row `row` below; `unit` points to every second unit.
template <TileShape shape>
__device__ __forceinline__ void readWindow(const float* const (&unit)[3], int row,
                                           float (&window)[4 * shape.windowUnits()]) {
#pragma unroll
  for (int j = 0; j < shape.windowUnits(); ++j) {
    const float* from = shape.skewed() ? unit[j / 2] + j % 2 * 4 : unit[0] + 4 * j;
    const float4 v = *reinterpret_cast<const float4*>(from + row * shape.stride());
    window[4 * j] = v.x;
    window[4 * j + 1] = v.y;
    window[4 * j + 2] = v.z;
    window[4 * j + 3] = v.w;
  }
}

}  // namespace bankside::cuda
