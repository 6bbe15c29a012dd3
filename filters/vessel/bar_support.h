/// Where the bar-shaped filters of Chaudhuri and Zhang are not zero.
#pragma once

#include <cmath>

namespace bankside {

/// N = {|u| <= 3 sigma, |v| <= length / 2}.
struct BarSupport {
  double sigma;
  double length;

  /// Keeps positions on the rim of N in it whatever their coordinates' last bit is.
  static constexpr double rimTolerance = 1e-9;

  bool contains(double u, double v) const {
    return std::abs(u) <= 3 * sigma + rimTolerance && std::abs(v) <= 0.5 * length + rimTolerance;
  }

  /// Of the smallest square that holds N in every direction.
  int radius() const { return static_cast<int>(std::hypot(3 * sigma, 0.5 * length) + rimTolerance); }
};

}  // namespace bankside
