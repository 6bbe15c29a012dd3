/// What a bank's taps say before they meet an image.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/plane_view.h"

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
};

/// Rank and frequencies of a filter of several channels are those of their sum.
struct FilterAnalysis {
  std::string label;
  double sum = 0;      ///< what a flat image of ones gives
  double largest = 0;  ///< sum of |tap|: no image within -1 to 1 gives more
  double noiseGain =
      0;              ///< root of the sum of squares: the deviation that noise of deviation 1 comes out with
  int zeros = 0;      ///< taps that are 0
  bool even = false;  ///< turned by 180 degrees about its middle it is itself
  bool odd = false;   ///< ... its negative
  bool mirrored = false;  ///< left and right are the same
  bool upright = false;   ///< top and bottom are the same
  int rank = 0;  ///< singular values above the largest x longer side x 2^-23, as numpy counts for f32
  std::vector<double> singularValues;
  FrequencyResponse response;
};

/// How much filters repeat each other, as rows of one matrix laid out by their anchors.
struct Redundancy {
  std::vector<double> singularValues;
  int rank = 0;        ///< as of one filter
  int for99 = 0;       ///< the fewest directions that hold 99 % of all taps' squares
  double closest = 0;  ///< the largest |cosine| between two filters
  std::string a, b;    ///< those two; empty for a bank of one
};

struct BankAnalysis {
  std::vector<FilterAnalysis> filters;
  std::optional<Redundancy> redundancy;  ///< none beyond `mostFilters`
  static constexpr int mostFilters = 128;
};

BankAnalysis analyze(const FilterBank& bank);

/// What every filter answers at one pixel, in double, the way its bank is written to be slid; pixels outside
/// are mirrored without the edge (reflect101). Requires a bank of one channel and a pixel that lies inside.
std::vector<double> answersAt(const FilterBank& bank, PlaneView<const float> plane, int x, int y);

}  // namespace bankside
