/// Two filters dx and dy out of a smoothing and a differencing row.
#pragma once

#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// dx: `difference` along x, `smoothing` along y; dy is its transpose. Both rows have one odd length.
std::vector<Filter> derivativePair(const std::vector<double>& smoothing,
                                   const std::vector<double>& difference);

}  // namespace bankside
