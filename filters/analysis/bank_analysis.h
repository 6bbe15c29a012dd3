/// What a bank's filters say of each other, and of a pixel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/plane_view.h"
#include "filters/analysis/filter_analysis.h"

namespace bankside {

/// How much filters repeat each other, as rows of one matrix laid out by their anchors.
struct Redundancy {
  std::vector<double> singularValues;
  int rank = 0;        ///< as of one filter
  int for99 = 0;       ///< the fewest directions that hold 99 % of all taps' squares
  double closest = 0;  ///< the largest |cosine| between two filters
  std::string a, b;    ///< those two; empty for a bank of one
};

/// "12 filters span 9 dimensions; ...", for a person. Labels are as they are.
std::string describe(const Redundancy& redundancy, int filters);

struct BankAnalysis {
  std::vector<FilterAnalysis> filters;
  std::optional<Redundancy> redundancy;  ///< none beyond `mostFilters`
  static constexpr int mostFilters = 128;
};

BankAnalysis analyze(const FilterBank& bank);

/// That alone, in far less time.
std::optional<Redundancy> redundancyOf(const FilterBank& bank);

/// What every filter answers at one pixel, in double, the way its bank is written to be slid; pixels outside
/// are mirrored without the edge (reflect101). Requires a bank of one channel and a pixel that lies inside.
std::vector<double> answersAt(const FilterBank& bank, PlaneView<const float> plane, int x, int y);

}  // namespace bankside
