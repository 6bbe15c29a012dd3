/// The thread block of the form of any size.
#pragma once

#include <cstddef>

#include "kernels/cuda/tile_math.h"

namespace bankside::cuda {

/// One thread block: 8 warps below each other, each 32 x 4 pixels wide and 4 rows tall.
struct AnySizeShape {
  static constexpr int rows = 4;
  static constexpr int pixels = 4;
  static constexpr int warps = 8;
  static constexpr int tileWidth = 32 * pixels;
  static constexpr int tileHeight = warps * rows;
  BANKSIDE_HOST_DEVICE static constexpr int stride(int filterWidth) {
    return tileWidth + roundUp(filterWidth, 4);
  }
  static constexpr std::size_t sharedBytes(int filterWidth, int filterHeight) {
    return sizeof(float) * static_cast<std::size_t>(stride(filterWidth)) *
           static_cast<std::size_t>(tileHeight + filterHeight - 1);
  }
};

}  // namespace bankside::cuda
