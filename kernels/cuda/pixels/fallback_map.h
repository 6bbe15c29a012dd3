/// What a faster kernel leaves to the direct one.
#pragma once

#include <cstdint>

#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// Where a launch's windows hold pixels that a faster kernel cannot take (NaN, infinities, too small beside
/// the largest): cells of 32 x 8 of them, marked or not. Window pixel (x, y) is what the first tap of result
/// (x, y) meets. Results whose windows meet a marked cell are summed directly.
struct FallbackMap {
  static constexpr int cellWidthLog2 = 5;
  static constexpr int cellHeightLog2 = 3;
  /// Words before the cells. The first is marked if any cell is; then the second counts those who have
  /// looked.
  static constexpr int head = 4;

  std::uint32_t* words = nullptr;  ///< null: no map
  std::uint32_t launch = 0;        ///< a word is marked that holds this, so that nobody clears words
  int columns = 0;                 ///< of cells
  int rows = 0;
  /// By the last block of the direct kernel; then every launch has the same number.
  bool clearedBehind = false;

  /// The map's size for results of width x height; without words.
  static constexpr FallbackMap sizeFor(int width, int height, int filterWidth, int filterHeight) {
    FallbackMap map;
    map.columns = ceilDiv(width + filterWidth - 1, 1 << cellWidthLog2);
    map.rows = ceilDiv(height + filterHeight - 1, 1 << cellHeightLog2);
    return map;
  }
  constexpr std::size_t bytes() const {
    return sizeof(std::uint32_t) *
           (head + static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  }
};

}  // namespace bankside::cuda
