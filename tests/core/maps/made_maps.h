/// Maps with something in them, for tests of what is done with maps.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/operation.h"

namespace bankside::testing {

/// `count` maps of numbers from `least` to `most`, the same for the same seed.
inline Maps madeMaps(int count, const Extent& extent, unsigned seed = 1, float least = -2, float most = 3) {
  std::vector<MapName> names;
  for (int i = 0; i < count; ++i)
    names.push_back({"map" + std::to_string(i), 30.0 * (i % 3), 1.0 + static_cast<double>(i / 3)});
  Maps maps = Maps::make(extent, std::move(names));
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(least, most);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    for (int y = 0; y < extent.height; ++y) {
      for (int x = 0; x < extent.width; ++x) maps.view(m).at(x, y) = value(random);
    }
  }
  return maps;
}

/// 1 in a disc in the middle.
inline Image disc(int height, int width, double radius) {
  Image mask(1, height, width, ElementType::U8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double distance = std::hypot(x - 0.5 * (width - 1), y - 0.5 * (height - 1));
      mask.view<std::uint8_t>(0).at(x, y) = distance <= radius ? 1 : 0;
    }
  }
  return mask;
}

inline Operation operationOf(const std::string& name, std::map<std::string, std::vector<double>> given = {}) {
  return makeOperation(*findOperation(name), std::move(given));
}

}  // namespace bankside::testing
