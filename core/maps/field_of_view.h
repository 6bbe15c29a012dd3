/// Where an image shows the eye: a disc or what a camera leaves of it, amid black.
#pragma once

#include <stop_token>
#include <vector>

#include "core/engine.h"
#include "core/image.h"
#include "core/parallel.h"

namespace bankside {

/// A mask at the image's size, given at any other one on request. Before there is a mask everything is
/// inside.
class FieldOfView {
 public:
  FieldOfView() = default;
  /// `mask`  [H,W] u8, inside where it is not 0. Errors  Error{BadInput} if nothing is inside
  explicit FieldOfView(Image mask);

  bool everything() const { return mask_.empty(); }

  /// [height,width] u8, 1 inside: a pixel takes what lies under its middle.
  /// Valid until another size is asked for.
  const Image& at(int height, int width);

  /// A part of that. Shapes  `area` lies in [height,width]
  Image part(int height, int width, const Region& area) const;

  /// As it was given; empty before.
  const Image& mask() const { return mask_; }

 private:
  Image mask_;
  Image sized_;
};

inline constexpr double usualFieldLevel = 0.05;

/// Which pixels of a grey image the camera shows: the convex hull of the largest piece that is brighter than
/// the frame's corners by `level` of the difference to its bright parts, and by more than their noise. All of
/// it, where the corners are no darker than half of those. Means of (2 * smoothing + 1)^2 pixels are looked
/// at, which take in as many pixels of the surround. Shapes  plane [H,W] f32; result [H,W] u8, 0 or 1
Image findField(PlaneView<const float> plane, double level, const ThreadTeam& team,
                const std::stop_token& stop = {}, int smoothing = 1);

/// The nearest inside pixel of every pixel, itself where it is inside, by Euclidean distance.
struct NearestInside {
  std::vector<int> x, y;               ///< [H*W]
  std::vector<float> squaredDistance;  ///< [H*W] pixels^2
};

/// Shapes  mask [H,W] u8, of which at least one pixel equals `inside`.
NearestInside nearestInside(PlaneView<const std::uint8_t> mask, bool inside, const ThreadTeam& team,
                            const std::stop_token& stop = {});

}  // namespace bankside
