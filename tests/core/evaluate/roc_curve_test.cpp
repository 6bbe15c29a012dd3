#include "core/evaluate/roc_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace bankside {
namespace {

TEST(RocCurve, OfFourPixels) {
  // Three of the four pairs are in order. Precision is 1 and 2/3 where recall grows by a half.
  const RocCurve curve = rocCurve({.vessel = {0.4F, 0.8F}, .ground = {0.2F, 0.6F}});
  EXPECT_DOUBLE_EQ(curve.area, 0.75);
  EXPECT_DOUBLE_EQ(curve.averagePrecision, 0.5 * 1 + 0.5 * 2 / 3);
  EXPECT_EQ(curve.bestThreshold, 0.8F) << "0.4 is as good; the higher one is taken";
  EXPECT_EQ(curve.best, (Confusion{1, 0, 1, 2}));
  ASSERT_EQ(curve.points.size(), 4u);
  EXPECT_DOUBLE_EQ(curve.points[2].falsePositiveRate, 0.5);
  EXPECT_DOUBLE_EQ(curve.points[2].recall, 1);
  EXPECT_DOUBLE_EQ(curve.points[2].precision, 2.0 / 3);
}

TEST(RocCurve, TiesCountHalf) {
  EXPECT_DOUBLE_EQ(rocCurve({.vessel = {1, 1, 1}, .ground = {1, 1}}).area, 0.5);
  // Of six pairs three are in order and two are the same.
  const ScoredPixels pixels{.vessel = {1, 2, 3}, .ground = {1, 2}};
  EXPECT_DOUBLE_EQ(rocCurve(pixels).area, (3 + 2 * 0.5) / 6);
  EXPECT_EQ(pairCount(pixels.vessel, pixels.ground), 8u);
  EXPECT_DOUBLE_EQ(rocCurve({.vessel = {-0.0F}, .ground = {0.0F}}).area, 0.5) << "zeros are the same";
}

TEST(RocCurve, FromCornerToCorner) {
  EXPECT_DOUBLE_EQ(rocCurve({.vessel = {2, 3}, .ground = {0, 1}}).area, 1);
  EXPECT_DOUBLE_EQ(rocCurve({.vessel = {0, 1}, .ground = {2, 3}}).area, 0);
  const RocCurve perfect = rocCurve({.vessel = {2, 3}, .ground = {0, 1}});
  EXPECT_EQ(perfect.bestThreshold, 2);
  EXPECT_DOUBLE_EQ(perfect.best.mcc(), 1);
  EXPECT_DOUBLE_EQ(perfect.points.back().falsePositiveRate, 1);
  EXPECT_DOUBLE_EQ(perfect.points.back().recall, 1);
}

TEST(RocCurve, IsThinnedForShowAndNotForItsArea) {
  ScoredPixels pixels;
  double area = 0;
  for (int i = 0; i < 20000; ++i) {
    pixels.vessel.push_back(static_cast<float>(i));
    pixels.ground.push_back(static_cast<float>(i) - 0.5F);
    area += i + 1;
  }
  const RocCurve curve = rocCurve(pixels);
  EXPECT_DOUBLE_EQ(curve.area, area / 20000 / 20000);
  EXPECT_GT(curve.points.size(), 250u);
  EXPECT_LT(curve.points.size(), 600u);
}

TEST(RocCurve, NeedsBothKinds) {
  EXPECT_THROW(rocCurve({.vessel = {}, .ground = {1}}), Error);
  EXPECT_THROW(rocCurve({.vessel = {1}, .ground = {}}), Error);
}

TEST(Otsu, PartsTwoHeapsWhoeverIsVessel) {
  EXPECT_EQ(otsuThreshold({.vessel = {0, 10, 11}, .ground = {1, 2, 12}}), 10);
  EXPECT_EQ(otsuThreshold({.vessel = {}, .ground = {0, 1}}), 1);
  EXPECT_EQ(otsuThreshold({.vessel = {3}, .ground = {3, 3}}), std::numeric_limits<float>::infinity());
}

TEST(Confusion, MeasuresAreThoseOfTheTable) {
  const Confusion c{3, 1, 2, 4};
  EXPECT_DOUBLE_EQ(c.sensitivity(), 0.6);
  EXPECT_DOUBLE_EQ(c.specificity(), 0.8);
  EXPECT_DOUBLE_EQ(c.precision(), 0.75);
  EXPECT_DOUBLE_EQ(c.accuracy(), 0.7);
  EXPECT_DOUBLE_EQ(c.dice(), 6.0 / 9);
  EXPECT_NEAR(c.mcc(), 10 / std::sqrt(600.0), 1e-15);
  EXPECT_EQ((Confusion{0, 0, 5, 5}).mcc(), 0) << "nothing was called vessel";
  EXPECT_TRUE(std::isnan((Confusion{0, 0, 5, 5}).precision()));
  // Counts whose products no 32-bit number holds.
  EXPECT_EQ((Confusion{1'000'000'001, 0, 0, 3'000'000'007}).mcc(), 1);
  EXPECT_EQ((Confusion{0, 1'000'000'001, 3'000'000'007, 0}).mcc(), -1);
}

}  // namespace
}  // namespace bankside
