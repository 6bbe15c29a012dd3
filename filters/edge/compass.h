/// Eight filters out of one: its outer ring turned in steps of 45 degrees.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// `east` is the 3 x 3 filter for brightness rising to the right, row by row. Order and orientation follow
/// x towards y (y down): e 0, se 45, s 90, sw 135, w 180, nw 225, n 270, ne 315 degrees, so that 45 times
/// the index of the largest response is its direction. Labels are "<prefix>-e" and so on.
std::vector<Filter> compassFilters(const std::string& prefix, const std::array<double, 9>& east);

}  // namespace bankside
