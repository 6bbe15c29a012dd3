/// What the numbers of one filter say: sums, symmetry, separable rank, frequency response.
#pragma once

#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside::window {

/// Symmetries of the matrix of taps about its own centre, wherever the anchor is. Two taps count as equal
/// within 1e-6 of the largest |tap|.
struct TapSymmetry {
  bool horizontal = false;     ///< left equals right
  bool vertical = false;       ///< top equals bottom
  bool point = false;          ///< equal to itself turned by 180 degrees
  bool antisymmetric = false;  ///< minus itself turned by 180 degrees

  bool operator==(const TapSymmetry&) const = default;
};

struct FilterAnalysis {
  double sum = 0;
  double absoluteSum = 0;
  float smallest = 0;
  float largest = 0;
  TapSymmetry symmetry;
  int rank = 0;                        ///< outer products that make up the filter; 1 is separable
  std::vector<double> singularValues;  ///< falling, min(height, width) of them
};

/// One channel of the filter. A singular value counts towards the rank where it passes the largest by a
/// factor of max(height, width) * 2^-23, the noise that rounding the taps to f32 leaves.
FilterAnalysis analyse(const Filter& filter, int channel);

/// "left-right, top-bottom, point", "antisymmetric" or "none".
std::string describe(const TapSymmetry& symmetry);

/// |H(u, v)| of one channel on a square grid of frequencies, row-major, zero frequency at (side/2, side/2);
/// column i stands for (i - side/2) / side cycles a pixel. A direct transform of the taps: exact at every
/// grid point, with no padding.
/// Units  the gain of the filter at that frequency
std::vector<double> frequencyResponse(const Filter& filter, int channel, int side);

}  // namespace bankside::window
