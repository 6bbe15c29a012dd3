#include "filters/analysis/filter_analysis.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "core/singular_values.h"

namespace bankside {
namespace {

constexpr double epsilon = 0x1p-23;  // of f32

/// Taps in double, channels added up: [height][width].
std::vector<std::vector<double>> planeOf(const Filter& f) {
  std::vector<std::vector<double>> plane(static_cast<std::size_t>(f.height),
                                         std::vector<double>(static_cast<std::size_t>(f.width)));
  for (int c = 0; c < f.channels; ++c) {
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x)
        plane[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] +=
            static_cast<double>(f.tap(c, y, x));
    }
  }
  return plane;
}

/// exp(-2 pi i k / steps) for k = 0, 1, ...
const std::vector<std::complex<double>>& turns() {
  static const std::vector<std::complex<double>> all = [] {
    std::vector<std::complex<double>> list;
    for (int k = 0; k < FrequencyResponse::steps; ++k)
      list.push_back(std::polar(1.0, -2 * std::numbers::pi * k / FrequencyResponse::steps));
    return list;
  }();
  return all;
}

/// Rows first, then columns.
FrequencyResponse responseOf(const std::vector<std::vector<double>>& plane) {
  constexpr int n = FrequencyResponse::steps;
  const auto turnAt = [](std::size_t place, int frequency) {
    const auto k = static_cast<std::ptrdiff_t>(place) * frequency % n;
    return turns()[static_cast<std::size_t>((k + n) % n)];
  };
  std::vector<std::vector<std::complex<double>>> rows(plane.size());
  for (std::size_t y = 0; y < plane.size(); ++y) {
    for (int fx = -n / 2; fx < n / 2; ++fx) {
      std::complex<double> sum = 0;
      for (std::size_t x = 0; x < plane[y].size(); ++x) sum += plane[y][x] * turnAt(x, fx);
      rows[y].push_back(sum);
    }
  }
  FrequencyResponse response;
  for (int fy = 0; fy <= n / 2; ++fy) {
    for (int i = 0; i < n; ++i) {
      std::complex<double> sum = 0;
      for (std::size_t y = 0; y < rows.size(); ++y)
        sum += rows[y][static_cast<std::size_t>(i)] * turnAt(y, fy);
      const double magnitude = std::abs(sum);
      response.magnitudes.push_back(magnitude);
      // Mirror images of one another differ by rounding: the first of them stays.
      if (magnitude <= response.peak * (1 + 1e-9)) continue;
      const double x = static_cast<double>(i - n / 2) / n;
      const double y = static_cast<double>(fy) / n;
      response.peak = magnitude;
      response.frequency = std::hypot(x, y);
      response.direction = std::fmod(std::atan2(y, x) * 180 / std::numbers::pi + 180, 180);
    }
  }
  return response;
}

template <class Other>
bool equals(const Filter& f, double sign, double tolerance, const Other& other) {
  for (int c = 0; c < f.channels; ++c) {
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        const auto [oy, ox] = other(y, x);
        const double difference =
            static_cast<double>(f.tap(c, y, x)) - sign * static_cast<double>(f.tap(c, oy, ox));
        if (!(std::fabs(difference) <= tolerance)) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::vector<double> FrequencyResponse::plane() const {
  std::vector<double> whole;
  whole.reserve(static_cast<std::size_t>(steps) * steps);
  for (int v = -steps / 2; v < steps / 2; ++v) {
    for (int u = -steps / 2; u < steps / 2; ++u) {
      const int x = v < 0 ? -u : u;  // half a cycle to the right is half a cycle to the left
      const int column = (x + steps / 2) % steps;
      whole.push_back(
          magnitudes[static_cast<std::size_t>(std::abs(v)) * steps + static_cast<std::size_t>(column)]);
    }
  }
  return whole;
}

TapSymmetry symmetryOf(const Filter& f) {
  double largest = 0;
  for (const float tap : f.taps) largest = std::max(largest, std::fabs(static_cast<double>(tap)));
  const double tolerance = 1e-6 * largest;
  const auto turned = [&](int y, int x) { return std::pair(f.height - 1 - y, f.width - 1 - x); };
  TapSymmetry s;
  s.even = equals(f, 1, tolerance, turned);
  s.odd = !s.even && equals(f, -1, tolerance, turned);
  s.mirrored = equals(f, 1, tolerance, [&](int y, int x) { return std::pair(y, f.width - 1 - x); });
  s.upright = equals(f, 1, tolerance, [&](int y, int x) { return std::pair(f.height - 1 - y, x); });
  return s;
}

std::string describe(const TapSymmetry& s) {
  std::string text = s.even ? "even" : s.odd ? "odd" : "";
  const auto add = [&](bool holds, const char* word) {
    if (holds) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(s.mirrored, "left = right");
  add(s.upright, "top = bottom");
  return text.empty() ? "none" : text;
}

int rankOf(const std::vector<double>& values, std::size_t longer) {
  const double least = values.front() * static_cast<double>(longer) * epsilon;
  return static_cast<int>(std::count_if(values.begin(), values.end(), [&](double v) { return v > least; }));
}

FilterAnalysis analyze(const Filter& f) {
  FilterAnalysis a;
  a.label = f.label;
  a.smallestTap = a.largestTap = f.taps.front();
  double squares = 0;
  for (const float tap : f.taps) {
    const double t = tap;
    a.sum += t;
    a.largest += std::fabs(t);
    squares += t * t;
    a.zeros += t == 0 ? 1 : 0;
    a.smallestTap = std::min(a.smallestTap, tap);
    a.largestTap = std::max(a.largestTap, tap);
  }
  a.noiseGain = std::sqrt(squares);
  a.symmetry = symmetryOf(f);
  const auto plane = planeOf(f);
  a.singularValues = singularValues(plane);
  a.rank = rankOf(a.singularValues, std::max(plane.size(), plane.front().size()));
  a.response = responseOf(plane);
  return a;
}

Filter channelOf(const Filter& filter, int channel) {
  Filter one = filter;
  one.channels = 1;
  const auto size = static_cast<std::ptrdiff_t>(filter.height) * filter.width;
  one.taps.assign(filter.taps.begin() + channel * size, filter.taps.begin() + (channel + 1) * size);
  return one;
}

}  // namespace bankside
