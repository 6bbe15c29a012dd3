#include "gui/window/models/filter_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "filters/catalog.h"

namespace bankside::window {
namespace {

Filter sobelX() { return makeFilter("x", 3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}); }

TEST(FilterAnalysis, SumsAndRange) {
  const auto a = analyse(makeFilter("f", 2, 2, {1, -2, 3.5f, 0}), 0);
  EXPECT_EQ(a.sum, 2.5);
  EXPECT_EQ(a.absoluteSum, 6.5);
  EXPECT_EQ(a.smallest, -2);
  EXPECT_EQ(a.largest, 3.5f);
}

TEST(FilterAnalysis, Symmetries) {
  EXPECT_EQ(analyse(sobelX(), 0).symmetry, (TapSymmetry{false, true, false, true}));
  EXPECT_EQ(analyse(makeFilter("box", 2, 3, {1, 1, 1, 1, 1, 1}), 0).symmetry,
            (TapSymmetry{true, true, true, false}));
  EXPECT_EQ(analyse(makeFilter("diagonal", 2, 2, {1, 0, 0, 1}), 0).symmetry,
            (TapSymmetry{false, false, true, false}));
  EXPECT_EQ(analyse(makeFilter("none", 2, 2, {1, 2, 3, 5}), 0).symmetry, TapSymmetry{});
  EXPECT_EQ(describe(TapSymmetry{}), "none");
  EXPECT_EQ(describe(TapSymmetry{true, true, true, false}), "left-right, top-bottom and half turn");
}

TEST(FilterAnalysis, SymmetryForgivesRoundingOnly) {
  EXPECT_TRUE(analyse(makeFilter("f", 1, 2, {1, 1.0000005f}), 0).symmetry.horizontal);
  EXPECT_FALSE(analyse(makeFilter("f", 1, 2, {1, 1.00001f}), 0).symmetry.horizontal);
}

TEST(FilterAnalysis, RankOfKnownFilters) {
  EXPECT_EQ(analyse(sobelX(), 0).rank, 1);
  EXPECT_EQ(analyse(makeFilter("laplacian", 3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}), 0).rank, 2);
  EXPECT_EQ(analyse(makeFilter("identity", 3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}), 0).rank, 3);
  EXPECT_EQ(analyse(makeFilter("zero", 3, 3, std::vector<float>(9)), 0).rank, 0);
  EXPECT_EQ(analyse(makeFilter("row", 1, 5, {1, 2, 3, 4, 5}), 0).rank, 1);
  // Gaussian taps, rounded to f32, are still one outer product.
  for (const char* spec : {"gaussian:sigma=2.3", "gaussian:sigma=5"}) {
    EXPECT_EQ(analyse(makeBank(spec)[0], 0).rank, 1) << spec;
  }
}

TEST(FilterAnalysis, ResponseOfKnownFilters) {
  constexpr int side = 64;
  const auto flat = frequencyResponse(makeFilter("one", 1, 1, {2}), 0, side);
  EXPECT_THAT(flat, testing::Each(testing::DoubleNear(2, 1e-12)));
  const auto box = frequencyResponse(makeFilter("box", 1, 3, {1, 1, 1}), 0, side);
  for (int u = 0; u < side; ++u) {
    const double expected = std::abs(1 + 2 * std::cos(2 * std::numbers::pi * (u - 32) / side));
    EXPECT_NEAR(box[static_cast<std::size_t>(5 * side + u)], expected, 1e-12) << u;
  }
  EXPECT_NEAR(box[32 * side + 32], 3, 1e-12);
  EXPECT_NEAR(frequencyResponse(sobelX(), 0, side)[32 * side + 32], 0, 1e-12);
}

TEST(FilterAnalysis, ResponseIsTheTransformWrittenOut) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  Filter f = makeFilter("random", 5, 4, std::vector<float>(20));
  for (float& tap : f.taps) tap = normal(random);
  constexpr int side = 16;
  const auto gains = frequencyResponse(f, 0, side);
  for (int v = 0; v < side; ++v) {
    for (int u = 0; u < side; ++u) {
      std::complex<double> total = 0;
      for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 4; ++x) {
          const double angle = -2 * std::numbers::pi * ((u - 8) * x + (v - 8) * y) / side;
          total += static_cast<double>(f.tap(0, y, x)) * std::polar(1.0, angle);
        }
      }
      EXPECT_NEAR(gains[static_cast<std::size_t>(v * side + u)], std::abs(total), 1e-11);
    }
  }
}

TEST(FilterAnalysis, LooksAtTheChannelAskedFor) {
  Filter f = makeFilter("two", 1, 2, {1, 1});
  f.channels = 2;
  f.taps = {1, 1, 3, -3};
  EXPECT_EQ(analyse(f, 0).sum, 2);
  EXPECT_EQ(analyse(f, 1).sum, 0);
  EXPECT_TRUE(analyse(f, 1).symmetry.antisymmetric);
  EXPECT_NEAR(frequencyResponse(f, 1, 8)[4 * 8 + 4], 0, 1e-12);
}

}  // namespace
}  // namespace bankside::window
