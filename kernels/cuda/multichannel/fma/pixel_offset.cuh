/// Which pixels of a channel a tile with its halo has.
#pragma once

#include "kernels/cuda/multichannel/fma/block_shape.h"
#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

/// The offset of a tile's pixel within a channel; negative: the border's value (-1), or no pixel at all (-2).
/// `columns`: of the tile with its halo. `rows`: of the result that the tile has still to make; the source
/// may end with what they need.
__device__ __forceinline__ int pixelOffset(const KernelArguments& a, int row, int column, int columns, int x0,
                                           int y0, int rows) {
  if (column >= columns || row >= rows + a.filterHeight - 1) return -2;
  const int x = edgeIndex(x0 + column, a.src.width, a.border.kind);
  const int y = edgeRow(y0 + row, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
  return x < 0 || y < 0 ? -1 : y * static_cast<int>(a.src.stride) + x;
}

}  // namespace bankside::cuda
