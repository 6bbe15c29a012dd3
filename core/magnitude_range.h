/// Bringing floats into the range of arithmetic that has less of it than they: one definition for host and
/// device.
#pragma once

#include <bit>
#include <cstdint>

#include "core/host_device.h"

namespace bankside {

/// What the largest |pixel| of a tile or block may be for the work on it neither to overflow nor to lose bits
/// below f32's normal numbers.
struct MagnitudeRange {
  float least = 0;
  float most = 0;
  BANKSIDE_HOST_DEVICE constexpr bool holds(float largest) const {
    return largest == 0 || (largest >= least && largest <= most);
  }
};

/// So few of a tile's pixels may be huge (beyond MagnitudeRange::most) that they are left out of it and
/// summed directly, rather than the whole tile scaled down, which would lose what surrounds them.
BANKSIDE_HOST_DEVICE constexpr bool leavesHuge(std::uint64_t huge, std::uint64_t pixels) {
  return 256 * huge <= pixels;
}

/// 2^exponent, |exponent| at most 252, as two factors, since f32 itself may not hold it. A number times both
/// is exact unless it ends below f32's normal numbers.
struct PowerOfTwo {
  float first, second;
  BANKSIDE_HOST_DEVICE constexpr explicit PowerOfTwo(int exponent)
      : first(power(exponent / 2)), second(power(exponent - exponent / 2)) {}

 private:
  BANKSIDE_HOST_DEVICE static constexpr float power(int e) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(127 + e) << 23);
  }
};

}  // namespace bankside
