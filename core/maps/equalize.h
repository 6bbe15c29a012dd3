/// How `equalize` cuts a frame and what it makes of a part, as its judge and devices need it too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/host_device.h"
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

  BANKSIDE_HOST_DEVICE static int binOf(float value) {
    const float bin = value * bins;
    return static_cast<int>(bin < 0 ? 0.0f : bin > bins - 1 ? static_cast<float>(bins - 1) : bin);
  }

  /// The two tiles whose middles a place lies between along an axis, and how far it is on its way from the
  /// first.
  struct Between {
    int first;
    int second;
    double share;
  };
  BANKSIDE_HOST_DEVICE static Between between(int place, int side, int count) {
    const double position = (place + 0.5) / side - 0.5;
    const double before = std::floor(position);
    const int first = static_cast<int>(before);
    const int last = count - 1;
    return {first < 0      ? 0
            : first > last ? last
                           : first,
            first + 1 > last ? last : first + 1, position - before};
  }

  /// What each bin becomes, 0 to 1, of the `counts` of a tile's pixels, which are used up.
  BANKSIDE_HOST_DEVICE static void makeLevels(double* counts, double pixels, double clip, double* levels) {
    const double even = pixels / bins;
    const double share = clip * pixels;
    const double limit = even < share ? share : even;
    double beyond = 0;
    for (int b = 0; b < bins; ++b) {
      const double count = counts[b];
      beyond += count > limit ? count - limit : 0.0;
      counts[b] = count > limit ? limit : count;
    }
    double below = 0;
    for (int b = 0; b < bins; ++b) {
      below += counts[b] + beyond / bins;
      levels[b] = pixels > 0 ? below / pixels : 0;
    }
  }
};

}  // namespace bankside
