/// Taps in double while a generator works on them; rounded once to f32 at the end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// height x width numbers, row-major. Positions are measured from the middle, x right and y down: whole
/// numbers for odd sides, halves for even ones.
class TapGrid {
 public:
  using Formula = std::function<double(double x, double y)>;

  /// Zeros. Throws Error{BadInput} if a side lies outside 1..127.
  TapGrid(int height, int width);
  /// A formula at every position.
  TapGrid(int height, int width, const Formula& formula);
  /// Numbers written out, row by row.
  TapGrid(int height, int width, std::vector<double> values);

  int height() const { return height_; }
  int width() const { return width_; }
  double& at(int y, int x) { return values_[static_cast<std::size_t>(y) * width_ + x]; }
  double at(int y, int x) const { return values_[static_cast<std::size_t>(y) * width_ + x]; }
  double positionX(int x) const { return x - 0.5 * (width_ - 1); }
  double positionY(int y) const { return y - 0.5 * (height_ - 1); }

  double sum() const;
  double norm() const;       ///< root of the sum of squares
  double magnitude() const;  ///< sum of magnitudes
  TapGrid& operator*=(double factor);
  /// Adds factor * other; sizes agree.
  TapGrid& add(double factor, const TapGrid& other);

  /// The filter with its anchor at (width/2, height/2).
  Filter toFilter(std::string label) const;

 private:
  int height_;
  int width_;
  std::vector<double> values_;
};

/// exp(-(x^2 + y^2) / (2 sigma^2)), divided by its sum over the window.
TapGrid gaussianGrid(int size, double sigma);

/// 2 * ceil(reach) + 1: the odd side that holds everything within `reach` of the middle.
int oddSideFor(double reach);

}  // namespace bankside
