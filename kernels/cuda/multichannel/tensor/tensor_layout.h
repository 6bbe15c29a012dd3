/// Where the tensor cores' kernel keeps its taps and pixels: host and device, tested without a GPU.
///
/// `wgmma` multiplies 64 filters x 16 channels with those channels x 128 pixels, all in shared memory as
/// *units* of 16 bytes: eight channels of one filter or one pixel. Eight units in a row are all that an
/// instruction asks for, so that the pixels of the next tap are the same ones, a unit further on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/multichannel/fma/block_shape.h"
#include "kernels/cuda/pixels/half_scale.h"

namespace bankside::cuda {

/// What the tensor cores multiply. Fp16x3: numbers as the sum of two halves, upper and lower, three products
/// for one. Fp16x2: taps so, pixels that are halves as they are, two products. Fp16: numbers rounded to half
/// precision, one product.
enum class TensorMode { Fp16x3, Fp16x2, Fp16 };

/// What a tap and a pixel become: upper and lower, or one. Lower x lower is left out.
BANKSIDE_HOST_DEVICE constexpr int partsOfTap(TensorMode mode) { return mode == TensorMode::Fp16 ? 1 : 2; }
BANKSIDE_HOST_DEVICE constexpr int partsOfPixel(TensorMode mode) {
  return mode == TensorMode::Fp16x3 ? 2 : 1;
}
BANKSIDE_HOST_DEVICE constexpr int productsOfTap(TensorMode mode) {
  return partsOfTap(mode) + partsOfPixel(mode) - 1;
}

/// Channels of a unit, and of the two units that one instruction multiplies.
inline constexpr int channelsPerUnit = 8;
inline constexpr int channelsPerProduct = 2 * channelsPerUnit;

/// One block: one warpgroup or two, side by side, multiply 64 filters with 8 x 16 pixels each, two others
/// load taps and pixels.
struct TensorTile {
  static constexpr int filtersPerBlock = 64;
  int tileWidth = 16;
  static constexpr int tileHeight = 16;
  static constexpr int warpgroup = 128;
  static constexpr int producers = 2 * warpgroup;
  /// Of an instruction; 16 rows of them are its 128 pixels.
  static constexpr int productWidth = 8;

  bool operator==(const TensorTile&) const = default;

  BANKSIDE_HOST_DEVICE constexpr int consumers() const { return tileWidth / productWidth; }
  BANKSIDE_HOST_DEVICE constexpr int threads() const { return consumers() * warpgroup + producers; }
  BANKSIDE_HOST_DEVICE constexpr int tilePixels() const { return tileWidth * tileHeight; }
  /// Sums wait to be written, a filter's eight floats after the one before: lanes that hold the same pixels
  /// of four filters reach different banks.
  BANKSIDE_HOST_DEVICE constexpr int sumOffset(int filter, int unit) const {
    return filter * (tilePixels() + 8) + 4 * unit;
  }
  BANKSIDE_HOST_DEVICE constexpr int sumFloats() const { return sumOffset(filtersPerBlock, 0); }

