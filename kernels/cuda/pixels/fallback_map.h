/// What a faster kernel leaves to the direct one.
#pragma once

#include <cstdint>

#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// Where a launch's windows hold pixels that a faster kernel cannot take: cells of 32 x 8 of them, marked or
/// not. Window pixel (x, y) is what the first tap of result (x, y) meets. The faster kernel computes with 0
/// in their place.
struct FallbackMap {
  /// Why a cell is marked; it may be for both.
  enum class Mark : int {
    Sums,  ///< pixels too small beside the largest: results whose windows meet the cell are summed directly
    NotFinite  ///< NaN and infinities: results whose windows meet one of them are written again
  };
  static constexpr int cellWidthLog2 = 5;
  static constexpr int cellHeightLog2 = 3;
  static constexpr int head = 4;  ///< words before the cells; the first is marked if any cell is

  std::uint32_t* words = nullptr;  ///< null: no map
  std::uint32_t launch = 0;        ///< a word is marked that holds this, so that nobody clears words
  int columns = 0;                 ///< of cells
  int rows = 0;

  /// The map's size for results of width x height; without words.
  static constexpr FallbackMap sizeFor(int width, int height, int filterWidth, int filterHeight) {
    FallbackMap map;
    map.columns = ceilDiv(width + filterWidth - 1, 1 << cellWidthLog2);
    map.rows = ceilDiv(height + filterHeight - 1, 1 << cellHeightLog2);
    return map;
  }
  BANKSIDE_HOST_DEVICE constexpr std::ptrdiff_t cells() const {
    return static_cast<std::ptrdiff_t>(columns) * rows;
  }
  /// The word of a mark of the first cell; those of the others follow, row by row.
  BANKSIDE_HOST_DEVICE constexpr std::ptrdiff_t first(Mark mark) const {
    return head + static_cast<int>(mark) * cells();
  }
  constexpr std::size_t bytes() const {
    return sizeof(std::uint32_t) * static_cast<std::size_t>(head + 2 * cells());
  }
};

}  // namespace bankside::cuda
