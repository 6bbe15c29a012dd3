/// One plane of pixels as the window looks at it: native values, their spread, and coarser copies for small
/// zooms.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/image.h"
#include "core/run/output_map.h"

namespace bankside::window {

/// What the coarser copies keep of four pixels: their mean, or the one farthest from zero (differences, so
/// that a single wrong pixel stays visible in a whole photograph).
enum class Coarsen { Mean, Largest };

/// Counts of values in equal steps from `low` to `high`, both included.
struct Histogram {
  static constexpr int bins = 256;
  float low = 0;
  float high = 0;
  std::array<std::int64_t, bins> counts{};
  std::int64_t total = 0;

  /// The value below which `share` (0..1) of the pixels lie, to a bin's width.
  float percentile(double share) const;
};

/// Immutable once made; shared between panes.
struct Plane {
  std::shared_ptr<const Image> image;
  int channel = 0;
  std::vector<Image> coarser;  ///< f32, each half the size of the one before
  ValueRange range;
  Histogram histogram;

  int width() const { return image->width(); }
  int height() const { return image->height(); }
  ElementType type() const { return image->type(); }
  /// The native value as float, which is exact for every type. Requires 0 <= x < width, 0 <= y < height.
  float value(int x, int y) const;
  std::int64_t bytes() const;
};
using PlanePtr = std::shared_ptr<const Plane>;

/// Takes one channel of an image (shared, not copied) and measures it.
PlanePtr makePlane(std::shared_ptr<const Image> image, int channel, Coarsen coarsen = Coarsen::Mean);

/// a - b in f32. Throws Error{BadInput} if the sizes differ.
PlanePtr differencePlane(const Plane& a, const Plane& b);

}  // namespace bankside::window
