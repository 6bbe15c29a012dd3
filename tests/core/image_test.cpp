#include "core/image.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/error.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

TEST(Image, EveryRowStartsOnACacheLine) {
  for (const ElementType type : allElementTypes) {
    Image image(2, 3, 65, type);
    for (int c = 0; c < 2; ++c) {
      for (int y = 0; y < 3; ++y) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.plane(c).row(y)) % 64, 0u);
    }
  }
}

TEST(Image, CloneIsEqualAndApart) {
  Image image = testing::randomImage(2, 5, 7, ElementType::U16);
  Image copy = image.clone();
  EXPECT_TRUE(samePixels(image, copy));
  copy.view<std::uint16_t>(1).at(6, 4) ^= 1;
  EXPECT_FALSE(samePixels(image, copy));
}

TEST(Image, RefusesShapesWithoutPixelsAndBeyondMemory) {
  EXPECT_THROW(Image(0, 1, 1, ElementType::U8), Error);
  EXPECT_THROW(Image(1, 1, -1, ElementType::U8), Error);
  try {
    Image(2'000'000'000, 2'000'000'000, 2'000'000'000, ElementType::F32);
    ADD_FAILURE() << "made an image of 32e27 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
  }
}

TEST(Image, RefusesTheWrongViewAndTheWrongNames) {
  Image image(1, 2, 2, ElementType::U8);
  EXPECT_THROW(image.view<float>(0), Error);
  EXPECT_THROW(image.setChannelNames({"a", "b"}), Error);
}

TEST(Image, ConvertKeepsWhatFits) {
  const Image bytes = testing::randomImage(1, 4, 9, ElementType::U8);
  EXPECT_TRUE(samePixels(convert(convert(bytes, ElementType::F32), ElementType::U8), bytes));
  EXPECT_TRUE(samePixels(convert(convert(bytes, ElementType::F16), ElementType::U8), bytes));
}

}  // namespace
}  // namespace bankside
