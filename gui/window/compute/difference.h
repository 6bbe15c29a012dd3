/// What two engines' results of one problem differ by, and what they may.
#pragma once

#include <optional>

#include "core/engine.h"
#include "gui/window/compute/plane.h"

namespace bankside::window {

/// Of its finite values, whatever their sign.
double largestOf(const ValueRange& range);

/// A difference held against what the engines' error bounds allow together, pixel by pixel.
struct DifferenceVerdict {
  double share = 0;     ///< the largest |difference| over what is allowed there; up to 1 it is rounding
  float tolerance = 0;  ///< no difference so small is more than rounding. Units  pixel values
  bool most = false;    ///< the share is at most that, and at most 1
};

/// `magnitude`: sum of |tap x pixel| at every pixel. A bound that does not look at the pixel alone takes the
/// largest one. `further`: factors of it that combining costs beside the bounds. Throws Error{BadInput} if
/// the sizes differ
DifferenceVerdict judgeDifference(const Plane& difference, const Image& magnitude, const ErrorBound& ours,
                                  const ErrorBound& theirs, double further);

/// The same without magnitudes, which cost a run: the largest is no smaller than the largest result, as terms
/// of one sign add up to no less than terms of both. None where that does not settle it.
std::optional<DifferenceVerdict> judgedByResults(const Plane& difference, const Plane& ours,
                                                 const Plane& theirs, const ErrorBound& boundOfOurs,
                                                 const ErrorBound& boundOfTheirs);

}  // namespace bankside::window
