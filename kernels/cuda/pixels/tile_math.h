/// The integer arithmetic of the kernels, one definition for host and device, so that it is tested without a
/// GPU.
#pragma once

#include <cstddef>

#include "core/border.h"
#include "core/host_device.h"

namespace bankside::cuda {

BANKSIDE_HOST_DEVICE constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
BANKSIDE_HOST_DEVICE constexpr int roundUp(int a, int b) { return ceilDiv(a, b) * b; }

/// The buffer row that image row `y` reads, or -1 where a Constant border supplies it (see SourceRows).
BANKSIDE_HOST_DEVICE constexpr int bufferRow(int y, int imageHeight, BorderKind kind, bool rowsResolved,
                                             int firstRow) {
  if (rowsResolved && kind != BorderKind::Constant) return y - firstRow;
  const int inside = borderIndex(y, imageHeight, kind);
  return inside < 0 ? -1 : inside - firstRow;
}

/// Where float `column` of a row lies in shared memory. A thread that reads 8 neighbouring floats (two
/// 16-byte units) puts the units of 8 threads 32 bytes apart: every second bank group, twice. Shifting every
/// second block of eight units by one moves half of them onto the other bank groups, wherever a thread's
/// window begins; the next block but one starts on whole banks again, which leaves a third of the row unused.
/// (Exchanging neighbouring units wastes nothing but takes twice as many address registers, and registers are
/// dearer.)
BANKSIDE_HOST_DEVICE constexpr int skewedColumn(int column, bool skewed) {
  const int block = column / 32;
  return skewed ? column + block % 2 * 4 + block / 2 * 32 : column;
}

/// How one thread block of the tile form is laid out. Pixels and rows are those of one thread.
struct TileShape {
  int filterWidth = 1;
  int rows = 1;
  int pixels = 4;
  int filtersPerPass = 1;
  int lanes = 32;  ///< threads of a warp that stand side by side; the others stand below
  int warps = 8;

  BANKSIDE_HOST_DEVICE constexpr bool skewed() const { return pixels == 8; }
  BANKSIDE_HOST_DEVICE constexpr int threads() const { return 32 * warps; }
  BANKSIDE_HOST_DEVICE constexpr int tileWidth() const { return lanes * pixels; }
  BANKSIDE_HOST_DEVICE constexpr int tileHeight() const { return warps * (32 / lanes) * rows; }
  /// 16-byte units that hold the pixels + filterWidth - 1 floats a thread needs of a row.
  BANKSIDE_HOST_DEVICE constexpr int windowUnits() const { return ceilDiv(pixels + filterWidth - 1, 4); }
  /// Columns of the tile with its halo, up to whole units of the last thread's window.
  BANKSIDE_HOST_DEVICE constexpr int stagedColumns() const {
    return tileWidth() - pixels + 4 * windowUnits();
  }
  BANKSIDE_HOST_DEVICE constexpr int stride() const {
    return roundUp(skewedColumn(stagedColumns() - 1, skewed()) + 1, 4);
  }
  /// From one row of a filter's taps to the next: of one filter at a time they begin at whole vectors.
  BANKSIDE_HOST_DEVICE constexpr int tapStride() const {
    return filtersPerPass == 1 ? roundUp(filterWidth, 4) : filterWidth;
  }
  BANKSIDE_HOST_DEVICE constexpr int stagedRows(int filterHeight) const {
    return tileHeight() + filterHeight - 1;
  }
  constexpr std::size_t sharedBytes(int filterHeight) const {
    return static_cast<std::size_t>(stride()) * static_cast<std::size_t>(stagedRows(filterHeight)) *
           sizeof(float);
  }
};

/// What a row of thread blocks makes: a row of tiles, some of the filters.
struct BlockPlace {
  int tileY = 0;
  int firstFilter = 0;
  int endFilter = 0;
};

/// The power of two that `filterCount` filters in parts of `filtersPerBlock` fit into: the device divides by
/// it without a register.
BANKSIDE_HOST_DEVICE constexpr int partsLog2(int filterCount, int filtersPerBlock) {
  int log2 = 0;
  while ((filtersPerBlock << log2) < filterCount) ++log2;
  return log2;
}

/// Rows of blocks in the order in which the device starts them: first `wholeRows` rows of tiles with every
/// filter, then the other rows in 2^log2 parts of `filtersPerBlock`, so that the multiprocessors run out of
/// work nearly at once. The last parts may have no filter.
BANKSIDE_HOST_DEVICE constexpr BlockPlace placeOf(int blockY, int wholeRows, int filterCount,
                                                  int filtersPerBlock, int log2) {
  if (blockY < wholeRows) return {blockY, 0, filterCount};
  const int rest = blockY - wholeRows;
  const int first = (rest & ((1 << log2) - 1)) * filtersPerBlock;
  const int end = first + filtersPerBlock < filterCount ? first + filtersPerBlock : filterCount;
  return {wholeRows + (rest >> log2), first, end};
}
/// How many rows of blocks `tileRows` rows of tiles take.
BANKSIDE_HOST_DEVICE constexpr int blockRows(int tileRows, int wholeRows, int log2) {
  return wholeRows + ((tileRows - wholeRows) << log2);
}
/// What a device takes of them.
inline constexpr int mostBlockRows = 65535;

/// Taps as the kernels want them: filters in passes of `filtersPerPass`, in a pass the taps of all its
/// filters at one position side by side, passes on 16-byte boundaries.
BANKSIDE_HOST_DEVICE constexpr int passStride(int filterTaps, int filtersPerPass) {
  return roundUp(filterTaps * filtersPerPass, 4);
}
BANKSIDE_HOST_DEVICE constexpr int tapOffset(int filter, int tap, int filterTaps, int filtersPerPass) {
  return filter / filtersPerPass * passStride(filterTaps, filtersPerPass) + tap * filtersPerPass +
         filter % filtersPerPass;
}

/// Floats of constant memory that hold taps: all 64 KiB of a module.
inline constexpr int maxConstantTaps = 16384;

}  // namespace bankside::cuda
