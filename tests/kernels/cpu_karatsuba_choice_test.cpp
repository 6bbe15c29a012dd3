#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/highway/karatsuba_choice.h"
#include "tests/kernels/cpu_karatsuba_checks.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

TEST(KaratsubaProgram, CountsOfFilterRows) {
  // Of one filter, one column wide: taps are filter rows.
  const auto rowsOf = [](int kh, int groupRows) {
    const FilterBank bank = oneFilter(kh, 1, std::vector<float>(static_cast<std::size_t>(kh), 1.5f));
    const ConvolutionProblem p = floats(bank, 64, 64);
    std::size_t taps = 0;
    for (const auto& block : direct::makeGroupProgram(p, correlationTaps(p, bank), groupRows).blocks) {
      for (const auto& step : block.steps) taps += step.program.taps.size();
    }
    return taps;
  };
  EXPECT_EQ(rowsOf(5, 2), 8u);
  EXPECT_EQ(rowsOf(7, 2), 11u);
  EXPECT_EQ(rowsOf(9, 2), 14u);
  EXPECT_EQ(rowsOf(11, 2), 17u);
  EXPECT_EQ(rowsOf(7, 4), 17u);
  EXPECT_EQ(rowsOf(9, 4), 22u);
  EXPECT_EQ(rowsOf(11, 4), 26u);
  EXPECT_EQ(rowsOf(8, 4), 18u);
}

/// Every tap alone, at every row of a group.
TEST(KaratsubaProgram, EveryTapReachesItsPixel) {
  for (int kh = 2; kh <= 13; ++kh) {
    const Image image = integerImage(1, 19, 23, ElementType::F32);
    for (int tap = 0; tap < kh; ++tap) {
      std::vector<float> taps(static_cast<std::size_t>(kh), 0.0f);
      taps[static_cast<std::size_t>(tap)] = 3;
      const FilterBank bank = oneFilter(kh, 1, taps);
      EXPECT_TRUE(exactlyAsDirect(floats(bank, 19, 23), bank, image)) << kh << " " << tap;
    }
  }
}

TEST(KaratsubaChoice, KeepsIntegersExactWhereDirectSumsDo) {
  const auto rowsFor = [](ElementType type, float tap, int k, Border border = {}) {
    const FilterBank bank = oneFilter(k, k, std::vector<float>(static_cast<std::size_t>(k * k), tap));
    const auto p = makeProblem(bank, 1, 64, 64, type, ElementType::F32, border, Combine::None);
    return direct::chooseKaratsuba(p, correlationTaps(p, bank)).program.rows;
  };
  EXPECT_EQ(rowsFor(ElementType::U8, 1, 9), 4);    // 255 x 81 x 9 < 2^24
  EXPECT_EQ(rowsFor(ElementType::U16, 1, 7), 2);   // 65,535 x 49 x 9 is not, x 3 is
  EXPECT_EQ(rowsFor(ElementType::U16, 1, 11), 1);  // x 121 is, x 121 x 3 is not
  EXPECT_EQ(rowsFor(ElementType::U16, 1, 17), 4);  // direct sums are not exact either
  EXPECT_EQ(rowsFor(ElementType::U16, 1.0f / 3, 11), 4);
  EXPECT_EQ(rowsFor(ElementType::U16, 0x1p-5f, 11), 1);  // a scale that is a power of two changes nothing
  EXPECT_EQ(rowsFor(ElementType::U8, 1, 11, {BorderKind::Constant, 100000.0f}), 1);
  EXPECT_EQ(rowsFor(ElementType::F32, 1, 9), 4);
  const FilterBank bank = oneFilter(11, 11, std::vector<float>(121, 1.0f));
  const auto p = makeProblem(bank, 1, 64, 64, ElementType::U16, ElementType::F32, {}, Combine::None);
  EXPECT_THAT(cpuKaratsuba().prepare(p, bank, {1})->info().shape, HasSubstr("integers would not stay exact"));
  const Image image = randomImage(1, 64, 64, ElementType::U16);
  EXPECT_TRUE(exactlyAsDirect(p, bank, image));
}

}  // namespace
}  // namespace bankside::testing
