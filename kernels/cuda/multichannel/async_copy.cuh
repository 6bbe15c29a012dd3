/// Copies from global to shared memory that go on while threads compute, and the tile's pixels they fetch.
#pragma once

#include "kernels/cuda/multichannel/block_shape.h"
#include "kernels/cuda/stage_tile.cuh"

namespace bankside::cuda {

__device__ __forceinline__ void copyWordAsync(float* to, const float* from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from));
}
__device__ __forceinline__ void copyUnitAsync(float* to, const float* from) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from));
}
__device__ __forceinline__ void closeGroup() { asm volatile("cp.async.commit_group;"); }
template <int pending>
__device__ __forceinline__ void waitForGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending));
}

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
