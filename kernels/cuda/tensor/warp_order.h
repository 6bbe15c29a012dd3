/// The order of packed taps in which `mma.sync` takes them: a lane's share of 16 columns in 16 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Units of 16 bytes of 16 columns of a step, one a lane, and of a whole step.
inline constexpr int unitsOfSixteen = 32;
inline constexpr int unitsOfStep = warpColumns / 16 * unitsOfSixteen;

/// PackedTaps::halves, of `warpColumns` columns a step, as [step][column / 16][lane][eight columns, halves 0
/// to 7 or 8 to 15][2]: lane 4g + t has halves 2t and 2t + 1 of column g. A step of zeros follows, which the
/// last one's warps read ahead.
std::vector<std::uint16_t> inWarpOrder(const std::vector<std::uint16_t>& halves);

}  // namespace bankside::cuda
