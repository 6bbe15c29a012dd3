/// What the steps of a recipe hand to each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
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

/// A step gives no more: a recipe of few lines could otherwise ask for any number.
inline constexpr std::size_t mostMaps = 4096;

/// f32 planes of one extent, one channel each.
struct Maps {
  Extent extent;
  std::vector<MapName> names;
  std::vector<Image> planes;  ///< as many as names

  std::size_t size() const { return names.size(); }
  PlaneView<const float> view(std::size_t map) const { return planes[map].view<float>(0); }
  PlaneView<float> view(std::size_t map) { return planes[map].view<float>(0); }

  /// As many uninitialised planes as there are names. Errors  Error{Limit} for more than `mostMaps`, or where
  /// memory ends
  static Maps make(const Extent& extent, std::vector<MapName> names) {
    requireFew(names.size());
    Maps maps{extent, std::move(names), {}};
    maps.planes.reserve(maps.names.size());
    for (std::size_t i = 0; i < maps.names.size(); ++i)
      maps.planes.emplace_back(1, extent.height, extent.width, ElementType::F32);
    return maps;
  }

  Maps clone() const {
    Maps copy{extent, names, {}};
    for (const Image& plane : planes) copy.planes.push_back(plane.clone());
    return copy;
  }

  /// Before their names are made.
  static void requireFew(std::size_t maps) {
    if (maps > mostMaps)
      throw Error(ErrorCode::Limit,
                  "a step gives at most " + std::to_string(mostMaps) + " maps, not " + std::to_string(maps));
  }
};

}  // namespace bankside
