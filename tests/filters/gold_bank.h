/// What the gold tests of the banks look at.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside::testing {

/// The filter with that label; fails the test if there is none.
inline const Filter& labelled(const FilterBank& bank, const std::string& label) {
  for (const Filter& f : bank.filters()) {
    if (f.label == label) return f;
  }
  ADD_FAILURE() << "no filter " << label << " in " << bank.info().name;
  return bank[0];
}

/// The tap at (x, y) as measured from the anchor.
inline float tapAt(const Filter& f, int x, int y) { return f.tap(0, f.anchorY + y, f.anchorX + x); }

inline double sumOf(const Filter& f) {
  double sum = 0;
  for (const float tap : f.taps) sum += static_cast<double>(tap);
  return sum;
}

/// Turned by 90 degrees, x axis onto y axis. Square, odd filters.
inline std::vector<float> quarterTurn(const Filter& f) {
  std::vector<float> turned(f.taps.size());
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      turned[static_cast<std::size_t>(x) * f.width + (f.width - 1 - y)] = f.tap(0, y, x);
    }
  }
  return turned;
}

}  // namespace bankside::testing
