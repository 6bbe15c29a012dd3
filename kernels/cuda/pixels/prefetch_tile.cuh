/// The next tile on its way to the L2 while this one is computed.
#pragma once

#include "kernels/cuda/device/prefetch.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"

namespace bankside::cuda {

/// Asks for the source of the tile whose block begins where one that runs now ends: `a.ahead` blocks on. All
/// threads of a block call it; its halo is other tiles'. Nothing depends on it but time: loads at a block's
/// start wait for the L2 then, not for the memory behind it.
template <int blockWidth, int blockHeight>
__device__ __forceinline__ void prefetchNextTile(const KernelArguments& a) {
  int column = static_cast<int>(blockIdx.x) + a.aheadX;
  int row = static_cast<int>(blockIdx.y) + a.aheadY;
  if (column >= static_cast<int>(gridDim.x)) {
    column -= static_cast<int>(gridDim.x);
    ++row;
  }
  if (a.ahead == 0 || row >= static_cast<int>(gridDim.y)) return;
  const BlockPlace next = placeOf(row, a.wholeRows, a.filterCount, a.filtersPerBlock, a.partsLog2);
  if (next.firstFilter != 0) return;
  constexpr int widthLog2 = blockWidth == 128 ? 0 : blockWidth == 256 ? 1 : 2;
  static_assert(blockWidth == 128 << widthLog2);
  const int sizeLog2 = a.src.type == ElementType::F32 ? 2 : a.src.type == ElementType::U8 ? 0 : 1;
  const int linesLog2 = widthLog2 + sizeLog2;
  const int x = column * blockWidth;
  const int y = next.tileY * blockHeight;
  const int lines = min(blockHeight, a.height - y) << linesLog2;
  const int bytes = (a.width - x) << sizeLog2;
  const std::ptrdiff_t first = (a.y + y - a.src.firstRow) * a.src.stride + a.x + x;
  const char* const from = static_cast<const char*>(a.src.pixels) + (first << sizeLog2);
  for (int i = static_cast<int>(threadIdx.x); i < lines; i += static_cast<int>(blockDim.x)) {
    const int offset = (i & ((1 << linesLog2) - 1)) * 128;
    if (offset < bytes) prefetchLine(from + ((i >> linesLog2) * a.src.stride << sizeLog2) + offset);
  }
}

}  // namespace bankside::cuda
