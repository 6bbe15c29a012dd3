/// What a kernel keeps from filter to filter.
#pragma once

#include "core/problem.h"

namespace bankside::cuda {

/// Nothing (every response is written), a value, or a value and an index (ArgMax).
enum class Fused { None, Value, Index };

constexpr Fused fusedOf(Combine combine) {
  return combine == Combine::None ? Fused::None : combine == Combine::ArgMax ? Fused::Index : Fused::Value;
}

/// Thread blocks an SM holds where every output keeps a value as well: registers for one less; with an index
/// for two less.
constexpr int blocksWhenFused(int minBlocks, Fused fused) {
  const int less = fused == Fused::Index ? 2 : fused == Fused::Value ? 1 : 0;
  return minBlocks > less ? minBlocks - less : 1;
}

}  // namespace bankside::cuda
