/// One plane of pixels as the window looks at it: native values, their spread, and coarser copies for small
/// zooms.
#pragma once

#include <algorithm>
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
  std::shared_ptr<const Image> image;  ///< null where coarser copies alone are held
  int channel = 0;
  std::vector<Image> coarser;  ///< f32, each half the size of the one before
  int finest = 0;              ///< how often the finest that is held is halved; 0 where it is the image
  ValueRange range;
  Histogram histogram;  ///< of the finest that is held
  /// Of the image, held or not.
  struct Shape {
    int width = 0;
    int height = 0;
    ElementType type = ElementType::F32;
  } shape;

  bool whole() const { return image != nullptr; }
  int width() const { return shape.width; }
  int height() const { return shape.height; }
  ElementType type() const { return shape.type; }
  /// The copy that is halved so often. Requires 1 <= level, finest <= level <= coarsest().
  const Image& copy(int level) const {
    return coarser[static_cast<std::size_t>(level - std::max(1, finest))];
  }
  int coarsest() const { return std::max(1, finest) - 1 + static_cast<int>(coarser.size()); }
  /// The native value as float, which is exact for every type; NaN where the plane is not whole. Requires 0
  /// <= x < width, 0 <= y < height.
  float value(int x, int y) const;
  std::int64_t bytes() const;
};
using PlanePtr = std::shared_ptr<const Plane>;

/// A plane of which nothing but coarser copies fits into memory, from bands of rows as they come.
class CoarsePlane {
 public:
  CoarsePlane(const Plane::Shape& shape, int finest, Coarsen coarsen = Coarsen::Mean);
  /// Rows from the top on without a gap: the first channel of `band`.
  void add(const Image& band);
  /// After the last row.
  PlanePtr take();

 private:
  template <class T>
  void addRows(const PlaneView<const T>& band);

  std::shared_ptr<Plane> plane_;
  Coarsen coarsen_;
  Image sums_;  // of blocks, or their largest
  int rows_ = 0;
};

/// Takes one channel of an image (shared, not copied) and measures it.
PlanePtr makePlane(std::shared_ptr<const Image> image, int channel, Coarsen coarsen = Coarsen::Mean);

/// a - b in f32. Throws Error{BadInput} if the sizes differ.
PlanePtr differencePlane(const Plane& a, const Plane& b);

}  // namespace bankside::window
