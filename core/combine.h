/// F responses into one, a row at a time: the definition that fused combines must reproduce bit for bit.
#pragma once

#include <cstdint>

#include "core/problem.h"

namespace bankside {

/// Combines rows of `count` f32 responses fed in filter order. `value` and `index` (ArgMax only, else null)
/// belong to the caller and hold the state between rows: accumulate(f = 0) initialises, finish() completes.
///   Max      takes r where r > value or r is NaN            ArgMax   the same, and its index
///   AbsMax   takes r where |r| > |value| or r is NaN        Sum      value + r, from the first response on
///   Mean     Sum, then value * (1 / F) in f32               Magnitude  fma(r, r, value) from r0 * r0 on,
///   then the root
/// A value that is NaN stays.
struct Combiner {
  Combine combine = Combine::Max;
  int filterCount = 1;

  void accumulate(int filter, const float* response, int count, float* value, std::uint16_t* index) const;
  void finish(int count, float* value) const;
};

}  // namespace bankside
