/// Marking what is left to the direct kernel, and looking it up.
#pragma once

#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// Cells beside the map count as its outermost ones.
__device__ __forceinline__ void markCell(const FallbackMap& map, int column, int row) {
  column = min(max(column, 0), map.columns - 1);
  row = min(max(row, 0), map.rows - 1);
  map.words[0] = map.launch;
  map.words[FallbackMap::head + static_cast<std::ptrdiff_t>(row) * map.columns + column] = map.launch;
}

/// Window pixels [x, x + count) of row y, 32 at most.
__device__ __forceinline__ void markPixels(const FallbackMap& map, int x, int y, int count) {
  const int row = y >> FallbackMap::cellHeightLog2;
  markCell(map, x >> FallbackMap::cellWidthLog2, row);
  markCell(map, (x + count - 1) >> FallbackMap::cellWidthLog2, row);
}

/// The windows of results [x, x + width) x [y, y + height), by `threads` threads. Out of line: rare, and it
/// shall cost the others no register.
__device__ __noinline__ inline void markResults(const KernelArguments& a, int x, int y, int width, int height,
                                                int thread, int threads) {
  const FallbackMap& map = a.fallback;
  const int column = x >> FallbackMap::cellWidthLog2;
  const int row = y >> FallbackMap::cellHeightLog2;
  const int columns = ((x + width - 1) >> FallbackMap::cellWidthLog2) - column + 1;
  const int rows = ((y + height - 1) >> FallbackMap::cellHeightLog2) - row + 1;
#pragma unroll 1
  for (int i = thread; i < columns * rows; i += threads)
    markCell(map, column + i % columns, row + i / columns);
}

/// Whether a block has to make results [x, x + width) x [y, y + height): always where there is no map. The
/// same for all threads; called by all.
__device__ __forceinline__ bool wanted(const KernelArguments& a, int x, int y, int width, int height) {
  const FallbackMap& map = a.fallback;
  if (map.words == nullptr) return true;
  if (__ldg(map.words) != map.launch) return false;
  const int column = x >> FallbackMap::cellWidthLog2;
  const int row = y >> FallbackMap::cellHeightLog2;
  const int columns =
      ((min(x + width, a.width) + a.filterWidth - 2) >> FallbackMap::cellWidthLog2) - column + 1;
  const int rows =
      ((min(y + height, a.height) + a.filterHeight - 2) >> FallbackMap::cellHeightLog2) - row + 1;
  const std::uint32_t* const cells =
      map.words + FallbackMap::head + static_cast<std::ptrdiff_t>(row) * map.columns + column;
  bool any = false;
  for (int i = static_cast<int>(threadIdx.x); i < columns * rows; i += static_cast<int>(blockDim.x))
    any = any ||
          __ldg(cells + static_cast<std::ptrdiff_t>(i / columns) * map.columns + i % columns) == map.launch;
  return __syncthreads_or(any ? 1 : 0) != 0;
}

/// By each block that has looked at a marked map. The one that makes it `looks` clears the map.
__device__ __noinline__ inline void leaveMap(const FallbackMap& map, unsigned looks) {
  const bool last = threadIdx.x == 0 && atomicAdd(map.words + 1, 1u) + 1 == looks;
  if (__syncthreads_or(last ? 1 : 0) == 0) return;
  for (int i = static_cast<int>(threadIdx.x); i < map.columns * map.rows; i += static_cast<int>(blockDim.x))
    map.words[FallbackMap::head + i] = 0;
  if (threadIdx.x < 2) map.words[threadIdx.x] = 0;
}

/// `wanted` for a kernel that asks so many times in all, and clears the map that wants it.
__device__ __forceinline__ bool wantedAndLeft(const KernelArguments& a, int x, int y, int width, int height,
                                              unsigned looks) {
  const FallbackMap& map = a.fallback;
  // All of this block look before it counts itself: behind that, another block may clear the map.
  if (map.words == nullptr) return true;
  if (__ldg(map.words) != map.launch) return false;
  const bool any = wanted(a, x, y, width, height);
  if (map.clearedBehind) leaveMap(map, looks);
  return any;
}

}  // namespace bankside::cuda
