/// The thread block of the form of any size.
#pragma once

#include <cstddef>

#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// One thread block: 8 warps below each other, each 4 rows tall and `units` times 32 x 4 pixels wide: a
/// thread's units lie 128 pixels apart, so that lanes read side by side.
struct AnySizeShape {
  static constexpr int rows = 4;
  static constexpr int unitPixels = 4;
  static constexpr int warps = 8;
  static constexpr int unitWidth = 32 * unitPixels;
  static constexpr int tileHeight = warps * rows;
  /// Shared memory of a block of two units: twice as much fits in a multiprocessor of compute capability 9.0,
  /// once in one of 8.6.
  static constexpr std::size_t mostWideBytes = 96 * 1024;

  /// A row of taps in memory begins at a whole vector; what stands behind its last tap is never multiplied.
  BANKSIDE_HOST_DEVICE static constexpr int tapStride(int filterWidth) { return roundUp(filterWidth, 4); }
  BANKSIDE_HOST_DEVICE static constexpr int stride(int units, int filterWidth) {
    return units * unitWidth + tapStride(filterWidth);
  }
  static constexpr std::size_t sharedBytes(int units, int filterWidth, int filterHeight) {
    return sizeof(float) * static_cast<std::size_t>(stride(units, filterWidth)) *
           static_cast<std::size_t>(tileHeight + filterHeight - 1);
  }
};

}  // namespace bankside::cuda
