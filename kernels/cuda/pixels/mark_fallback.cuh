/// Marking what is left to the direct kernel, and looking it up.
#pragma once

#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

using Mark = FallbackMap::Mark;

/// Cells beside the map count as its outermost ones.
__device__ __forceinline__ void markCell(const FallbackMap& map, int column, int row, Mark mark) {
  column = min(max(column, 0), map.columns - 1);
  row = min(max(row, 0), map.rows - 1);
  map.words[0] = map.launch;
  map.words[map.first(mark) + static_cast<std::ptrdiff_t>(row) * map.columns + column] = map.launch;
}

/// Window pixels [x, x + count) of row y, 32 at most.
__device__ __forceinline__ void markPixels(const FallbackMap& map, int x, int y, int count, Mark mark) {
  const int row = y >> FallbackMap::cellHeightLog2;
  markCell(map, x >> FallbackMap::cellWidthLog2, row, mark);
  markCell(map, (x + count - 1) >> FallbackMap::cellWidthLog2, row, mark);
}

/// Leaves results [x, x + width) x [y, y + height) to direct sums, by `threads` threads. Out of line: rare,
/// and it shall cost the others no register.
__device__ __noinline__ inline void markResults(const KernelArguments& a, int x, int y, int width, int height,
                                                int thread, int threads) {
  const FallbackMap& map = a.fallback;
  const int column = x >> FallbackMap::cellWidthLog2;
  const int row = y >> FallbackMap::cellHeightLog2;
  const int columns = ((x + width - 1) >> FallbackMap::cellWidthLog2) - column + 1;
  const int rows = ((y + height - 1) >> FallbackMap::cellHeightLog2) - row + 1;
#pragma unroll 1
  for (int i = thread; i < columns * rows; i += threads)
    markCell(map, column + i % columns, row + i / columns, Mark::Sums);
}

/// What a block has to do about its results.
enum class Task { Nothing, Mend, Sum };

/// For results [x, x + width) x [y, y + height): all of them are summed where there is no map. The same for
/// all threads; called by all.
__device__ __forceinline__ Task taskOf(const KernelArguments& a, int x, int y, int width, int height) {
  const FallbackMap& map = a.fallback;
  if (map.words == nullptr) return Task::Sum;
  if (__ldg(map.words) != map.launch) return Task::Nothing;
  const int column = x >> FallbackMap::cellWidthLog2;
  const int row = y >> FallbackMap::cellHeightLog2;
  const int columns =
      ((min(x + width, a.width) + a.filterWidth - 2) >> FallbackMap::cellWidthLog2) - column + 1;
  const int rows =
      ((min(y + height, a.height) + a.filterHeight - 2) >> FallbackMap::cellHeightLog2) - row + 1;
  const std::uint32_t* const cells =
      map.words + map.first(Mark::Sums) + static_cast<std::ptrdiff_t>(row) * map.columns + column;
  bool sums = false;
  bool notFinite = false;
  for (int i = static_cast<int>(threadIdx.x); i < columns * rows; i += static_cast<int>(blockDim.x)) {
    const std::uint32_t* const cell =
        cells + static_cast<std::ptrdiff_t>(i / columns) * map.columns + i % columns;
    sums = sums || __ldg(cell) == map.launch;
    notFinite = notFinite || __ldg(cell + map.cells()) == map.launch;
  }
  if (__syncthreads_or(sums ? 1 : 0) != 0) return Task::Sum;
  return __syncthreads_or(notFinite ? 1 : 0) != 0 ? Task::Mend : Task::Nothing;
}

}  // namespace bankside::cuda
