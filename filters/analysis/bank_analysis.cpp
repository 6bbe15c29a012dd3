#include "filters/analysis/bank_analysis.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "core/border.h"
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

int rankOf(const std::vector<double>& values, std::size_t longer) {
  const double least = values.front() * static_cast<double>(longer) * epsilon;
  return static_cast<int>(std::count_if(values.begin(), values.end(), [&](double v) { return v > least; }));
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
bool equals(const Filter& f, double sign, const Other& other) {
  for (int c = 0; c < f.channels; ++c) {
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        const auto [oy, ox] = other(y, x);
        if (static_cast<double>(f.tap(c, y, x)) != sign * static_cast<double>(f.tap(c, oy, ox))) return false;
      }
    }
  }
  return true;
}

FilterAnalysis analyzeFilter(const Filter& f) {
  FilterAnalysis a;
  a.label = f.label;
  double squares = 0;
  for (const float tap : f.taps) {
    const double t = tap;
    a.sum += t;
    a.largest += std::fabs(t);
    squares += t * t;
    a.zeros += t == 0 ? 1 : 0;
  }
  a.noiseGain = std::sqrt(squares);
  const auto turned = [&](int y, int x) { return std::pair(f.height - 1 - y, f.width - 1 - x); };
  a.even = equals(f, 1, turned);
  a.odd = !a.even && equals(f, -1, turned);
  a.mirrored = equals(f, 1, [&](int y, int x) { return std::pair(y, f.width - 1 - x); });
  a.upright = equals(f, 1, [&](int y, int x) { return std::pair(f.height - 1 - y, x); });
  const auto plane = planeOf(f);
  a.singularValues = singularValues(plane);
  a.rank = rankOf(a.singularValues, std::max(plane.size(), plane.front().size()));
  a.response = responseOf(plane);
  return a;
}

/// Every filter as one row, taps at the same distance from the anchor in the same place.
std::vector<std::vector<double>> rowsOf(const FilterBank& bank) {
  int left = 0, top = 0, right = 0, bottom = 0;
  for (const Filter& f : bank.filters()) {
    left = std::max(left, f.anchorX);
    top = std::max(top, f.anchorY);
    right = std::max(right, f.width - 1 - f.anchorX);
    bottom = std::max(bottom, f.height - 1 - f.anchorY);
  }
  const auto width = static_cast<std::size_t>(left + right + 1);
  const auto height = static_cast<std::size_t>(top + bottom + 1);
  std::vector<std::vector<double>> rows;
  for (const Filter& f : bank.filters()) {
    std::vector<double>& row = rows.emplace_back(width * height * static_cast<std::size_t>(f.channels));
    for (int c = 0; c < f.channels; ++c) {
      for (int y = 0; y < f.height; ++y) {
        for (int x = 0; x < f.width; ++x)
          row[(static_cast<std::size_t>(c) * height + static_cast<std::size_t>(top - f.anchorY + y)) * width +
              static_cast<std::size_t>(left - f.anchorX + x)] = f.tap(c, y, x);
      }
    }
  }
  return rows;
}

Redundancy redundancyOf(const FilterBank& bank) {
  const auto rows = rowsOf(bank);
  Redundancy r;
  r.singularValues = singularValues(rows);
  r.rank = rankOf(r.singularValues, std::max(rows.size(), rows.front().size()));
  const auto square = [](double sum, double v) { return sum + v * v; };
  const double all = std::accumulate(r.singularValues.begin(), r.singularValues.end(), 0.0, square);
  double held = 0;
  for (const double v : r.singularValues) {
    if (held >= 0.99 * all) break;
    held += v * v;
    ++r.for99;
  }
  const auto product = [](const auto& a, const auto& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const double norms = std::sqrt(product(rows[i], rows[i]) * product(rows[j], rows[j]));
      const double cosine = norms > 0 ? std::fabs(product(rows[i], rows[j])) / norms : 0;
      if (!r.a.empty() && cosine <= r.closest) continue;
      r.closest = cosine;
      r.a = bank.filters()[i].label;
      r.b = bank.filters()[j].label;
    }
  }
  return r;
}

}  // namespace

BankAnalysis analyze(const FilterBank& bank) {
  BankAnalysis analysis;
  for (const Filter& f : bank.filters()) analysis.filters.push_back(analyzeFilter(f));
  if (bank.size() <= BankAnalysis::mostFilters) analysis.redundancy = redundancyOf(bank);
  return analysis;
}

std::vector<double> answersAt(const FilterBank& bank, PlaneView<const float> plane, int x, int y) {
  const bool turn = bank.info().mode == FilterMode::Convolution;
  std::vector<double> answers;
  for (const Filter& given : bank.filters()) {
    const Filter f = turn ? rotated180(given) : given;
    double sum = 0;
    for (int j = 0; j < f.height; ++j) {
      const int row = borderIndex(y + j - f.anchorY, plane.height, BorderKind::Reflect101);
      for (int i = 0; i < f.width; ++i) {
        const int column = borderIndex(x + i - f.anchorX, plane.width, BorderKind::Reflect101);
        sum += static_cast<double>(f.tap(0, j, i)) * static_cast<double>(plane.at(column, row));
      }
    }
    answers.push_back(sum);
  }
  return answers;
}

}  // namespace bankside
