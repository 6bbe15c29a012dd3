/// A tile with its halo from global to shared memory, as f32, border resolved on the way: no padded copy.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/keep_address.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// Most rows and columns need no rule; the others are few and kept out of line, so that the code stays short.
__device__ __noinline__ inline int resolveIndex(int i, int n, BorderKind kind) {
  return borderIndex(i, n, kind);
}
__device__ __forceinline__ int edgeIndex(int i, int n, BorderKind kind) {
  return i >= 0 && i < n ? i : resolveIndex(i, n, kind);
}
/// The buffer row of an image row, -1 for the border's value (see bufferRow).
__device__ __forceinline__ int edgeRow(int y, int height, BorderKind kind, bool resolved, int firstRow) {
  if (resolved && kind != BorderKind::Constant) return y - firstRow;
  const int inside = edgeIndex(y, height, kind);
  return inside < 0 ? -1 : inside - firstRow;
}

/// A tile that needs no border rule: every offset in a row is known, so that a pixel costs one instruction
/// (f32) or three. Warps take rows; all of a thread's loads are on the way at once.
template <class T, int columns, bool skewed>
__device__ __forceinline__ void stageInside(const T* from, std::ptrdiff_t fromStride, float* tile, int stride,
                                            int rows) {
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  from += warp * fromStride + lane;
  float* to = tile + warp * stride + lane;
  constexpr int together = std::is_same_v<T, float> ? 1 : 4;
#pragma unroll together
  for (int y = warp; y < rows; y += warps, from += warps * fromStride, to += warps * stride) {
#pragma unroll
    for (int c = 0; c < ceilDiv(columns, 32); ++c) {
      if (32 * c + 32 > columns && lane >= columns - 32 * c) continue;
      float* const place = to + skewedColumn(32 * c, skewed);
      if constexpr (std::is_same_v<T, float>) {
        copyFloat(place, from + 32 * c);
      } else {
        *place = asFloat(__ldg(from + 32 * c));
      }
    }
  }
  if constexpr (std::is_same_v<T, float>) waitForCopies();
}

/// The columns of the image that a lane stages of a tile, resolved once for all rows. -1 is the border's
/// value, -2 no column at all.
template <int steps>
__device__ __forceinline__ void stagedColumns(const KernelArguments& a, int x0, int columns, int lane,
                                              int (&column)[steps]) {
  const bool inside = x0 >= 0 && x0 + columns <= a.src.width;
#pragma unroll
  for (int c = 0; c < steps; ++c) {
    column[c] = x0 + 32 * c + lane;
    if (!inside) column[c] = edgeIndex(column[c], a.src.width, a.border.kind);
    if (32 * c + lane >= columns) column[c] = -2;
  }
}

/// Fills `rows` x `columns` floats at `tile`; the top left one is image pixel (x0, y0). Warps take rows,
/// `atOnce` of them at a time with all their columns on the way together: what counts here is how many loads
/// wait at once. `mostColumns` bounds `columns`. Of the plane that begins `skip` elements behind
/// `a.src.pixels`.
template <int mostColumns, int atOnce>
__device__ __forceinline__ void stageTile(const KernelArguments& a, float* tile, int stride, int columns,
                                          int rows, bool skewed, int x0, int y0, std::ptrdiff_t skip = 0) {
  constexpr int steps = ceilDiv(mostColumns, 32);
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int column[steps];
  stagedColumns(a, x0, columns, lane, column);
  visitElement(a.src.type, [&](auto element) {
    using T = decltype(element);
    const T* pixels = static_cast<const T*>(a.src.pixels) + skip;
    if constexpr (std::is_same_v<T, float>) {
      // Where every place has a pixel, all rows are copied at once, without registers.
      if (!a.border.isConstant()) {
        float* to = tile + static_cast<int>(threadIdx.x) / 32 * stride + lane;
#pragma unroll 1
        for (int y = static_cast<int>(threadIdx.x) / 32; y < rows; y += warps, to += warps * stride) {
          const int row =
              edgeRow(y0 + y, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
          const T* from = pixels + row * a.src.stride;
          keepAddress(from);
#pragma unroll
          for (int c = 0; c < steps; ++c)
            if (column[c] >= 0) copyFloat(to + skewedColumn(32 * c, skewed), from + column[c]);
        }
        waitForCopies();
        return;
      }
    }
#pragma unroll 1
    for (int first = static_cast<int>(threadIdx.x) / 32 * atOnce; first < rows; first += warps * atOnce) {
      int row[atOnce];
#pragma unroll
      for (int i = 0; i < atOnce; ++i) {
        row[i] = edgeRow(y0 + min(first + i, rows - 1), a.src.imageHeight, a.border.kind, a.src.rowsResolved,
                         a.src.firstRow);
      }
      float loaded[atOnce][steps];
#pragma unroll
      for (int i = 0; i < atOnce; ++i) {
        const T* from = pixels + row[i] * a.src.stride;
#pragma unroll
        for (int c = 0; c < steps; ++c)
          loaded[i][c] = row[i] < 0 || column[c] < 0 ? a.border.value : asFloat(__ldg(from + column[c]));
      }
      float* to = tile + first * stride;
#pragma unroll
      for (int i = 0; i < atOnce; ++i)
#pragma unroll
        for (int c = 0; c < steps; ++c)
          if (first + i < rows && column[c] != -2)
            to[i * stride + skewedColumn(32 * c + lane, skewed)] = loaded[i][c];
    }
  });
}

/// Fills the tile of a shape: `rows` rows, the top left pixel is image pixel (x0, y0).
template <TileShape shape>
__device__ __forceinline__ void stageShape(const KernelArguments& a, float* tile, int rows, int x0, int y0) {
  const bool rowsInside =
      a.src.rowsResolved && !a.border.isConstant() ? true : y0 >= 0 && y0 + rows <= a.src.imageHeight;
  if (rowsInside && x0 >= 0 && x0 + shape.stagedColumns() <= a.src.width) {
    visitElement(a.src.type, [&](auto element) {
      using T = decltype(element);
      stageInside<T, shape.stagedColumns(), shape.skewed()>(
          static_cast<const T*>(a.src.pixels) + (y0 - a.src.firstRow) * a.src.stride + x0, a.src.stride, tile,
          shape.stride(), rows);
    });
    return;
  }
  // Shapes for one filter have few registers.
  stageTile<shape.stagedColumns(), shape.filtersPerPass == 1 ? 2 : 4>(
      a, tile, shape.stride(), shape.stagedColumns(), rows, shape.skewed(), x0, y0);
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
