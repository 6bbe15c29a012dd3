#include "core/judge/convention.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace bankside {
namespace {

/// Near enough to a half, or to a whole number, that f32 sums may fall on the other side.
constexpr double besideRounding = 2e-3;
constexpr double ofFloats = 1e-5;

double largestOf(ElementType type) {
  return type == ElementType::U8 ? 255 : type == ElementType::U16 ? 65535 : 1;
}

bool isWhole(ElementType type) { return type == ElementType::U8 || type == ElementType::U16; }

/// How far the pixel is from what the number would become; 0: it may be that; NaN where one of them alone is.
double distance(double number, double pixel, Depth depth, double most, double tolerance) {
  const auto within = [](double v, double low, double high) {
    return v < low ? low - v : v <= high ? 0 : v - high;
  };
  const auto apart = [&](double v) {
    const bool same = v == pixel || (std::isnan(v) && std::isnan(pixel));  // infinities too
    return same ? 0 : std::max(std::fabs(v - pixel) - tolerance, 0.0);
  };
  switch (depth) {
    case Depth::AsItIs: return apart(number);
    case Depth::ClippedAtZero: return apart(std::max(number, 0.0));
    case Depth::Magnitude: number = std::fabs(number); [[fallthrough]];
    case Depth::Rounded:
      return within(std::clamp(number, 0.0, most), pixel - 0.5 - besideRounding,
                    pixel + 0.5 + besideRounding);
    case Depth::CutOff:
      return within(std::clamp(number, 0.0, most), pixel - besideRounding,
                    pixel == most ? most : pixel + 1 + besideRounding);
  }
  return 0;
}

double largestIn(PlaneView<const float> view) {
  double largest = 0;
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x)
      largest = std::max(largest, std::fabs(static_cast<double>(view.at(x, y))));
  }
  return largest;
}

}  // namespace

std::vector<Factor> factorsOf(const Filter& filter, ElementType pixels, ElementType result) {
  double sum = 0, size = 0;
  for (const float tap : filter.taps) {
    sum += static_cast<double>(tap);
    size += std::fabs(static_cast<double>(tap));
  }
  const auto differs = [](double a, double b) { return std::fabs(a - b) > 1e-6 * std::fabs(b); };
  std::vector<Factor> factors = {{"taps as they are", 1}};
  if (std::fabs(sum) > 1e-6 * size && differs(sum, 1)) factors.push_back({"over the sum of taps", 1 / sum});
  if (size > 0 && differs(size, 1) && differs(size, sum))
    factors.push_back({"over the sum of the taps' magnitudes", 1 / size});
  if (!isWhole(pixels) || isWhole(result)) return factors;
  const std::size_t count = factors.size();
  for (std::size_t i = 0; i < count; ++i)
    factors.push_back({factors[i].words + ", pixels from 0 to 1", factors[i].value / largestOf(pixels)});
  return factors;
}

const char* words(Depth depth) {
  switch (depth) {
    case Depth::AsItIs: return "as it is";
    case Depth::Rounded: return "rounded and clipped";
    case Depth::CutOff: return "cut off to whole numbers and clipped";
    case Depth::Magnitude: return "its magnitude, rounded and clipped";
    case Depth::ClippedAtZero: return "clipped at 0";
  }
  return "";
}

std::vector<Depth> depthsOf(ElementType result) {
  if (isWhole(result)) return {Depth::Rounded, Depth::CutOff, Depth::Magnitude};
  return {Depth::AsItIs, Depth::ClippedAtZero};
}

std::optional<Factor> withOffset(PlaneView<const float> numbers, PlaneView<const float> view,
                                 ElementType type, const Factor& factor, Depth depth) {
  if (depth == Depth::Magnitude) return std::nullopt;
  constexpr double enough = 1 << 12;
  int step = 1;
  while (static_cast<double>(view.height) * view.width / step / step > enough) ++step;
  std::vector<double> differences;
  for (int y = 0; y < view.height; y += step) {
    for (int x = 0; x < view.width; x += step) {
      const double pixel = view.at(x, y);
      const bool clipped = isWhole(type) ? pixel <= 0 || pixel >= largestOf(type)
                                         : depth == Depth::ClippedAtZero && pixel <= 0;
      const double difference = pixel - factor.value * static_cast<double>(numbers.at(x, y));
      if (!clipped && std::isfinite(difference)) differences.push_back(difference);
    }
  }
  if (differences.empty()) return std::nullopt;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  double offset = *middle;
  // What is cut off lies up to 1 below, 0 where the filter's numbers are whole.
  if (isWhole(type))
    offset = depth == Depth::CutOff ? std::ceil(offset - besideRounding) : std::round(offset);
  if (std::fabs(offset) <= ofFloats * largestIn(view)) return std::nullopt;
  Factor added = factor;
  added.offset = offset;
  added.words += (offset < 0 ? ", minus " : ", plus ") + formatNumber(static_cast<float>(std::fabs(offset)));
  return added;
}

Looked agreement(PlaneView<const float> numbers, PlaneView<const float> view, ElementType type,
                 const Factor& factor, Depth depth, int step, std::int64_t mostWrong) {
  const double tolerance = ofFloats * largestIn(view);
  const double most = largestOf(type);
  constexpr int rim = 4;
  const auto near = [](int i, int count) { return i < rim || i >= count - rim; };
  Looked looked;
  for (int y = 0; y < view.height; ++y) {
    const bool wholeRow = near(y, view.height);
    if (!wholeRow && y % step != 0) continue;
    for (int x = 0; x < view.width; ++x) {
      if (!wholeRow && x % step != 0 && !near(x, view.width)) continue;
      ++looked.pixels;
      const double off = distance(factor.value * static_cast<double>(numbers.at(x, y)) + factor.offset,
                                  static_cast<double>(view.at(x, y)), depth, most, tolerance);
      // NaN is no agreement.
      if (off <= 0) {
        ++looked.agree;
      } else {
        looked.worst = std::max(looked.worst, off);
      }
    }
    if (looked.pixels - looked.agree > mostWrong) return looked;
  }
  return looked;
}

}  // namespace bankside
