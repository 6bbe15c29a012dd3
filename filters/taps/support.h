/// What a generated bank leaves out: taps that cannot matter, and rows and columns that hold no others.
#pragma once

#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// A tap below this part of its filter's largest adds less to an f32 sum than rounding the largest one's
/// product does.
inline constexpr float leastTapThatMatters = 0x1p-24f;

/// Taps that do not matter become 0; rows and columns along the rim that are 0 in all filters of one size and
/// anchor go, the anchor's own stays. Filters of one shape still have one.
void trimToSupport(std::vector<Filter>& filters);

}  // namespace bankside
