/// How a response becomes what another program wrote: factors, roundings, clippings, tried one after another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/image.h"

namespace bankside {

/// What is multiplied with the response before it is written.
struct Factor {
  std::string words;
  double value = 1;
};

/// 1, one over the sum of taps and one over the sum of their magnitudes (where those are not 0 or 1); where
/// whole numbers became floats each also over the largest whole number.
std::vector<Factor> factorsOf(const Filter& filter, ElementType pixels, ElementType result);

/// How the number becomes a pixel.
enum class Depth { AsItIs, Rounded, CutOff, Magnitude, ClippedAtZero };
const char* words(Depth depth);  ///< "rounded and clipped" ...
/// Those that can give pixels of that type.
std::vector<Depth> depthsOf(ElementType result);

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
                 double factor, Depth depth, int step, std::int64_t mostWrong);

}  // namespace bankside
