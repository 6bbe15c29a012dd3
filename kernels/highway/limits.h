/// The machine's limits, measured where the engines run: without them a speed says nothing of what is left.
#pragma once

#include "core/bench/machine_limits.h"

namespace bankside {

struct LimitOptions {
  int threads = 1;        ///< 0: all
  double seconds = 0.25;  ///< for each of the three rates
  int planes = 12;        ///< written side by side, as a bank of so many filters does
  std::size_t planeBytes = std::size_t{16} << 20;  ///< together well beyond the caches
};

/// Measures with the best SIMD target of this machine; takes three times `seconds`, and memory for
/// `planes` + 1 planes.
/// Units   rates per second · Errors  Error{Limit} if the memory cannot be had
MachineLimits measureLimits(const LimitOptions& options);

/// Multiply-adds of whole vectors that a core starts while one of them is under way: about 8 where it starts
/// two a cycle, 4 where it starts one. Takes less than a millisecond.
double multiplyAddsALatency();

}  // namespace bankside
