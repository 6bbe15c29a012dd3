/// The logarithm, the exponential and the power that host and device share, against the C library's in
/// double.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "core/maps/elementary.h"

namespace bankside {
namespace {

/// Whether they are the same number, or neighbours.
bool near(float got, double expected) {
  const auto right = static_cast<float>(expected);
  if (right != right) return got != got;
  return got == right || got == std::nextafter(right, got);
}

TEST(Elementary, FunctionsAreTheNearestNumbers) {
  int off = 0;
  constexpr std::uint32_t step = 40'009;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += step) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const double logOfX = std::log(static_cast<double>(x));
    const double expOfX = std::exp(static_cast<double>(x));
    ASSERT_TRUE(near(logarithm(x), logOfX)) << x;
    ASSERT_TRUE(near(exponential(x), expOfX)) << x;
    off += x == x && x >= 0 && logarithm(x) != static_cast<float>(logOfX) ? 1 : 0;
    off += x == x && exponential(x) != static_cast<float>(expOfX) ? 1 : 0;
  }
  EXPECT_EQ(off, 0);
}

TEST(Elementary, FunctionsHaveTheirEnds) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(logarithm(0.0f), -infinity);
  EXPECT_EQ(logarithm(-0.0f), -infinity);
  EXPECT_TRUE(std::isnan(logarithm(-1.0f)));
  EXPECT_EQ(logarithm(1.0f), 0.0f);
  EXPECT_EQ(logarithm(infinity), infinity);
  EXPECT_EQ(exponential(-infinity), 0.0f);
  EXPECT_EQ(exponential(0.0f), 1.0f);
  EXPECT_EQ(exponential(infinity), infinity);
  EXPECT_EQ(exponential(89.0f), infinity);
}

TEST(Elementary, PowersAreTheNearestNumbers) {
  int off = 0;
  for (const float exponent :
       {0.5f, 1.7f, 2.0f, 3.0f, -1.0f, -0.1f, 1e-30f, 47.25f, -1001.0f, 1e7f, 1e30f, -3e38f}) {
    constexpr std::uint32_t step = 400'009;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += step) {
      const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      const double expected = std::pow(static_cast<double>(x), static_cast<double>(exponent));
      const float got = power(x, exponent);
      ASSERT_TRUE(near(got, expected)) << x << " to the " << exponent << ": " << got << ", not " << expected;
      off += got == got && got != static_cast<float>(expected) ? 1 : 0;
    }
    // Near 1 large exponents mean something.
    for (int i = -2000; i <= 2000; ++i) {
      const float x = 1 + static_cast<float>(i) * 0x1p-23f;
      ASSERT_TRUE(near(power(x, exponent), std::pow(static_cast<double>(x), static_cast<double>(exponent))))
          << x << " to the " << exponent;
    }
  }
  EXPECT_LE(off, 2) << "of 129 000";
}

TEST(Elementary, PowersHaveTheEndsOfC) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float x :
       {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, infinity, -infinity, nan, 1e-45f, -1e-45f, 3e38f}) {
    for (const float exponent : {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 3.0f, -3.0f, 0.5f, -0.5f, 16777215.0f,
                                 -16777215.0f, 16777216.0f, 3e38f, -3e38f, 1e-45f}) {
      const auto got = std::bit_cast<std::uint32_t>(power(x, exponent));
      const float expected = std::pow(x, exponent);
      if (expected != expected)
        EXPECT_NE(power(x, exponent), power(x, exponent)) << x << " to the " << exponent;
      else
        EXPECT_EQ(got, std::bit_cast<std::uint32_t>(expected)) << x << " to the " << exponent;
    }
  }
}

}  // namespace
}  // namespace bankside
