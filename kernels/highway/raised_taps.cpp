#include "kernels/highway/raised_taps.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/small_taps.h"

namespace bankside::direct {
namespace {

/// From here on no tap of a raised bank is denormal, and what is lost of a product below 2^-126 is less than
/// the smallest denormal number once it is lowered.
constexpr int leastRaise = 23;

/// Of the largest tap. The largest pixel, 2^128, times it, summed over any window, is far from overflow; for
/// a magnitude its square is.
int raisedTo(Combine combine) { return combine == Combine::Magnitude ? -80 : -48; }

float power(int exponent) { return std::bit_cast<float>(static_cast<std::uint32_t>(127 + exponent) << 23); }

}  // namespace

int raiseTaps(const ConvolutionProblem& problem, CorrelationTaps& taps) {
  const float largest = largestTap(taps.taps);
  const bool floats = problem.dstType == ElementType::F32 || problem.combine == Combine::ArgMax;
  if (largest == 0 || largest >= ordinaryTap || !floats) return 0;
  const int exponent = raisedTo(problem.combine) - std::ilogb(largest);
  if (exponent < leastRaise) return 0;
  for (float& tap : taps.taps) tap *= power(exponent);
  return exponent;
}

void lower(float* values, int count, int exponent) {
  const float down = power(-exponent);
  const float units = power(149 - exponent);  // of the smallest denormal number
  const float smallest = power(exponent - 125);
  for (int i = 0; i < count; ++i) {
    const float value = values[i];
    // As whole units it has the bits of the denormal number, up to the second normal power of two.
    const bool small = std::fabs(value) < smallest;
    const float whole = small ? std::fabs(value) * units : 0;
    const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole + 0.5f));
    const std::uint32_t sign = std::bit_cast<std::uint32_t>(value) & 0x80000000u;
    values[i] = std::bit_cast<float>(small ? sign | bits : std::bit_cast<std::uint32_t>(value * down));
  }
}

}  // namespace bankside::direct
