/// Directions of oriented banks: degrees from the x axis towards the y axis, the image's y pointing down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "filters/taps/tap_grid.h"

namespace bankside {

/// A direction in the plane whose sine and cosine keep the circle's symmetries exactly: 0, 1 and -1 at
/// multiples of 90 degrees, and the same magnitudes at theta, theta + 90 and 90 - theta. Filters 90 degrees
/// apart are then each other's exact rotation.
struct Direction {
  double degrees;
  double cosine;
  double sine;
  explicit Direction(double angle);
};

/// `count` directions that divide half a turn evenly, from 0 degrees.
std::vector<Direction> halfTurn(int count);

/// "theta015"; two decimals where the angle is not whole: "theta007.50".
std::string orientationLabel(double degrees);

/// Samples a formula of (u, v) in a square of 2 * radius + 1: v runs along the direction, u across it.
///   u = -x sin(theta) + y cos(theta)      v = x cos(theta) + y sin(theta)
TapGrid orientedGrid(int radius, const Direction& direction,
                     const std::function<double(double u, double v)>& formula);

}  // namespace bankside
