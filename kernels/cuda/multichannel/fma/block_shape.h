/// The tile arithmetic of the multichannel kernels: one definition for host and device, tested without a GPU.
///
/// Source  Chen et al., DAC 2017, section 4 and Table 1; the names are the paper's.
#pragma once

#include <cstddef>

#include "core/host_device.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// The tallest filter that the kernels take; as wide ones as are compiled.
inline constexpr int mostFilterHeight = 15;

/// Blocks of a grid in its third dimension: images x blocks of filters x parts of the channels.
inline constexpr int mostGridDepth = 65535;

/// How one thread block of Algorithm 2 is laid out: `filtersPerBlock` filters (F_TB) on tileWidth x
/// tileHeight pixels (W, H), each thread filtersPerThread (F_T) x pixelsPerThread (W_T) sums,
/// `channelsPerStep` channels (C_SH) in shared memory at a time, `stages` such steps on the way.
struct BlockShape {
  int filtersPerBlock = 64;
  int tileWidth = 32;
  int tileHeight = 4;
  int channelsPerStep = 1;
  int filtersPerThread = 8;
  int pixelsPerThread = 8;
  int stages = 2;

  bool operator==(const BlockShape&) const = default;

  /// Threads that stand side by side over filters (the paper's T_X); they read the same pixels.
  BANKSIDE_HOST_DEVICE constexpr int filterLanes() const { return filtersPerBlock / filtersPerThread; }
  /// Runs of pixelsPerThread neighbouring pixels in the tile (the paper's T_Y).
  BANKSIDE_HOST_DEVICE constexpr int runs() const { return tilePixels() / pixelsPerThread; }
  BANKSIDE_HOST_DEVICE constexpr int runsPerRow() const { return tileWidth / pixelsPerThread; }
  BANKSIDE_HOST_DEVICE constexpr int threads() const { return filterLanes() * runs(); }
  BANKSIDE_HOST_DEVICE constexpr int tilePixels() const { return tileWidth * tileHeight; }

  /// 16-byte units that hold the pixelsPerThread + filterWidth - 1 floats a thread needs of a row.
  BANKSIDE_HOST_DEVICE constexpr int windowUnits(int filterWidth) const {
    return ceilDiv(pixelsPerThread + filterWidth - 1, 4);
  }
  /// Floats of a staged row: the tile with its halo, up to whole units of the last run's window.
  BANKSIDE_HOST_DEVICE constexpr int stagedColumns(int filterWidth) const {
    return tileWidth - pixelsPerThread + 4 * windowUnits(filterWidth);
  }
  BANKSIDE_HOST_DEVICE constexpr int stagedRows(int filterHeight) const {
    return tileHeight + filterHeight - 1;
  }
  /// Floats of one channel's pixels in shared memory.
  BANKSIDE_HOST_DEVICE constexpr int stagedPixels(int filterHeight, int filterWidth) const {
    return stagedRows(filterHeight) * stagedColumns(filterWidth);
  }
  /// Floats of one channel's taps for the block's filters.
  BANKSIDE_HOST_DEVICE constexpr int stagedTaps(int filterHeight, int filterWidth) const {
    return filterHeight * filterWidth * filtersPerBlock;
  }
  BANKSIDE_HOST_DEVICE constexpr int stageFloats(int filterHeight, int filterWidth) const {
    return channelsPerStep *
           (stagedPixels(filterHeight, filterWidth) + stagedTaps(filterHeight, filterWidth));
  }
  /// Floats of the block's sums, where they pass through shared memory.
  BANKSIDE_HOST_DEVICE constexpr int sumFloats() const { return filtersPerBlock * tilePixels(); }

  /// Shared memory of a block: the stages, which the sums use again in the end.
  constexpr std::size_t sharedBytes(int filterHeight, int filterWidth, bool sumsShared) const {
    const int stageAll = stages * stageFloats(filterHeight, filterWidth);
    return sizeof(float) *
           static_cast<std::size_t>(sumsShared && sumFloats() > stageAll ? sumFloats() : stageAll);
  }

  /// The filter of the block that sum `i` of a thread belongs to: units of four neighbouring filters, as they
  /// are read, filterLanes() units apart.
  BANKSIDE_HOST_DEVICE constexpr int filterOf(int lane, int i) const {
    return i / 4 * 4 * filterLanes() + 4 * lane + i % 4;
  }
  /// Where unit `unit` (four neighbouring pixels) of filter `filter` lies among the block's sums, in floats.
  /// Threads beside each other hold neighbouring units of four filters, and write the same unit of all of
  /// them: exchanged by the unit of the filter, they lie in different banks.
  BANKSIDE_HOST_DEVICE constexpr int sumOffset(int filter, int unit) const {
    return filter * tilePixels() + 4 * (unit ^ (filter / 4 % 8));
  }

  constexpr bool valid() const {
    return filtersPerThread % 4 == 0 && pixelsPerThread % 4 == 0 && filtersPerBlock % filtersPerThread == 0 &&
           tileWidth % pixelsPerThread == 0 && threads() % 32 == 0 && threads() <= 1024 &&
           tilePixels() % 32 == 0 && stages >= 2 && channelsPerStep >= 1;
  }
};

/// Taps as the kernel reads them: [F / filtersPerBlock][C][kh][kw][filtersPerBlock], the last block's missing
/// filters zero. What a block needs of a channel is one run of 16-byte units.
constexpr std::size_t tapPosition(const BlockShape& s, int filter, int channel, int tap, int channels,
                                  int filterTaps) {
  const auto block = static_cast<std::size_t>(filter / s.filtersPerBlock);
  const auto slab = block * static_cast<std::size_t>(channels) + static_cast<std::size_t>(channel);
  return (slab * static_cast<std::size_t>(filterTaps) + static_cast<std::size_t>(tap)) *
             static_cast<std::size_t>(s.filtersPerBlock) +
         static_cast<std::size_t>(filter % s.filtersPerBlock);
}

}  // namespace bankside::cuda
