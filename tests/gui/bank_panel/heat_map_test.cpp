#include "gui/window/canvas/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include <QPainter>

namespace bankside::window {
namespace {

TEST(HeatMap, SignedColoursAreBlueWhiteRed) {
  EXPECT_EQ(signedColor(0), qRgb(255, 255, 255));
  EXPECT_GT(qRed(signedColor(1)), qBlue(signedColor(1)));
  EXPECT_GT(qBlue(signedColor(-1)), qRed(signedColor(-1)));
  EXPECT_EQ(signedColor(5), signedColor(1));
  EXPECT_EQ(signedColor(-5), signedColor(-1));
  for (double v = 0.05; v <= 1; v += 0.05) {
    EXPECT_LT(qGray(signedColor(v)), qGray(signedColor(v - 0.05))) << v;
    EXPECT_LT(qGray(signedColor(-v)), qGray(signedColor(0.05 - v))) << v;
  }
}

TEST(HeatMap, ZeroIsWhiteWhereSignsMixAndBlackWhereNot) {
  const QImage edge = heatMapImage(makeFilter("edge", 1, 3, {-1, 0, 2}), 0);
  ASSERT_EQ(edge.size(), QSize(3, 1));
  EXPECT_EQ(edge.pixel(0, 0), signedColor(-0.5));
  EXPECT_EQ(edge.pixel(1, 0), signedColor(0));
  EXPECT_EQ(edge.pixel(2, 0), signedColor(1));
  const QImage bump = heatMapImage(makeFilter("bump", 2, 1, {0, 4}), 0);
  EXPECT_EQ(bump.pixel(0, 0), qRgb(0, 0, 0));
  EXPECT_EQ(bump.pixel(0, 1), qRgb(255, 255, 255));
  EXPECT_EQ(heatMapImage(makeFilter("zero", 1, 1, {0}), 0).pixel(0, 0), qRgb(0, 0, 0));
}

TEST(HeatMap, PaintsWholeDevicePixelsATap) {
  const Filter filter = makeFilter("edge", 1, 3, {-1, 0, 1});
  for (const double ratio : {1.0, 2.0, 1.5}) {
    QImage page(static_cast<int>(64 * ratio), static_cast<int>(64 * ratio), QImage::Format_RGB32);
    page.setDevicePixelRatio(ratio);
    page.fill(qRgb(0, 255, 0));
    QPainter painter(&page);
    paintHeatMap(painter, QRect(0, 0, 64, 64), filter, 0);
    painter.end();
    const int side = static_cast<int>(64 * ratio) / 3;
    const int left = static_cast<int>(std::round((64 * ratio - 3 * side) / 2));
    const int middle = page.height() / 2;
    for (int tap = 0; tap < 3; ++tap) {
      for (const int inside : {2, side - 2})
        EXPECT_EQ(page.pixel(left + tap * side + inside, middle), signedColor(tap - 1))
            << ratio << " " << tap;
    }
  }
}

TEST(HeatMap, FiltersLargerThanTheirPlaceStillFit) {
  QImage page(40, 40, QImage::Format_RGB32);
  QPainter painter(&page);
  const QRect covered = paintHeatMap(painter, QRect(4, 4, 32, 32),
                                     makeFilter("f", 127, 60, std::vector<float>(127 * 60, 1)), 0);
  EXPECT_TRUE(QRect(4, 4, 32, 32).contains(covered));
  EXPECT_EQ(covered.height(), 32);
}

TEST(HeatMap, ResponsesFallToBlackAtTheFloor) {
  const QImage image = responseImage({1, 0.1, 0.001, 0}, 2, 60);
  EXPECT_EQ(qGray(image.pixel(0, 0)), 255);
  EXPECT_EQ(qGray(image.pixel(1, 0)), 170);  // -20 dB of 60
  EXPECT_EQ(qGray(image.pixel(0, 1)), 0);
  EXPECT_EQ(qGray(image.pixel(1, 1)), 0);
  EXPECT_EQ(qGray(responseImage({0, 0, 0, 0}, 2, 60).pixel(0, 0)), 0);
}

}  // namespace
}  // namespace bankside::window
