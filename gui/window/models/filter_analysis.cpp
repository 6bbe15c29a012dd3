#include "gui/window/models/filter_analysis.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

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
  const auto plane = static_cast<std::size_t>(filter.height) * filter.width;
  const auto first = filter.taps.begin() + static_cast<std::ptrdiff_t>(plane) * channel;
  const std::vector<double> taps(first, first + static_cast<std::ptrdiff_t>(plane));
  for (const double tap : taps) {
    result.sum += tap;
    result.absoluteSum += std::abs(tap);
  }
  const auto [low, high] = std::minmax_element(taps.begin(), taps.end());
  result.smallest = static_cast<float>(*low);
  result.largest = static_cast<float>(*high);
  result.symmetry = symmetryOf(filter, channel, 1e-6 * std::max(-*low, *high));
  result.singularValues = singularValues(taps, filter.height, filter.width);
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

std::vector<double> singularValues(std::vector<double> matrix, int rows, int columns) {
  // Rotations act on the shorter side's vectors; store those contiguously.
  int count = rows;
  int length = columns;
  if (columns < rows) {
    std::vector<double> turned(matrix.size());
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x)
        turned[static_cast<std::size_t>(x) * rows + y] = matrix[static_cast<std::size_t>(y) * columns + x];
    }
    matrix = std::move(turned);
    std::swap(count, length);
  }
  const auto vector = [&](int i) { return matrix.data() + static_cast<std::ptrdiff_t>(i) * length; };
  constexpr int maxSweeps = 60;  // It converges quadratically; 127 x 127 takes about ten.
  // Rounding leaves dot products of up to about sqrt(127) epsilon, and vectors of an epsilon of the whole.
  constexpr double orthogonal = 1e-14;
  const double nothing = 1e-31 * std::inner_product(matrix.begin(), matrix.end(), matrix.begin(), 0.0);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < maxSweeps; ++sweep) {
    rotated = false;
    for (int i = 0; i + 1 < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        double* a = vector(i);
        double* b = vector(j);
        const double aa = std::inner_product(a, a + length, a, 0.0);
        const double bb = std::inner_product(b, b + length, b, 0.0);
        const double ab = std::inner_product(a, a + length, b, 0.0);
        if (std::abs(ab) <= orthogonal * std::sqrt(aa * bb) || std::min(aa, bb) <= nothing) continue;
        rotated = true;
        const double zeta = (bb - aa) / (2 * ab);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, t);
        const double s = c * t;
        for (int k = 0; k < length; ++k) {
          const double old = a[k];
          a[k] = c * old - s * b[k];
          b[k] = s * old + c * b[k];
        }
      }
    }
  }
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(std::sqrt(std::inner_product(vector(i), vector(i) + length, vector(i), 0.0)));
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
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
