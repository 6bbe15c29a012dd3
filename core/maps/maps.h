/// What the steps of a recipe hand to each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/image.h"

namespace bankside {

/// What is known of one map beside its pixels.
struct MapName {
  std::string label;                       ///< names output files
  std::optional<double> orientation = {};  ///< degrees, of the filter that made it
  std::optional<double> scale = {};        ///< pixels, of the filter that made it
  bool operator==(const MapName&) const = default;
};

/// Size of maps, and what a pixel is worth.
struct Extent {
  int height = 0;
  int width = 0;
  double pixelsPerDegree = 0;  ///< of the eye's visual angle; 0: nobody said
  bool operator==(const Extent&) const = default;
};

/// f32 planes of one extent, one channel each.
struct Maps {
  Extent extent;
  std::vector<MapName> names;
  std::vector<Image> planes;  ///< as many as names

  std::size_t size() const { return names.size(); }
  PlaneView<const float> view(std::size_t map) const { return planes[map].view<float>(0); }
  PlaneView<float> view(std::size_t map) { return planes[map].view<float>(0); }

  /// As many uninitialised planes as there are names.
  static Maps make(const Extent& extent, std::vector<MapName> names) {
    Maps maps{extent, std::move(names), {}};
    maps.planes.reserve(maps.names.size());
    for (std::size_t i = 0; i < maps.names.size(); ++i)
      maps.planes.emplace_back(1, extent.height, extent.width, ElementType::F32);
    return maps;
  }
};

}  // namespace bankside
