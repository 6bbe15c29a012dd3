#include "filters/analysis/bank_analysis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/singular_values.h"
#include "core/text.h"

namespace bankside {
namespace {

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

}  // namespace

std::optional<Redundancy> redundancyOf(const FilterBank& bank, const StopCheck& check) {
  if (bank.size() > BankAnalysis::mostFilters) return std::nullopt;
  const auto rows = rowsOf(bank);
  Redundancy r;
  r.singularValues = singularValues(rows, check);
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
      ask(check);
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

BankAnalysis analyze(const FilterBank& bank) {
  BankAnalysis analysis;
  for (const Filter& f : bank.filters()) analysis.filters.push_back(analyze(f));
  analysis.redundancy = redundancyOf(bank);
  return analysis;
}

std::string describe(const Redundancy& r, int filters) {
  return std::to_string(filters) + " filters span " + std::to_string(r.rank) + " dimensions; " +
         std::to_string(r.for99) + " of them hold 99 % of all taps' squares. Nearest to each other: " + r.a +
         " and " + r.b + ", cosine " + formatFixed(r.closest, 4) + ".";
}

std::vector<double> answersAt(const FilterBank& bank, const PixelSource& pixels, int x, int y,
                              const Border& border, const std::optional<FilterMode>& mode,
                              const StopCheck& check) {
  const bool turn = mode.value_or(bank.info().mode) == FilterMode::Convolution;
  const auto pixel = [&](int channel, int column, int row) {
    column = borderIndex(column, pixels.width, border);
    row = borderIndex(row, pixels.height, border);
    return static_cast<double>(column < 0 || row < 0 ? border.value : pixels.at(channel, column, row));
  };
  std::vector<double> answers;
  for (const Filter& given : bank.filters()) {
    const Filter f = turn ? rotated180(given) : given;
    double sum = 0;
    for (int c = 0; c < f.channels; ++c) {
      for (int j = 0; j < f.height; ++j) {
        ask(check);
        for (int i = 0; i < f.width; ++i) {
          if (const float tap = f.tap(c, j, i); tap != 0)
            sum += static_cast<double>(tap) * pixel(c, x + i - f.anchorX, y + j - f.anchorY);
        }
      }
    }
    answers.push_back(sum);
  }
  return answers;
}

}  // namespace bankside
