/// The tile arithmetic of Algorithm 2 as the paper has it: one definition for host and device.
///
/// Source  Chen et al., DAC 2017, section 4 and Table 1; the names are the paper's.
#pragma once

#include <string>
#include <vector>

#include "core/host_device.h"
#include "core/problem.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// One thread block: `filtersPerBlock` filters (F_TB) on tileWidth x tileHeight pixels (W, H), a thread
/// filtersPerThread (F_T) x pixelsPerThread (W_T) sums, `channelsPerStep` channels (C_SH) in shared memory,
/// `unit` (n) floats a read.
struct GeneralShape {
  int tileWidth = 32;
  int tileHeight = 4;
  int filtersPerBlock = 64;
  int pixelsPerThread = 16;
  int filtersPerThread = 4;
  int channelsPerStep = 2;
  int unit = 1;

  bool operator==(const GeneralShape&) const = default;

  BANKSIDE_HOST_DEVICE constexpr int filterLanes() const { return filtersPerBlock / filtersPerThread; }
  BANKSIDE_HOST_DEVICE constexpr int runsPerRow() const { return tileWidth / pixelsPerThread; }
  BANKSIDE_HOST_DEVICE constexpr int threads() const { return filterLanes() * runsPerRow() * tileHeight; }
  BANKSIDE_HOST_DEVICE constexpr int rows(int filterSize) const { return tileHeight + filterSize - 1; }
  /// Floats of a staged row, up to whole units of the last run's window.
  BANKSIDE_HOST_DEVICE constexpr int columns(int filterSize) const {
    return tileWidth - pixelsPerThread + roundUp(pixelsPerThread + filterSize - 1, unit);
  }
  /// Floats from one tap of all filters to the next: padded, as a warp stores one filter's taps across them.
  BANKSIDE_HOST_DEVICE constexpr int tapStride() const { return filtersPerBlock + unit; }
  /// The filter of the block that sum `i` of a thread belongs to.
  BANKSIDE_HOST_DEVICE constexpr int filterOf(int lane, int i) const {
    return (i / unit * filterLanes() + lane) * unit + i % unit;
  }
  /// Floats that a thread has on the way while it sums.
  constexpr int prefetched(int filterSize) const {
    return ceilDiv(channelsPerStep * rows(filterSize) * columns(filterSize), threads()) +
           ceilDiv(channelsPerStep * filterSize * filterSize * filtersPerBlock, threads());
  }
  /// Thread blocks that a multiprocessor's 65,536 registers hold: sums, a row of pixels, the prefetch and its
  /// offsets, and what addresses take.
  constexpr int minBlocks(int filterSize) const {
    const int registers = roundUp(filtersPerThread * pixelsPerThread + pixelsPerThread + filterSize +
                                      filtersPerThread + 2 * prefetched(filterSize) + 60,
                                  8);
    const int blocks = 65536 / (threads() * registers);
    return blocks < 1 ? 1 : blocks > 2048 / threads() ? 2048 / threads() : blocks;
  }
  /// Bytes of shared memory.
  constexpr std::size_t sharedBytes(int filterSize) const {
    return sizeof(float) *
           static_cast<std::size_t>(channelsPerStep * (rows(filterSize) * columns(filterSize) +
                                                       filterSize * filterSize * tapStride()));
  }
  constexpr bool valid() const {
    return filtersPerThread % unit == 0 && pixelsPerThread % 4 == 0 && pixelsPerThread % unit == 0 &&
           filtersPerBlock % filtersPerThread == 0 && tileWidth % pixelsPerThread == 0 &&
           threads() % 32 == 0 && threads() <= 1024;
  }
};

/// A compiled shape: a row of general_variants.def.
struct GeneralVariant {
  std::string name;
  int filterSize = 3;
  GeneralShape shape;
};

/// In the order of general_variants.def: for each filter size the one that is taken first, then the
/// paper's own of Table 1; after them those of general_variants_trial.def where they are compiled.
const std::vector<GeneralVariant>& generalVariants();

/// Positions of the variants for the problem's filter size, in the list's order: squares of 3, 5 and 7.
std::vector<int> fittingGeneralVariants(const ConvolutionProblem& problem);

/// Position of the first of them, or -1.
int chooseGeneralVariant(const ConvolutionProblem& problem);

}  // namespace bankside::cuda
