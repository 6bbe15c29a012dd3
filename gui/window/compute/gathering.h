/// Planes of results that come in bands.
#pragma once

#include "core/run/gathered_planes.h"
#include "gui/window/compute/work.h"

namespace bankside::window {

/// Of bands every `step`-th plane from `first` on: whole, or where the picture is not in memory as coarser
/// copies.
class Gathering {
 public:
  /// `area`: of that part of the picture alone, which is always whole.
  Gathering(const Picture& picture, const std::optional<Region>& area, std::size_t first, std::size_t step);
  void add(int firstRow, const std::vector<Image>& band);
  std::size_t size() const;
  /// Once each.
  PlanePtr take(std::size_t plane);

 private:
  int finest_;  // 0: whole
  int height_;
  std::size_t first_;
  std::size_t step_;
  mutable GatheredPlanes whole_;
  std::vector<CoarsePlane> coarse_;
};

/// A channel of a source, read in bands. Throws Cancelled
PlanePtr readPlane(Source& source, int channel, const Picture& picture, const std::stop_token& stop);
/// A part of it, whole.
PlanePtr readPart(Source& source, int channel, const Region& area, const std::stop_token& stop);

}  // namespace bankside::window
