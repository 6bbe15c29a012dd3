/// Powers of two that f32 itself may not hold.
#pragma once

#include <bit>
#include <cstdint>

namespace bankside::fft {

/// 2^exponent as two factors, |exponent| at most 252. A number times both is exact unless it ends below f32's
/// normal numbers.
struct PowerOfTwo {
  float first, second;
  explicit PowerOfTwo(int exponent) : first(power(exponent / 2)), second(power(exponent - exponent / 2)) {}

 private:
  static float power(int e) { return std::bit_cast<float>(static_cast<std::uint32_t>(127 + e) << 23); }
};

}  // namespace bankside::fft
