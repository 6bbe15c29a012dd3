/// What a kernel keeps from filter to filter.
#pragma once

#include "core/problem.h"

namespace bankside::cuda {

/// Nothing (every response is written), a value, or a value and an index (ArgMax).
enum class Fused { None, Value, Index };

constexpr Fused fusedOf(Combine combine) {
  return combine == Combine::None ? Fused::None : combine == Combine::ArgMax ? Fused::Index : Fused::Value;
}

/// Thread blocks an SM holds where every output keeps a value or an index as well: registers for one less.
constexpr int blocksWhenFused(int minBlocks) { return minBlocks > 1 ? minBlocks - 1 : 1; }

}  // namespace bankside::cuda
