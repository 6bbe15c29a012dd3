/// Powers of two that bring f32 numbers into half precision and back: one definition for host and device.
#pragma once

#include <cstdint>

#include "core/host_device.h"

namespace bankside::cuda {

/// The power of two, as a float's bits, that brings numbers up to the one with the bits `largest` into half
/// precision: the largest comes to lie in [2^14, 2^15), or below where f32 has no such power (numbers under
/// 2^-112).
BANKSIDE_HOST_DEVICE constexpr std::uint32_t halfScaleBits(std::uint32_t largest) {
  const std::uint32_t exponent = largest >> 23 & 0xff;
  return (268u - (exponent > 15 ? exponent : 15u)) << 23;
}
/// And the way back.
BANKSIDE_HOST_DEVICE constexpr std::uint32_t halfScaleBackBits(std::uint32_t scaleBits) {
  return (254u << 23) - scaleBits;
}

}  // namespace bankside::cuda