  /// Of the tile with its halo.
  BANKSIDE_HOST_DEVICE constexpr int stagedColumns(int filterWidth) const {
    return tileWidth + filterWidth - 1;
  }
  BANKSIDE_HOST_DEVICE constexpr int stagedPixels(int filterHeight, int filterWidth) const {
    return (tileHeight + filterHeight - 1) * stagedColumns(filterWidth);
  }
};
inline constexpr TensorTile wideTile{16};
/// For images that have few tiles.
inline constexpr TensorTile narrowTile{8};

/// Blocks of a cluster that share the channels: each adds up the sums of as many filters.
inline constexpr int mostParts = 8;

/// Tiles of an image, of all filters.
BANKSIDE_HOST_DEVICE constexpr int tensorTasks(TensorTile tile, int width, int height, int filterCount) {
  return ceilDiv(width, tile.tileWidth) * ceilDiv(height, TensorTile::tileHeight) *
         ceilDiv(filterCount, TensorTile::filtersPerBlock);
}

/// 16-byte units of one tap of 64 filters: [part][unit][filter].
BANKSIDE_HOST_DEVICE constexpr int tapUnits(TensorMode mode) {
  return partsOfTap(mode) * 2 * TensorTile::filtersPerBlock;
}
/// And of an instruction's channels of the tile's pixels: [part][unit][row][column].
BANKSIDE_HOST_DEVICE constexpr int pixelUnits(TensorMode mode, TensorTile tile, int filterHeight,
                                              int filterWidth) {
  return partsOfPixel(mode) * 2 * tile.stagedPixels(filterHeight, filterWidth);
}

/// Where a pixel of a tile with its halo is: its row is `at * rowFactor >> 16`, exact below
/// `mostStagedPixels`.
BANKSIDE_HOST_DEVICE constexpr int rowFactor(int stagedColumns) { return 65536 / stagedColumns + 1; }
inline constexpr int mostStagedPixels = 1024;

/// What comes first in a block's shared memory, in bytes: barriers, what one thread tells all, and what two
/// slabs' pixels are scaled by.
inline constexpr int mostTapStages = 4;
inline constexpr int barrierBytes = 32;
inline constexpr int tensorBarriers = 2 * mostTapStages + 6;
inline constexpr int scaleWords = 2 * (1 + TensorTile::producers / 32);
inline constexpr int notedBytes = 32;
inline constexpr int tensorHeadUnits =
    8 * ceilDiv(tensorBarriers * barrierBytes + notedBytes + 4 * scaleWords, 128);

/// Then some steps' taps and two slabs' pixels. The sums of a tile follow, so that the next one may be
/// multiplied meanwhile, or lie over them.
struct TensorStages {
  int taps = 2;
  bool sumsApart = false;
};
constexpr std::size_t tensorSharedBytes(TensorMode mode, TensorTile tile, int filterHeight, int filterWidth,
                                        int tapsPerStep, TensorStages stages = {}) {
  const int units =
      stages.taps * tapsPerStep * tapUnits(mode) + 2 * pixelUnits(mode, tile, filterHeight, filterWidth);
  const int sums = 4 * tile.sumFloats();
  return static_cast<std::size_t>(16 * tensorHeadUnits +
                                  (stages.sumsApart ? 16 * units + sums : std::max(16 * units, sums)));
}
/// The sums apart if that fits into `most` bytes, and as many steps' taps as do.
constexpr TensorStages tensorStages(TensorMode mode, TensorTile tile, int filterHeight, int filterWidth,
                                    int tapsPerStep, std::size_t most) {
  const auto fits = [&](TensorStages stages) {
    return tensorSharedBytes(mode, tile, filterHeight, filterWidth, tapsPerStep, stages) <= most;
  };
  TensorStages stages{2, fits({2, true})};
  while (stages.taps < mostTapStages && fits({stages.taps + 1, stages.sumsApart})) ++stages.taps;
  return stages;
}

/// A slab's pixels are brought in one part, or two that have so many pixels at most.
inline constexpr int mostPartPixels = 2 * TensorTile::producers;
BANKSIDE_HOST_DEVICE constexpr int slabParts(TensorTile tile, int filterHeight, int filterWidth) {
  return ceilDiv(tile.stagedPixels(filterHeight, filterWidth), mostPartPixels);
}
static_assert(slabParts(wideTile, mostFilterHeight, mostFilterHeight) <= 2);
static_assert(wideTile.stagedPixels(mostFilterHeight, mostFilterHeight) <= mostStagedPixels);

/// Taps that are brought, and added up by the tensor cores, at a time: they divide a filter's, fit, and are
/// few enough for sums that are cut off (up to 45 products in a row).
constexpr int tapsPerStep(TensorMode mode, int filterHeight, int filterWidth) {
  constexpr std::size_t most = 220 * 1024;
  const int taps = filterHeight * filterWidth;
  const int longest = mode == TensorMode::Fp16 ? 25 : 15;
  int best = 1;
  for (int t = 2; t <= longest && t <= taps; ++t)
    if (taps % t == 0 && tensorSharedBytes(mode, wideTile, filterHeight, filterWidth, t) <= most) best = t;
  return best;
}

/// Where a tap of a filter and channel lies: [F / 64][C / channelsPerProduct][kh][kw][part][unit][64][channel
/// of the unit], counted in halves. Filters and channels that are missing are zero.
constexpr std::size_t tensorTapPosition(TensorMode mode, int filter, int channel, int tap, int channels,
                                        int filterTaps, bool lower) {
  constexpr int each = channelsPerUnit;
  const int c = channel % channelsPerProduct;
  const auto slabs = static_cast<std::size_t>(ceilDiv(channels, channelsPerProduct));
  const auto slab = static_cast<std::size_t>(filter / TensorTile::filtersPerBlock) * slabs +
                    static_cast<std::size_t>(channel / channelsPerProduct);
  const auto at = slab * static_cast<std::size_t>(filterTaps) + static_cast<std::size_t>(tap);
  const int unit =
      ((lower ? 2 : 0) + c / each) * TensorTile::filtersPerBlock + filter % TensorTile::filtersPerBlock;
  return (at * static_cast<std::size_t>(tapUnits(mode)) + static_cast<std::size_t>(unit)) *
             static_cast<std::size_t>(each) +
         static_cast<std::size_t>(c % each);
}

}  // namespace bankside::cuda
