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
  FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, seed);
  if (signs == TapSigns::Both) return bank;
  std::vector<Filter> filters = bank.filters();
  for (Filter& filter : filters)
    for (float& tap : filter.taps) tap = std::fabs(tap);
  return FilterBank({.name = "positive"}, std::move(filters));
}

/// Largest |out - exact| over the sum of |tap x pixel|.
inline double worstError(const Engine& engine, const ConvolutionProblem& p, const FilterBank& bank,
                         const Image& image) {
  ImageSource source(image);
  return verify(p, bank, source, wholeImage(p), runWhole(engine, p, bank, image), {1.0, true}).maxBoundRatio;
}

}  // namespace bankside
