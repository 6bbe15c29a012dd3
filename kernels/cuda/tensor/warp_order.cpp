#include "kernels/cuda/tensor/warp_order.h"

#include <cstddef>

namespace bankside::cuda {

std::vector<std::uint16_t> inWarpOrder(const std::vector<std::uint16_t>& halves) {
  constexpr std::size_t halvesOfUnit = coreBytes / 2;
  constexpr std::size_t halvesOfSixteen = unitsOfSixteen * halvesOfUnit;
  std::vector<std::uint16_t> ordered(halves.size() + unitsOfStep * halvesOfUnit);
  for (std::size_t at = 0; at < halves.size(); ++at) {
    // [eight][half of 16][column][pair][of the pair] becomes [column][pair][eight][half of 16][of the pair].
    const std::size_t in = at % halvesOfSixteen;
    const std::size_t lane = in % 64 / 2;
    ordered[at - in + lane * halvesOfUnit + in / 64 * 2 + in % 2] = halves[at];
  }
  return ordered;
}

}  // namespace bankside::cuda
