/// The logarithm and the exponential that host and device share, against the C library's in double.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
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

}  // namespace
}  // namespace bankside
