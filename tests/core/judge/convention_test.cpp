/// What another program made of a response.
#include "core/judge/convention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace bankside {
namespace {

constexpr int height = 20;
constexpr int width = 30;

Image planeOf(const std::function<float(int x, int y)>& pixel) {
  Image image(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.view<float>(0).at(x, y) = pixel(x, y);
  return image;
}

Looked lookedAt(const Image& numbers, const Image& result, ElementType type, Depth depth, int step = 1,
                std::int64_t mostWrong = height * width) {
  return agreement(numbers.view<float>(0), result.view<float>(0), type, {"", 1}, depth, step, mostWrong);
}

float slope(int x, int y) { return static_cast<float>(x - 2 * y) / 8; }

TEST(Agreement, OfFloatsIsWithinAPartOfTheLargest) {
  const Image numbers = planeOf([](int x, int y) { return x == 7 && y == 0 ? -1000 : slope(x, y); });
  Image result = numbers.clone();
  const auto looked = [&] { return lookedAt(numbers, result, ElementType::F32, Depth::AsItIs); };
  EXPECT_EQ(looked().agree, height * width);
  EXPECT_EQ(looked().worst, 0);
  result.view<float>(0).at(3, 11) += 0.0078125f;  // below 1e-5 of 1000
  EXPECT_EQ(looked().agree, height * width);
  result.view<float>(0).at(3, 11) += 0.0078125f;
  EXPECT_EQ(looked().agree, height * width - 1);
  EXPECT_NEAR(looked().worst, 0.015625 - 0.01, 1e-6);
  result.view<float>(0).at(4, 11) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(looked().agree, height * width - 2) << "NaN is no agreement";
  EXPECT_DOUBLE_EQ(looked().share(), 598.0 / 600);
}

TEST(Agreement, OfDepthsIsWhatTheyMakeOfANumber) {
  const auto agrees = [](float number, float pixel, Depth depth) {
    const Image numbers = planeOf([=](int, int) { return number; });
    const Image result = planeOf([=](int, int) { return pixel; });
    return lookedAt(numbers, result, ElementType::U8, depth).agree == height * width;
  };
  EXPECT_TRUE(agrees(2.5f, 2, Depth::Rounded) && agrees(2.5f, 3, Depth::Rounded)) << "a half may go anywhere";
  EXPECT_FALSE(agrees(2.25f, 3, Depth::Rounded));
  EXPECT_TRUE(agrees(-7, 0, Depth::Rounded) && agrees(300, 255, Depth::Rounded)) << "clipped";
  EXPECT_TRUE(agrees(2.75f, 2, Depth::CutOff) && agrees(300, 255, Depth::CutOff));
  EXPECT_FALSE(agrees(2.75f, 3, Depth::CutOff));
  EXPECT_TRUE(agrees(-2.75f, 3, Depth::Magnitude));
  EXPECT_FALSE(agrees(-2.75f, 0, Depth::Magnitude));
  EXPECT_TRUE(agrees(-7, 0, Depth::ClippedAtZero) && agrees(300.5f, 300.5f, Depth::ClippedAtZero));
  EXPECT_FALSE(agrees(-7, -7, Depth::ClippedAtZero));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Depth depth :
       {Depth::AsItIs, Depth::ClippedAtZero, Depth::Rounded, Depth::CutOff, Depth::Magnitude})
    EXPECT_FALSE(agrees(nan, 0, depth) || agrees(0, nan, depth)) << words(depth);
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Depth depth : {Depth::AsItIs, Depth::ClippedAtZero})
    EXPECT_TRUE(agrees(nan, nan, depth) && agrees(infinity, infinity, depth)) << "both lost the same";
  EXPECT_FALSE(agrees(infinity, -infinity, Depth::AsItIs));
}

/// Borders are what conventions differ in: near the rim nothing is skipped.
TEST(Agreement, LooksAtEveryPixelNearTheRim) {
  const Image numbers = planeOf(slope);
  EXPECT_EQ(lookedAt(numbers, numbers, ElementType::F32, Depth::AsItIs).pixels, height * width);
  const Looked some = lookedAt(numbers, numbers, ElementType::F32, Depth::AsItIs, 5);
  // Four rows on either side; of rows 5, 10 and 15 four pixels on either side and every fifth.
  EXPECT_EQ(some.pixels, 8 * width + 3 * (4 + 4 + 5));
  EXPECT_EQ(some.agree, some.pixels);
  for (const auto& [x, y] : {std::pair{13, 2}, {2, 10}, {28, 15}, {17, 19}}) {
    Image result = numbers.clone();
    result.view<float>(0).at(x, y) += 1;
    EXPECT_EQ(lookedAt(numbers, result, ElementType::F32, Depth::AsItIs, 5).agree, some.pixels - 1)
        << x << " " << y;
  }
}

TEST(Agreement, StopsWhereTooManyDisagree) {
  const Image numbers = planeOf(slope);
  const Image result = planeOf([](int x, int y) { return slope(x, y) + 1; });
  EXPECT_EQ(lookedAt(numbers, result, ElementType::F32, Depth::AsItIs, 1, 45).pixels, 2 * width);
}

TEST(WithOffset, FindsWhatWasAdded) {
  const Image numbers = planeOf(slope);  // from -4.75 to 3.625
  const auto found = [&](const Image& result, ElementType type, Depth depth) {
    const auto factor = withOffset(numbers.view<float>(0), result.view<float>(0), type, {"f", 2}, depth);
    return factor ? factor->words + " " + std::to_string(factor->offset) : "nothing";
  };
  const Image doubled = planeOf([](int x, int y) { return 2 * slope(x, y); });
  EXPECT_EQ(found(doubled, ElementType::F32, Depth::AsItIs), "nothing");
  const Image less = planeOf([](int x, int y) { return 2 * slope(x, y) - 0.5f; });
  EXPECT_EQ(found(less, ElementType::F32, Depth::AsItIs), "f, minus 0.5 -0.500000");
  const Image middle = planeOf([](int x, int y) { return std::round(2 * slope(x, y)) + 128; });
  EXPECT_EQ(found(middle, ElementType::U8, Depth::Rounded), "f, plus 128 128.000000");
  EXPECT_EQ(found(middle, ElementType::U8, Depth::Magnitude), "nothing");
  const Image black = planeOf([](int, int) { return 0; });
  EXPECT_EQ(found(black, ElementType::U8, Depth::Rounded), "nothing") << "all may be clipped";
}

TEST(FactorsOf, AreThoseOfTheTapsAndOfTheScale) {
  const auto factors = [](const std::vector<float>& taps, ElementType pixels, ElementType result) {
    std::vector<double> values;
    const Filter filter = makeFilter("f", 1, static_cast<int>(taps.size()), taps);
    for (const Factor& factor : factorsOf(filter, pixels, result)) values.push_back(factor.value);
    return values;
  };
  using Values = std::vector<double>;
  EXPECT_EQ(factors({1, 2, 1}, ElementType::U8, ElementType::U8), (Values{1, 0.25}));
  EXPECT_EQ(factors({1, -3, 1}, ElementType::U8, ElementType::U8), (Values{1, -1, 0.2}));
  EXPECT_EQ(factors({-1, 0, 1}, ElementType::F32, ElementType::F32), (Values{1, 0.5})) << "their sum is 0";
  EXPECT_EQ(factors({0, 1, 0}, ElementType::U8, ElementType::U8), Values{1});
  EXPECT_EQ(factors({0, 1, 0}, ElementType::U16, ElementType::F32), (Values{1, 1.0 / 65535}));
}

}  // namespace
}  // namespace bankside
