/// How a field of view is found: what host and device do alike of `findField`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plane_view.h"

namespace bankside {

/// So many of all means are no brighter than the bright parts of the image.
inline constexpr double brightPercent = 95;

/// Of the squares in the frame's corners, which no round field reaches.
int cornerSide(int width, int height);

/// Means above `value` are field; or all of it is, as the corners show the eye too.
struct FieldThreshold {
  float value = 0;
  bool everything = false;
};
FieldThreshold fieldThreshold(float bright, std::vector<float> corners, double level);

/// Of the disc that opens the field: marks and letters beside it are thinner.
float openingRadius(int width, int height);

/// The smallest convex region that holds the mask's largest piece: what a camera shows has no dents, though
/// its rim may be as dark as the surround. Source  A. M. Andrew, Another efficient algorithm for convex hulls
/// in two dimensions, Information Processing Letters 9, 1979.
void keepConvexPiece(PlaneView<std::uint8_t> mask);

}  // namespace bankside
