#include "core/small_taps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bankside {

float largestTap(std::span<const float> taps) {
  float largest = 0;
  for (const float tap : taps) largest = std::max(largest, std::fabs(tap));
  return largest;
}

void dropSmallTaps(std::span<float> filter) {
  if (largestTap(filter) < ordinaryTap) return;
  for (float& tap : filter)
    if (std::fabs(tap) < std::numeric_limits<float>::min()) tap = 0;
}

}  // namespace bankside
