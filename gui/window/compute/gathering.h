/// Planes of results that come in bands.
#pragma once

#include "core/run/gathered_planes.h"
#include "gui/window/compute/work.h"

namespace bankside::window {

/// Of bands some planes: whole, or where the picture is not in memory as coarser copies.
class Gathering {
 public:
  /// `area`: of that part of the picture alone, which is always whole. `which`: planes of a band
  Gathering(const Picture& picture, const std::optional<Region>& area, std::vector<std::size_t> which);
  void add(int firstRow, const std::vector<Image>& band);
  /// All that a run gives.
  BankRun run(Runner& runner, Source& source, const std::stop_token& stop);
  /// The plane that was named there among `which`. Once each.
  PlanePtr take(std::size_t plane);

 private:
  std::optional<Region> area_;
  int finest_;  // 0: whole
  int height_;
  std::vector<std::size_t> which_;
  GatheredPlanes whole_;
  std::vector<CoarsePlane> coarse_;
};

/// A channel of a source, read in bands. Throws Cancelled
PlanePtr readPlane(Source& source, int channel, const Picture& picture, const std::stop_token& stop);
/// A part of it, whole.
PlanePtr readPart(Source& source, int channel, const Region& area, const std::stop_token& stop);

}  // namespace bankside::window
