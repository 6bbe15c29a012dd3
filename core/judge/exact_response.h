/// Rows of maps and of responses in double precision, with their errors.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "core/host_plan.h"
#include "core/judge/expectation.h"

namespace bankside {

/// What is expected of a pixel: its value; finite or not, whichever zero taps and overflow made it; not
/// finite.
enum class MapState : std::uint8_t { Finite, Either, NotFinite };

/// One row of one map, [W] each. Where the state is NotFinite, value and error are 0.
struct ExactMapRow {
  std::vector<double> value;
  std::vector<double> error;
  std::vector<MapState> state;
};

/// Exact responses of one filter along a row. Where the state is NotFinite, the value may say of which kind.
struct ResponseRow {
  std::vector<double> value;
  std::vector<double> magnitude;  ///< sum |t| (|a| + e)
  std::vector<double> error;      ///< sum |t| e
  std::vector<MapState> state;
  double small = 0;  ///< see smallSums()

  /// With the bound of the plan, whose bank's largest sum of |tap x pixel| may be as large as `largest`.
  Candidate candidate(std::size_t x, const ErrorBound& bound, double largest) const;
};

/// A bank's responses over exact maps, at columns [x, x + width).
class MapResponses {
 public:
  /// Row `y` of a map.
  using Rows = std::function<const ExactMapRow&(int map, int y)>;

  MapResponses(const ConvolutionProblem& problem, const FilterBank& bank, Rows maps, int x, int width);

  /// Rows of the maps that a row of responses needs.
  void addRows(int y, std::set<int>& needed) const;
  /// Of all filters of one group, at row `y`.
  std::vector<ResponseRow> row(int group, int y) const;

 private:
  void gather(int map, int y, ExactMapRow& row) const;

  ConvolutionProblem p_;
  CorrelationTaps taps_;
  Rows maps_;
  std::size_t width_;
  std::vector<int> columns_;  ///< of the maps, below the taps of the row's pixels; -1: the border's value
};

}  // namespace bankside
