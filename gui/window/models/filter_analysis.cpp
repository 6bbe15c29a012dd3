#include "gui/window/models/filter_analysis.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "core/singular_values.h"
#include "core/text.h"

namespace bankside::window {
namespace {

TapSymmetry symmetryOf(const Filter& f, int channel, double tolerance) {
  TapSymmetry s{.horizontal = true, .vertical = true, .point = true, .antisymmetric = true};
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      const int yBack = f.height - 1 - y;
      const int xBack = f.width - 1 - x;
      const double tap = f.tap(channel, y, x);
      s.horizontal = s.horizontal && std::abs(tap - f.tap(channel, y, xBack)) <= tolerance;
      s.vertical = s.vertical && std::abs(tap - f.tap(channel, yBack, x)) <= tolerance;
      s.point = s.point && std::abs(tap - f.tap(channel, yBack, xBack)) <= tolerance;
      s.antisymmetric = s.antisymmetric && std::abs(tap + f.tap(channel, yBack, xBack)) <= tolerance;
    }
  }
  return s;
}

}  // namespace

FilterAnalysis analyse(const Filter& filter, int channel) {
  FilterAnalysis result;
  result.smallest = result.largest = filter.tap(channel, 0, 0);
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(filter.height));
  for (int y = 0; y < filter.height; ++y) {
    for (int x = 0; x < filter.width; ++x) {
      const float tap = filter.tap(channel, y, x);
      result.sum += tap;
      result.absoluteSum += std::abs(tap);
      result.smallest = std::min(result.smallest, tap);
      result.largest = std::max(result.largest, tap);
      rows[static_cast<std::size_t>(y)].push_back(tap);
    }
  }
  const double highest = std::max(-result.smallest, result.largest);
  result.symmetry = symmetryOf(filter, channel, 1e-6 * highest);
  result.singularValues = singularValues(std::move(rows));
  const double noise =
      result.singularValues.front() * std::max(filter.height, filter.width) * std::ldexp(1.0, -23);
  result.rank = static_cast<int>(std::count_if(result.singularValues.begin(), result.singularValues.end(),
                                               [&](double value) { return value > noise; }));
  return result;
}

std::string describe(const TapSymmetry& symmetry) {
  std::vector<std::string> words;
  if (symmetry.horizontal) words.emplace_back("left-right");
  if (symmetry.vertical) words.emplace_back("top-bottom");
  if (symmetry.point) words.emplace_back("half turn");
  if (symmetry.antisymmetric) words.emplace_back("antisymmetric");
  return words.empty() ? "none" : joinWords(words);
}

std::vector<double> frequencyResponse(const Filter& filter, int channel, int side) {
  using Complex = std::complex<double>;
  std::vector<Complex> circle;
  for (int phase = 0; phase < side; ++phase)
    circle.push_back(std::polar(1.0, -2 * std::numbers::pi * phase / side));
  const auto turn = [&](int i, int position) {
    return circle[static_cast<std::size_t>(((i - side / 2) * position % side + side) % side)];
  };
  std::vector<Complex> alongX(static_cast<std::size_t>(filter.height) * side);
  for (int y = 0; y < filter.height; ++y) {
    for (int u = 0; u < side; ++u) {
      Complex total = 0;
      for (int x = 0; x < filter.width; ++x)
        total += static_cast<double>(filter.tap(channel, y, x)) * turn(u, x - filter.anchorX);
      alongX[static_cast<std::size_t>(y) * side + u] = total;
    }
  }
  std::vector<double> gain(static_cast<std::size_t>(side) * side);
  for (int v = 0; v < side; ++v) {
    std::vector<Complex> row(static_cast<std::size_t>(side));
    for (int y = 0; y < filter.height; ++y) {
      const Complex factor = turn(v, y - filter.anchorY);
      for (int u = 0; u < side; ++u)
        row[static_cast<std::size_t>(u)] += factor * alongX[static_cast<std::size_t>(y) * side + u];
    }
    for (int u = 0; u < side; ++u)
      gain[static_cast<std::size_t>(v) * side + u] = std::abs(row[static_cast<std::size_t>(u)]);
  }
  return gain;
}

}  // namespace bankside::window
