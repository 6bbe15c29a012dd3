#include "kernels/opencv/rank_one.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/made_input.h"
#include "kernels/engines.h"

namespace bankside {
namespace {

TEST(RankOne, WholeNumbersStayWhole) {
  const float sobel[] = {-2, 0, 2, -4, 0, 4, -2, 0, 2};
  const auto factors = rankOne(sobel, 3, 3);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->error, 0);
  EXPECT_EQ(factors->row, (std::vector<float>{-1, 0, 1}));
  EXPECT_EQ(factors->column, (std::vector<float>{2, 4, 2}));
}

TEST(RankOne, TakesRoundedProductsAndNothingElse) {
  std::vector<float> taps(11 * 7);
  for (int y = 0; y < 11; ++y) {
    for (int x = 0; x < 7; ++x)
      taps[static_cast<std::size_t>(y * 7 + x)] =
          static_cast<float>(std::exp(-0.1 * (y - 5) * (y - 5) - 0.3 * (x - 3) * (x - 3)));
  }
  const auto factors = rankOne(taps.data(), 11, 7);
  ASSERT_TRUE(factors);
  EXPECT_LT(factors->error, 0x1p-21);
  taps[10] *= 1.0f + 0x1p-18f;
  EXPECT_FALSE(rankOne(taps.data(), 11, 7));
  const float zeros[6] = {};
  ASSERT_TRUE(rankOne(zeros, 2, 3));
  EXPECT_EQ(rankOne(zeros, 2, 3)->row, std::vector<float>(3, 0.0f));
}

TEST(SepFilter2d, RefusesADenseBankWithItsFilter) {
  const Engine& engine = *findEngine("opencv:sepFilter2D");
  if (!engine.available()) GTEST_SKIP() << engine.available().reason;
  const FilterBank bank = randomBank(2, 1, 3, 3);
  const auto problem =
      makeProblem(bank, 1, 9, 9, ElementType::F32, ElementType::F32, Border{}, Combine::None);
  try {
    engine.prepare(problem, bank, {});
    FAIL() << "a dense bank was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_NE(std::string(error.what()).find("f0 is not a column times a row"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace bankside
