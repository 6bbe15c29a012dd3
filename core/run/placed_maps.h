/// A step's maps wherever they are: in host memory, on a device, or both.
#pragma once

#include <utility>

#include "core/maps/map_maker.h"
#include "core/maps/maps.h"

namespace bankside {

class PlacedMaps {
 public:
  PlacedMaps() = default;
  explicit PlacedMaps(Maps maps) : maps_(std::move(maps)) {}
  PlacedMaps(const Extent& extent, std::vector<MapName> names, DeviceMaps there)
      : maps_{extent, std::move(names), {}}, there_(std::move(there)) {}

  std::size_t size() const { return maps_.size(); }
  const Extent& extent() const { return maps_.extent; }
  const std::vector<MapName>& names() const { return maps_.names; }
  std::vector<MapName>& names() { return maps_.names; }

  bool onHost() const { return !maps_.planes.empty(); }
  bool onDevice() const { return !there_.empty(); }
  /// Those of each place; empty where they are not.
  Maps& maps() { return maps_; }
  DeviceMaps& there() { return there_; }

  void drop() {
    maps_.planes.clear();
    there_.clear();
  }

 private:
  Maps maps_;
  DeviceMaps there_;
};

}  // namespace bankside
