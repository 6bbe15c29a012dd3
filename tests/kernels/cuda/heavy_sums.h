/// Banks and images whose sums are as large as exact ones may be.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/image.h"
#include "core/problem.h"

namespace bankside {

/// Taps of up to eleven bits all over a filter, most of them odd, about 65,000 together and not above 65,500,
/// in units of 2^-8: times 255 just below 2^24 of them.
inline FilterBank heavyBank(const ConvolutionProblem& p) {
  const auto taps = static_cast<std::size_t>(p.filterHeight) * static_cast<std::size_t>(p.filterWidth);
  const std::size_t mean = std::min<std::size_t>(65500 / taps, 1023);
  std::vector<Filter> filters;
  for (int f = 0; f < p.filterCount; ++f) {
    std::vector<float> values(taps);
    float left = 65500;
    for (std::size_t i = 0; i < taps; ++i) {
      const auto odd = static_cast<float>((37 * i + 11 * static_cast<std::size_t>(f)) % mean * 2 + 1);
      const float tap = std::min(left, odd);
      left -= tap;
      values[i] = tap * 0x1p-8f;
    }
    filters.push_back(makeFilter(std::to_string(f), p.filterHeight, p.filterWidth, std::move(values)));
  }
  return FilterBank({.name = "heavy"}, std::move(filters));
}

/// u8 pixels of 253 to 255.
inline Image brightImage(const ConvolutionProblem& p) {
  Image image(1, p.height, p.width, ElementType::U8);
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      image.view<std::uint8_t>(0).row(y)[x] = static_cast<std::uint8_t>(255 - (7 * x + 31 * y) % 3);
  return image;
}

}  // namespace bankside
