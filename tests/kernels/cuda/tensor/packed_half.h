/// Where a half of packed taps lies, said once more by the tests.
#pragma once

#include "kernels/cuda/tensor/packed_taps.h"

namespace bankside::cuda {

/// Half `k` of a block's column `column` in an instruction.
inline double halfAt(const PackedTaps& packed, const TensorLayout& layout, int pass, int block, int step,
                     int column, int k) {
  // Cores of 8 columns: halves 0 to 7, then 8 to 15, in those a column's 8 halves.
  const int core =
      (((pass * layout.blocks + block) * layout.steps + step) * (layout.tapColumns / 8) + column / 8) * 2 +
      k / 8;
  const int index = (core * 8 + column % 8) * 8 + k % 8;
  return toFloat(Half{packed.halves[static_cast<std::size_t>(index)]});
}

}  // namespace bankside::cuda
