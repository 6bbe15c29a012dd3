/// The windows of operations that look around a pixel, as the judge needs them too.
#pragma once

#include <array>
#include <vector>

namespace bankside {

/// A window that is three boxes in a row along each axis: nearly a Gaussian, at a cost that does not depend
/// on its width. Source  W. M. Wells, Efficient synthesis of Gaussian filters by cascaded uniform filters,
/// IEEE Transactions on Pattern Analysis and Machine Intelligence 8(2), 1986.
struct WindowBoxes {
  /// `sigma` at least 1, in pixels.
  explicit WindowBoxes(double sigma);
  std::array<int, 3> radii;
  int reach() const { return radii[0] + radii[1] + radii[2]; }
};

/// So wide at most that a window's weights, (2 sigma)^6 in all, are whole numbers that a double holds.
inline constexpr double widestMean = 200;

/// exp(-k^2 / (2 sigma^2)) for k = 0, 1, ... along one axis, as far as it matters to a maximum.
std::vector<float> dilationWeights(double sigma);

}  // namespace bankside
