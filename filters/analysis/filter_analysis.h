/// What one filter's taps say before they meet an image.
#pragma once

#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// |H| of a filter, H(fx, fy) = sum of taps exp(-2 pi i (fx x + fy y)), over half the plane of frequencies:
/// the other half is its mirror image.
struct FrequencyResponse {
  static constexpr int steps = 128;  ///< a cycle per pixel

  std::vector<double>
      magnitudes;  ///< [steps / 2 + 1][steps]: fy from 0 to 1/2, fx from -1/2 up to 1/2 - 1/steps

  double peak = 0;       ///< the largest
  double frequency = 0;  ///< where that is: cycles per pixel
  double direction = 0;  ///< degrees from the x axis towards the y axis, [0, 180)

  /// The whole plane, [steps][steps]: no frequency in the middle.
  std::vector<double> plane() const;
};

/// About the middle of the taps, wherever the anchor is. Taps are equal within 1e-6 of the largest |tap|.
struct TapSymmetry {
  bool even = false;      ///< turned by 180 degrees it is itself
  bool odd = false;       ///< ... its negative, and not all 0
  bool mirrored = false;  ///< left and right are the same
  bool upright = false;   ///< top and bottom are the same

  bool operator==(const TapSymmetry&) const = default;
};

TapSymmetry symmetryOf(const Filter& filter);

/// "even, left = right", or "none".
std::string describe(const TapSymmetry& symmetry);

/// Singular values above the largest x `longer` side x 2^-23, as numpy counts for f32. They are falling.
int rankOf(const std::vector<double>& singularValues, std::size_t longer);

/// Rank and frequencies of a filter of several channels are those of their sum.
struct FilterAnalysis {
  std::string label;
  double sum = 0;         ///< what a flat image of ones gives
  double largest = 0;     ///< sum of |tap|: no image within -1 to 1 gives more
  double noiseGain = 0;   ///< root of the sum of squares: what noise of deviation 1 comes out with
  float smallestTap = 0;  ///< less than 0 in most
  float largestTap = 0;
  int zeros = 0;  ///< taps that are 0
  TapSymmetry symmetry;
  int rank = 0;  ///< row times column products that it is the sum of
  std::vector<double> singularValues;
  FrequencyResponse response;
};

FilterAnalysis analyze(const Filter& filter);

/// One channel as a filter of its own.
Filter channelOf(const Filter& filter, int channel);

}  // namespace bankside
