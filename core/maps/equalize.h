/// How `equalize` cuts a frame, as its judge needs it too.
#pragma once

#include <cstddef>

#include "core/maps/maps.h"

namespace bankside {

struct EqualizeTiles {
  static constexpr int bins = 256;

  EqualizeTiles(const Extent& extent, int tiles);
  int height = 1, width = 1;  ///< of a tile; those at the end may be smaller
  int down = 1, across = 1;   ///< how many there are
  std::size_t number(int tileX, int tileY) const {
    return static_cast<std::size_t>(tileY) * static_cast<std::size_t>(across) +
           static_cast<std::size_t>(tileX);
  }

  static int binOf(float value);

  /// The two tiles whose middles a place lies between along an axis, and how far it is on its way from the
  /// first.
  struct Between {
    int first;
    int second;
    double share;
  };
  static Between between(int place, int side, int count);
};

}  // namespace bankside
