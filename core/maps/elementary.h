/// Logarithm, exponential, power and hypotenuse of f32, the same bits on host and device: in double by
/// additions, multiplications and a division, each rounded on its own, and rounded once to f32. What comes
/// out is the f32 nearest to the true value but for one in some 10^8 arguments (of powers 10^5), where it is
/// the one beside it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/host_device.h"

namespace bankside {

/// Natural, of a finite f32 above 0.
BANKSIDE_HOST_DEVICE constexpr double logarithmInDouble(float x) {
  // x = 2^k m with m from sqrt(1/2) to sqrt(2); ln m = 2 artanh(s), s = (m - 1) / (m + 1), by its series.
  constexpr std::uint64_t rootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr double ln2 = 0.693147180559945309417;
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  const auto k = static_cast<std::int32_t>(static_cast<std::int64_t>(bits - rootOfHalf) >> 52);
  const double m =
      std::bit_cast<double>(bits - (static_cast<std::uint64_t>(static_cast<std::int64_t>(k)) << 52));
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double low = (1.0 / 3 + z * (1.0 / 5)) + z2 * (1.0 / 7 + z * (1.0 / 9));
  const double high = (1.0 / 11 + z * (1.0 / 13)) + z2 * (1.0 / 15 + z * (1.0 / 17));
  return k * ln2 + (s + s) * (1 + z * (low + z4 * high));
}

/// Natural. -infinity of 0, NaN of what is negative.
BANKSIDE_HOST_DEVICE constexpr float logarithm(float x) {
  const auto value = static_cast<float>(logarithmInDouble(x));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float special = x == 0 ? -infinity : x == infinity ? x : std::numeric_limits<float>::quiet_NaN();
  return x > 0 && x < infinity ? value : special;
}

/// 0, or infinite, once it is rounded to f32, where it would be too small or too large for one. Not of NaN.
BANKSIDE_HOST_DEVICE constexpr double exponentialInDouble(double x) {
  // x = k ln 2 + r; e^r by its series. Beyond these limits all is 0, or infinite.
  constexpr double least = -110;
  constexpr double most = 90;
  constexpr double perLn2 = 1.44269504088896340736;
  constexpr double ln2High = 0.693147180369123816490;  // its last 21 bits are 0
  constexpr double ln2Low = 1.90821492927058770002e-10;
  constexpr double toWhole = 0x1.8p52;  // added and taken away again it rounds
  const double d = x < least ? least : x > most ? most : x;
  const double whole = d * perLn2 + toWhole;
  const double k = whole - toWhole;
  const double r = (d - k * ln2High) - k * ln2Low;
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double low = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
  const double middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
  const double high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
  const double series = low + r4 * (middle + r4 * high);
  // 2^k from the low bits of `whole`, whose last one is worth 1.
  const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(whole) + 1023) << 52);
  return series * power;
}

BANKSIDE_HOST_DEVICE constexpr float exponential(float x) {
  return x != x ? x : static_cast<float>(exponentialInDouble(x));
}

/// As C's pow, of a finite exponent: NaN of what is negative unless the exponent is whole, 1 wherever that is
/// 0.
BANKSIDE_HOST_DEVICE constexpr float power(float x, float exponent) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float allWhole = 0x1p24f;  // and even
  const bool fractional = exponent > -allWhole && exponent < allWhole;
  const auto towardsZero = static_cast<std::int32_t>(fractional ? exponent : 0.0f);
  const bool whole = !fractional || static_cast<float>(towardsZero) == exponent;
  const bool odd = whole && (towardsZero & 1) != 0;
  const bool negative = (std::bit_cast<std::uint32_t>(x) >> 31) != 0;
  const float size = negative ? -x : x;
  float value = exponent > 0 ? size : 1 / size;  // of 0 and of infinity
  if (size > 0 && size < infinity)
    value = static_cast<float>(exponentialInDouble(exponent * logarithmInDouble(size)));
  if (negative && odd) value = -value;
  if (x < 0 && x > -infinity && !whole) value = std::numeric_limits<float>::quiet_NaN();
  return exponent == 0 ? 1.0f : x != x ? x : value;
}

/// The root of the sum of squares: those of f32 are exact in double, and nothing overflows there.
BANKSIDE_HOST_DEVICE inline float hypotenuse(float x, float y) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (x == infinity || x == -infinity || y == infinity || y == -infinity) return infinity;
  const auto a = static_cast<double>(x);
  const auto b = static_cast<double>(y);
  return static_cast<float>(std::sqrt(a * a + b * b));
}

}  // namespace bankside
