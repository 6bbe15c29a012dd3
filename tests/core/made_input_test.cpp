/// Images and banks that are made on the spot: what tests believe of them.
#include "core/made_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/judge/exact.h"

namespace bankside::made_input {
namespace {

std::vector<double> pixelsOf(const Image& image) {
  std::vector<double> all;
  for (int c = 0; c < image.channels(); ++c)
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) all.push_back(elementAt(image.plane(c), x, y));
  return all;
}

double least(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }
double most(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }

TEST(IntegerImage, HasSixteenNumbers) {
  for (const ElementType type : allElementTypes) {
    const double first = type == ElementType::F32 ? -8 : 0;
    const auto pixels = pixelsOf(integerImage(2, 40, 50, type));
    ASSERT_EQ(pixels.size(), 2u * 40 * 50);
    EXPECT_EQ(std::set<double>(pixels.begin(), pixels.end()).size(), 16u);
    EXPECT_EQ(least(pixels), first);
    EXPECT_EQ(most(pixels), first + 15);
  }
  EXPECT_EQ(pixelsOf(integerImage(1, 9, 9, ElementType::U8, 5)),
            pixelsOf(integerImage(1, 9, 9, ElementType::U8, 5)));
  EXPECT_NE(pixelsOf(integerImage(1, 9, 9, ElementType::U8, 5)),
            pixelsOf(integerImage(1, 9, 9, ElementType::U8, 6)));
}

TEST(RandomImage, FillsTheRangeOfItsType) {
  for (const auto& [type, low, high] : {std::tuple{ElementType::U8, 0.0, 255.0},
                                        {ElementType::U16, 0.0, 65535.0},
                                        {ElementType::F16, -1.0, 1.0},
                                        {ElementType::F32, -1.0, 1.0}}) {
    const auto pixels = pixelsOf(randomImage(1, 100, 100, type));
    EXPECT_GE(least(pixels), low);
    EXPECT_LE(most(pixels), high);
    EXPECT_LT(least(pixels), low + 0.01 * (high - low));
    EXPECT_GT(most(pixels), high - 0.01 * (high - low));
  }
}

TEST(NonFiniteImage, HasOneInAHundredOfEachKind) {
  const auto pixels = pixelsOf(nonFiniteImage(1, 200, 200, ElementType::F32));
  const auto count = [&](auto&& is) { return std::count_if(pixels.begin(), pixels.end(), is); };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto found :
       {count([](double v) { return std::isnan(v); }), count([](double v) { return v == infinity; }),
        count([](double v) { return v == -infinity; })}) {
    EXPECT_GT(found, 40000 / 97 / 3 * 0.7);
    EXPECT_LT(found, 40000 / 97 / 3 * 1.3);
  }
  EXPECT_EQ(count([](double v) { return std::isfinite(v) && std::fabs(v) > 1; }), 0);
}

TEST(ImageOfValues, AreWhatTheirNamesSay) {
  const auto of = [](const char* values, int height = 60, int width = 80) {
    return pixelsOf(imageOfValues(values, height, width, ElementType::F32));
  };
  EXPECT_THAT(of("zeros"), ::testing::Each(0.0));
  EXPECT_THAT(of("constant"), ::testing::Each(100.0));
  EXPECT_EQ(of("uniform"), pixelsOf(randomImage(1, 60, 80, ElementType::F32)));
  const auto normal = of("normal");
  double sum = 0, squares = 0;
  for (const double v : normal) sum += v, squares += v * v;
  EXPECT_NEAR(sum / 4800, 0, 0.06);
  EXPECT_NEAR(squares / 4800, 1, 0.08);
  const auto scaled = of("normal*1e6");
  for (std::size_t i = 0; i < normal.size(); ++i)
    ASSERT_EQ(scaled[i], static_cast<float>(1e6f * static_cast<float>(normal[i])));
  EXPECT_THAT(of("denormals"),
              ::testing::Each(::testing::AllOf(::testing::Ge(-1e-39f), ::testing::Le(1e-39f))));
  for (const auto& [values, decades] : {std::pair{"hdr", 8.0}, {"decades", 40.0}}) {
    double smallest = 1, largest = 1;
    int negative = 0;
    for (const double v : of(values)) {
      smallest = std::min(smallest, std::fabs(v));
      largest = std::max(largest, std::fabs(v));
      negative += v < 0;
    }
    EXPECT_NEAR(std::log10(largest), decades / 2, 0.02 * decades) << values;
    EXPECT_NEAR(std::log10(smallest), -decades / 2, 0.02 * decades) << values;
    EXPECT_NEAR(negative, 2400, 150) << values;
  }
}

/// Noise within a disc that touches the nearer sides, NaN outside.
TEST(ImageOfValues, MaskIsADisc) {
  const Image image = imageOfValues("nan-mask", 60, 80, ElementType::F32);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 80; ++x)
      ASSERT_EQ(std::isnan(elementAt(image.plane(0), x, y)), std::hypot(x + 0.5 - 40, y + 0.5 - 30) > 30)
          << x << ", " << y;
  EXPECT_TRUE(std::isfinite(elementAt(imageOfValues("nan-mask", 2, 2, ElementType::F32).plane(0), 0, 0)));
}

