#include "core/element_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace bankside {
namespace {

TEST(ElementType, EveryHalfReadsBackToTheSameBits) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float value = toFloat(half);
    if (std::isnan(value)) {
      EXPECT_EQ(toHalf(value).bits, (bits & 0x8000u) | 0x7e00u) << "of all there are one with each sign";
    } else {
      ASSERT_EQ(toHalf(value).bits, half.bits);
    }
  }
}

TEST(ElementType, HalfRoundsToNearestTiesToEven) {
  EXPECT_EQ(toHalf(1.0f + 0x1p-11f).bits, 0x3c00);             // half way, to even (down)
  EXPECT_EQ(toHalf(1.0f + 3 * 0x1p-11f).bits, 0x3c02);         // half way, to even (up)
  EXPECT_EQ(toHalf(1.0f + 0x1p-11f + 0x1p-20f).bits, 0x3c01);  // just above
  EXPECT_EQ(toHalf(65519.0f).bits, 0x7bff);
  EXPECT_EQ(toHalf(65520.0f).bits, 0x7c00);
  EXPECT_EQ(toHalf(0x1p-25f).bits, 0x0000);  // half the smallest subnormal, to even
  EXPECT_EQ(toHalf(0x1.8p-25f).bits, 0x0001);
  EXPECT_EQ(toHalf(-0.0f).bits, 0x8000);
  EXPECT_EQ(toHalf(-std::numeric_limits<float>::infinity()).bits, 0xfc00);
}

TEST(ElementType, IntegersRoundToTheNearestEvenOne) {
  // Every quarter, and the floats next to it.
  for (int quarter = -8; quarter < 4 * 65540; ++quarter) {
    const float exact = static_cast<float>(quarter) / 4;
    for (const float value : {std::nextafter(exact, -1e9f), exact, std::nextafter(exact, 1e9f)}) {
      const double rounded = std::nearbyint(static_cast<double>(value));
      ASSERT_EQ(fromFloat<std::uint8_t>(value), std::clamp(rounded, 0.0, 255.0)) << value;
      ASSERT_EQ(fromFloat<std::uint16_t>(value), std::clamp(rounded, 0.0, 65535.0)) << value;
    }
  }
}

TEST(ElementType, IntegersRoundToEvenAndSaturate) {
  EXPECT_EQ(fromFloat<std::uint8_t>(0.5f), 0);
  EXPECT_EQ(fromFloat<std::uint8_t>(1.5f), 2);
  EXPECT_EQ(fromFloat<std::uint8_t>(254.5f), 254);
  EXPECT_EQ(fromFloat<std::uint8_t>(-7.0f), 0);
  EXPECT_EQ(fromFloat<std::uint8_t>(1e30f), 255);
  EXPECT_EQ(fromFloat<std::uint8_t>(std::nanf("")), 0);
  EXPECT_EQ(fromFloat<std::uint16_t>(65535.4f), 65535);
  EXPECT_EQ(fromFloat<std::uint16_t>(std::numeric_limits<float>::infinity()), 65535);
}

TEST(ElementType, NamesReadBack) {
  for (const ElementType type : allElementTypes) EXPECT_EQ(parseElementType(toString(type)), type);
  EXPECT_EQ(parseElementType("f64"), std::nullopt);
}

}  // namespace
}  // namespace bankside
