/// How far an engine's sums are from exact ones: what the tensor cores' are compared with serial f32's by.
#pragma once

#include <cmath>
#include <vector>

#include "core/judge/compare.h"
#include "core/made_input.h"

namespace bankside {

enum class TapSigns { Both, Positive };

/// Dense random taps; of one sign all products add up, so that sums which are cut off err to one side.
inline FilterBank bankOfSigns(const ConvolutionProblem& p, TapSigns signs, std::uint64_t seed) {
  FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, seed);
  if (signs == TapSigns::Both) return bank;
  std::vector<Filter> filters = bank.filters();
  for (Filter& filter : filters)
    for (float& tap : filter.taps) tap = std::fabs(tap);
  return FilterBank({.name = "positive"}, std::move(filters));
}

/// Largest |out - exact| over the sum of |tap x pixel|: the pixel's own, or the largest that the image could
/// have.
inline double worstError(const Engine& engine, const ConvolutionProblem& p, const FilterBank& bank,
                         const Image& image, bool pixelwise = true, const PlanOptions& options = {}) {
  ImageSource source(image);
  return verify(p, bank, source, wholeImage(p), runWhole(engine, p, bank, image, options), {1.0, pixelwise})
      .maxBoundRatio;
}

/// What pixels are like. Dim: most of an f32 image's lie 2^-20 to 1 below the largest, evenly by magnitude.
enum class PixelRange { Even, Dim };

inline Image imageOfRange(const ConvolutionProblem& p, PixelRange range, std::uint64_t seed) {
  Image image = randomImage(p.channels, p.height, p.width, p.srcType, seed);
  if (range == PixelRange::Even) return image;
  const Image exponents = randomImage(p.channels, p.height, p.width, ElementType::U8, seed + 1);
  for (int c = 0; c < p.channels; ++c)
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x)
        image.view<float>(c).row(y)[x] *=
            std::exp2(-20.0f * static_cast<float>(exponents.view<std::uint8_t>(c).row(y)[x]) / 255.0f);
  return image;
}

}  // namespace bankside
