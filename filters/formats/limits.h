/// What a bank file may hold, whatever its format.
#pragma once

#include <cstddef>

namespace bankside {

inline constexpr std::size_t maxBankFileBytes = std::size_t{64} << 20;
/// Half a step above the largest float: from here on a tap in double rounds to infinity.
inline constexpr double roundsToInfinity = 0x1.ffffffp127;

}  // namespace bankside
