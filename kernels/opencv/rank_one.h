/// A filter as a column times a row, where it is one. Pure arithmetic, without OpenCV's headers.
#pragma once

#include <optional>
#include <vector>

namespace bankside {

struct OuterProduct {
  std::vector<float> column;  ///< [kh]
  std::vector<float> row;     ///< [kw]
  double error = 0;           ///< largest |tap - column x row| / |tap|; at most `rankOneTolerance`
};

/// A filter counts as rank 1 if every tap is the product of its factors to within this share of itself (16
/// units in the last place: taps that were computed in double and rounded once lie within 4).
inline constexpr double rankOneTolerance = 0x1p-20;

/// The factors, or nothing where the filter has a higher rank. Filters of whole numbers get
/// factors of whole numbers, so that their sums stay exact.
std::optional<OuterProduct> rankOne(const float* taps, int height, int width);

}  // namespace bankside
