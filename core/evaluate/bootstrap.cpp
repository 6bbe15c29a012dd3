#include "core/evaluate/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace bankside {
namespace {

/// Between the two nearest of sorted values, in proportion.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Bootstrap::Interval Bootstrap::interval(const std::function<double(const std::vector<int>&)>& figure) const {
  std::mt19937 twister(seed);  // the standard says which numbers it gives
  std::vector<double> values;
  for (int i = 0; i < resamples && images_ > 1; ++i) {
    std::vector<int> draws(images_, 0);
    for (std::size_t k = 0; k < images_; ++k) {
      const std::uint64_t word = twister();
      ++draws[static_cast<std::size_t>(word * images_ >> 32)];
    }
    if (const double value = figure(draws); !std::isnan(value)) values.push_back(value);
  }
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nothing, nothing};
  std::sort(values.begin(), values.end());
  return {quantile(values, (1 - level) / 2), quantile(values, (1 + level) / 2)};
}

}  // namespace bankside
