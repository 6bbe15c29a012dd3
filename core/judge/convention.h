/// How a response becomes what another program wrote: factors, roundings, clippings, tried one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/image.h"

namespace bankside {

/// What is multiplied with the response before it is written, and what is added then.
struct Factor {
  std::string words;
  double value = 1;
  double offset = 0;
};

/// 1, one over the sum of taps and one over the sum of their magnitudes (where those are not 0 or 1); where
/// whole numbers became floats each also over the largest whole number.
std::vector<Factor> factorsOf(const Filter& filter, ElementType pixels, ElementType result);

/// How the number becomes a pixel.
enum class Depth { AsItIs, Rounded, CutOff, Magnitude, ClippedAtZero };
const char* words(Depth depth);  ///< "rounded and clipped" ...
/// Those that can give pixels of that type.
std::vector<Depth> depthsOf(ElementType result);

/// The factor with the offset that half of the result's pixels lie above, and half below; those that may be
/// clipped say nothing. A whole number where they are, never with a magnitude. Nothing where it is 0.
/// Shapes  as `agreement`
std::optional<Factor> withOffset(PlaneView<const float> response, PlaneView<const float> result,
                                 ElementType type, const Factor& factor, Depth depth);

/// Which pixels are looked at, every `step`th of a row and every `step`th row, and those near the rim.
struct Looked {
  std::int64_t pixels = 0;
  std::int64_t agree = 0;
  double worst = 0;  ///< how far the worst pixel is off
  double share() const { return pixels > 0 ? static_cast<double>(agree) / static_cast<double>(pixels) : 0; }
};

/// How many pixels of `result` are the response by that factor and depth: within 1e-5 of the largest where
/// they are floats, exactly where they are whole numbers, but for what f32 sums may be off beside a rounding.
/// Stops where more than `mostWrong` disagree. Shapes  response [H,W]; result [H,W], values of `type`
Looked agreement(PlaneView<const float> response, PlaneView<const float> result, ElementType type,
                 const Factor& factor, Depth depth, int step, std::int64_t mostWrong);

}  // namespace bankside
