/// What a bank's filters say of each other, and of a pixel.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/border.h"
#include "core/filter_bank.h"
#include "core/stop_check.h"
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
std::optional<Redundancy> redundancyOf(const FilterBank& bank, const StopCheck& check = {});

/// Pixels of an image, asked for inside it alone.
struct PixelSource {
  int width = 0;
  int height = 0;
  std::function<float(int channel, int x, int y)> at;
};

/// What every filter answers at one pixel that lies inside: taps times f32 pixels of as many channels as it
/// has, summed in double, so that no engine's rounding is in it. A tap of 0 takes no part. `mode`: instead of
/// the way the bank is written to be slid.
std::vector<double> answersAt(const FilterBank& bank, const PixelSource& pixels, int x, int y,
                              const Border& border = {}, const std::optional<FilterMode>& mode = {},
                              const StopCheck& check = {});

}  // namespace bankside
