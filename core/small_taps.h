/// Taps below f32's smallest normal number, 2^-126: one rule for every engine, the reference and the judge.
#pragma once

#include <span>

namespace bankside {

/// The largest tap of a filter that loses nothing to speak of with those below 2^-126: they are 2^-46 of it.
constexpr float ordinaryTap = 0x1p-80f;

/// The largest |tap|.
float largestTap(std::span<const float> taps);

/// Taps below 2^-126 become 0 where the filter's largest is ordinary, so that they leave out what they lie
/// on, infinite pixels as well.
void dropSmallTaps(std::span<float> filter);

}  // namespace bankside
