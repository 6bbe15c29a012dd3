#include "kernels/opencv/rank_one.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace bankside {
namespace {

bool wholeNumbers(const float* taps, int count) {
  return std::all_of(taps, taps + count,
                     [](float tap) { return std::fabs(tap) < 0x1p24f && tap == std::trunc(tap); });
}

}  // namespace

std::optional<OuterProduct> rankOne(const float* taps, int height, int width) {
  const int count = height * width;
  const float* largest =
      std::max_element(taps, taps + count, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
  if (*largest == 0)
    return OuterProduct{std::vector<float>(static_cast<std::size_t>(height)),
                        std::vector<float>(static_cast<std::size_t>(width)), 0};
  const auto at = static_cast<int>(largest - taps);
  const float* pivotRow = taps + static_cast<std::ptrdiff_t>(at / width) * width;

  // Through the largest tap: its row as it is, and its column divided by it.
  double divisor = 1;
  if (wholeNumbers(taps, count)) {
    std::int64_t common = 0;
    for (int x = 0; x < width; ++x) common = std::gcd(common, static_cast<std::int64_t>(pivotRow[x]));
    divisor = static_cast<double>(common);
  }
  OuterProduct factors;
  for (int x = 0; x < width; ++x) factors.row.push_back(static_cast<float>(pivotRow[x] / divisor));
  const double pivot = *largest / divisor;
  for (int y = 0; y < height; ++y) {
    factors.column.push_back(
        static_cast<float>(taps[static_cast<std::ptrdiff_t>(y) * width + at % width] / pivot));
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double tap = taps[static_cast<std::ptrdiff_t>(y) * width + x];
      const double product = static_cast<double>(factors.column[static_cast<std::size_t>(y)]) *
                             static_cast<double>(factors.row[static_cast<std::size_t>(x)]);
      const double off = std::fabs(tap - product);
      if (off > rankOneTolerance * std::fabs(tap)) return std::nullopt;
      if (off > 0) factors.error = std::max(factors.error, off / std::fabs(tap));
    }
  }
  return factors;
}

}  // namespace bankside