TEST(ImageOfValues, StrangePixelsAreWhereTheySay) {
  const auto strange = [](const char* values, int height, int width) {
    std::vector<std::tuple<int, int, double>> found;
    const Image image = imageOfValues(values, height, width, ElementType::F32);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const double v = elementAt(image.plane(0), x, y);
        if (!std::isfinite(v)) found.emplace_back(x, y, std::isnan(v) ? 0 : v);
      }
    }
    return found;
  };
  using Found = std::vector<std::tuple<int, int, double>>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(strange("one-nan", 50, 70), (Found{{35, 25, 0}}));
  EXPECT_EQ(strange("sparse-nan", 150, 150), (Found{{48, 44, 0}, {145, 44, 0}, {48, 133, 0}, {145, 133, 0}}));
  EXPECT_EQ(strange("sparse-infinity", 100, 250),
            (Found{{48, 44, infinity}, {145, 44, -infinity}, {242, 44, infinity}}));
  EXPECT_EQ(strange("sparse-nan", 9, 7), (Found{{6, 8, 0}})) << "small images have one too";
}

TEST(ImageOfValues, KnowsWhichTypesHoldThem) {
  for (const std::string& values : pixelValues()) {
    const bool plain = values == "uniform" || values == "zeros" || values == "constant";
    const bool half = plain || values == "normal" || values == "normal*1e-3" || values == "normal*1e3" ||
                      values == "nan-mask" || values == "one-nan" || values == "sparse-nan" ||
                      values == "sparse-infinity";
    EXPECT_TRUE(holdsValues(ElementType::F32, values)) << values;
    EXPECT_EQ(holdsValues(ElementType::F16, values), half) << values;
    EXPECT_EQ(holdsValues(ElementType::U8, values), plain) << values;
    EXPECT_EQ(holdsValues(ElementType::U16, values), plain) << values;
  }
  EXPECT_FALSE(holdsValues(ElementType::F32, "odd"));
  try {
    imageOfValues("hdr", 9, 9, ElementType::U8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "u8 pixels are not \"hdr\"");
  }
}

std::vector<float> tapsOf(const FilterBank& bank) {
  std::vector<float> all;
  for (const Filter& f : bank.filters()) all.insert(all.end(), f.taps.begin(), f.taps.end());
  return all;
}

TEST(MadeBank, HasItsShapeAndTaps) {
  const FilterBank integers = integerBank(5, 3, 6, 7);
  ASSERT_EQ(integers.size(), 5);
  EXPECT_EQ(integers[4].label, "f4");
  EXPECT_EQ(integers[0].channels, 3);
  EXPECT_EQ(integers[0].height, 6);
  EXPECT_EQ(integers[0].width, 7);
  const auto taps = tapsOf(integers);
  ASSERT_EQ(taps.size(), 5u * 3 * 6 * 7);
  EXPECT_EQ(std::set<float>(taps.begin(), taps.end()), (std::set<float>{-4, -3, -2, -1, 0, 1, 2, 3, 4}));
  int negative = 0;
  for (const float tap : tapsOf(randomBank(20, 1, 10, 10))) {
    EXPECT_GE(std::fabs(tap), 0.01f);
    EXPECT_LE(std::fabs(tap), 1.0f);
    negative += tap < 0;
  }
  EXPECT_NEAR(negative, 1000, 100);
}

TEST(MadeBank, SeparableOnesAreColumnsTimesRows) {
  for (const FilterBank& bank : {separableBank(3, 2, 5, 4), integerSeparableBank(3, 2, 5, 4)}) {
    const bool integers = bank[0].taps[0] == std::round(bank[0].taps[0]);
    for (const Filter& f : bank.filters()) {
      for (std::size_t plane = 0; plane < 2; ++plane) {
        const float* t = f.taps.data() + plane * 20;
        for (std::size_t y = 1; y < 5; ++y)
          for (std::size_t x = 1; x < 4; ++x)
            EXPECT_NEAR(double{t[y * 4 + x]} * t[0], double{t[y * 4]} * t[x], 1e-6);
        if (integers) {
          for (std::size_t i = 0; i < 20; ++i) {
            EXPECT_EQ(t[i], std::round(t[i]));
            EXPECT_LE(std::fabs(t[i]), 4);
          }
        }
      }
      EXPECT_NE(std::vector(f.taps.begin(), f.taps.begin() + 20),
                std::vector(f.taps.begin() + 20, f.taps.end()));
    }
  }
  const auto taps = tapsOf(integerSeparableBank(40, 1, 5, 5));
  EXPECT_EQ(std::set<float>(taps.begin(), taps.end()), (std::set<float>{-4, -2, -1, 0, 1, 2, 4}));
  for (const float tap : tapsOf(separableBank(20, 1, 5, 5))) {
    EXPECT_GE(std::fabs(tap), 0.01f);
    EXPECT_LE(std::fabs(tap), 1.0f);
  }
}

TEST(MadeBank, IsTheSameWithAnotherAnchorOrMode) {
  const FilterBank bank = integerBank(2, 1, 3, 5);
  const FilterBank moved = withAnchor(bank, 4, 1);
  for (const Filter& f : moved.filters()) {
    EXPECT_EQ(f.anchorX, 4);
    EXPECT_EQ(f.anchorY, 1);
  }
  EXPECT_EQ(tapsOf(moved), tapsOf(bank));
  EXPECT_EQ(withMode(bank, FilterMode::Convolution).info().mode, FilterMode::Convolution);
  EXPECT_EQ(withMode(bank, FilterMode::CrossCorrelation).info().mode, FilterMode::CrossCorrelation);
}

}  // namespace
}  // namespace bankside::made_input
