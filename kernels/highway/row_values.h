/// What is counted of a row's values, and the mean of four pixels, for looking at an image.
#pragma once

#include <cstdint>

#include "core/run/output_map.h"

namespace bankside::direct {

/// Of finite values; the range of none has `low` = infinity and `high` = -infinity.
void addValues(const float* pixels, int count, ValueRange& range);

/// The bin of every value: (value - low) * scale rounded, from 0 to `last`; `last` + 1 for what is not
/// finite.
void findBins(const float* pixels, int count, float low, float scale, int last, std::int32_t* bins);

/// to[i] = ((upper[2i] + upper[2i + 1]) + (lower[2i] + lower[2i + 1])) / 4
void meanOfFour(const float* upper, const float* lower, int count, float* to);

}  // namespace bankside::direct
