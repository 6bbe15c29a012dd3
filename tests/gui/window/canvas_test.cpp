#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/window/canvas/caption_lines.h"
#include "gui/window/canvas/pane_geometry.h"
#include "gui/window/compute/plane_renderer.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

PlanePtr ramp(int width, int height) {
  auto image = std::make_shared<Image>(1, height, width, ElementType::F32);
  const auto view = image->view<float>(0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) view.at(x, y) = static_cast<float>(x + width * y);
  }
  return makePlane(std::move(image), 0);
}

std::vector<std::uint32_t> render(const Plane& plane, const Viewport& viewport, const RenderStyle& style,
                                  int width, int height) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width * height));
  renderPlane(plane, viewport, style, {pixels.data(), width, height, width});
  return pixels;
}

TEST(ColorMap, GreyIsLinearAndTheSignedMapIsLightInTheMiddle) {
  for (std::uint32_t i = 0; i < 256; ++i) {
    EXPECT_EQ(colorTable(ColorMap::Grey)[i], 0xff000000u | i << 16 | i << 8 | i);
  }
  const std::uint32_t middle = colorTable(ColorMap::BlueWhiteRed)[128];
  EXPECT_GT(middle & 0xff, 240u);
  EXPECT_GT(middle >> 16 & 0xff, 240u);
  EXPECT_EQ(colorTable(ColorMap::Viridis)[0], 0xff440154u);
  EXPECT_EQ(colorTable(ColorMap::Viridis)[255], 0xfffde725u);
}

TEST(ColorMap, TheEvenMapsGrowLighterAllTheWay) {
  for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis}) {
    double before = -1;
    for (const std::uint32_t c : colorTable(map)) {
      const double luma = 0.2126 * (c >> 16 & 0xff) + 0.7152 * (c >> 8 & 0xff) + 0.0722 * (c & 0xff);
      EXPECT_GE(luma, before - 0.75) << toString(map);
      before = luma;
    }
  }
}

TEST(RenderPlane, EveryScreenPixelIsTheNativeValueUnderIt) {
  const PlanePtr plane = ramp(16, 12);
  RenderStyle style;
  style.levels = {0, 191};
  const Viewport viewport{2.25, 3.5, 4.0};
  const auto pixels = render(*plane, viewport, style, 40, 30);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const int sx = static_cast<int>(std::floor(2.25 + (x + 0.5) / 4));
      const int sy = static_cast<int>(std::floor(3.5 + (y + 0.5) / 4));
      ASSERT_EQ(pixels[static_cast<std::size_t>(y * 40 + x)], colorOf(plane->value(sx, sy), style))
          << x << ", " << y;
    }
  }
}

TEST(RenderPlane, OutsideTheImageIsTheOutsideColour) {
  RenderStyle style;
  style.outside = 0xff123456;
  const auto pixels = render(*ramp(4, 4), {-2, -2, 1}, style, 8, 8);
  EXPECT_EQ(pixels.front(), style.outside);
  EXPECT_EQ(pixels.back(), style.outside);
  EXPECT_NE(pixels[3 * 8 + 3], style.outside);
}

TEST(RenderPlane, WhatIsNotFiniteHasAColourOfItsOwnAndToleranceIsWhite) {
  RenderStyle style;
  EXPECT_EQ(colorOf(std::numeric_limits<float>::quiet_NaN(), style), notFiniteColor);
  EXPECT_EQ(colorOf(-std::numeric_limits<float>::infinity(), style), notFiniteColor);
  style.map = ColorMap::BlueWhiteRed;
  style.levels = {-1, 1};
  style.tolerance = 0.1f;
  EXPECT_EQ(colorOf(0.1f, style), colorOf(0, style));
  EXPECT_NE(colorOf(0.2f, style), colorOf(0, style));
  style.levels = {1, -1};
  EXPECT_EQ(colorOf(1, style), colorTable(ColorMap::BlueWhiteRed)[0]) << "levels may be turned round";
}

TEST(Plane, ADifferenceOfOnePixelIsSeenInTheCoarsestCopy) {
  auto image = std::make_shared<Image>(1, 1000, 700, ElementType::F32);
  for (int y = 0; y < 1000; ++y) std::fill_n(image->view<float>(0).row(y), 700, 0.0f);
  image->view<float>(0).at(613, 271) = -1;
  const PlanePtr plane = makePlane(std::move(image), 0, Coarsen::Largest);
  ASSERT_FALSE(plane->coarser.empty());
  const Image& last = plane->coarser.back();
  const int level = static_cast<int>(plane->coarser.size());
  EXPECT_EQ(last.view<float>(0).at(613 >> level, 271 >> level), -1);
  EXPECT_EQ(levelFor(*plane, 1.0), 0);
  EXPECT_EQ(levelFor(*plane, 0.5), 1);
  EXPECT_EQ(levelFor(*plane, 0.26), 1);
}

TEST(Plane, HistogramCountsEveryFinitePixel) {
  const PlanePtr plane = ramp(100, 10);
  EXPECT_EQ(plane->histogram.total, 1000);
  EXPECT_EQ(plane->range.low, 0);
  EXPECT_EQ(plane->range.high, 999);
  EXPECT_NEAR(plane->histogram.percentile(0.5), 500, 4);
}

TEST(CaptionLines, BreakBetweenWordsAndLoseNoneThatFits) {
  const QFontMetricsF metrics{QFont()};
  const QString verdict = QStringLiteral("rounding only: 0.03 % of what is allowed");
  const double whole = metrics.horizontalAdvance(verdict);
  EXPECT_EQ(captionLines(verdict, metrics, whole, 3), QStringList{verdict});
  for (const double room : {0.9 * whole, 0.6 * whole, 0.5 * whole}) {
    const QStringList lines = captionLines(verdict, metrics, room, 3);
    EXPECT_GT(lines.size(), 1);
    EXPECT_LE(lines.size(), 3);
    EXPECT_EQ(lines.join(QLatin1Char(' ')), verdict);
    for (const QString& line : lines) EXPECT_LE(metrics.horizontalAdvance(line), room);
  }
  for (const double room : {0.2 * whole, 0.5}) {
    const QStringList lines = captionLines(verdict, metrics, room, 2);
    EXPECT_LE(lines.size(), 2);
    EXPECT_NE(lines.join(QLatin1Char(' ')), verdict);
  }
}

TEST(PaneGeometry, ZoomKeepsThePixelUnderTheMouseAtEveryScaling) {
  for (const double ratio : {1.0, 1.25, 1.5, 2.0}) {
    View view{false, 0.7, 200, 150};
    const QPointF mouse(101, 57);
    for (int i = 0; i < 24; ++i) {
      const PaneGeometry before({400, 300}, ratio, {500, 400}, view);
      const QPointF at = before.imageAt(mouse);
      if (at.x() < 0 || at.y() < 0) break;
      view = before.zoomed(1.25, mouse);
      const PaneGeometry after({400, 300}, ratio, {500, 400}, view);
      EXPECT_GE(after.zoom(), before.zoom());
      const QPointF moved = after.widgetAt(at) - mouse;
      EXPECT_LE(std::hypot(moved.x(), moved.y()), 0.05 * after.zoom() + 1.5)
          << "zoom " << after.zoom() << " ratio " << ratio;
    }
  }
}

TEST(PaneGeometry, DeepPixelsBeginOnDevicePixels) {
  for (const double ratio : {1.0, 1.25, 1.5, 1.75, 2.0}) {
    const PaneGeometry geometry({401, 303}, ratio, {64, 64}, View{false, 47.3, 31.37, 12.9});
    const Viewport& viewport = geometry.viewport();
    EXPECT_EQ(viewport.zoom, std::round(viewport.zoom));
    const double first = viewport.originX * viewport.zoom;
    EXPECT_NEAR(first, std::round(first), 1e-6);
  }
}

TEST(PaneGeometry, FitShowsTheWholeImageInTheMiddle) {
  const PaneGeometry geometry({400, 300}, 1, {1000, 500}, View{});
  EXPECT_EQ(geometry.visible(), QRect(0, 0, 1000, 500));
  const QPointF middle = geometry.widgetAt({500, 250});
  EXPECT_NEAR(middle.x(), 200, 1);
  EXPECT_NEAR(middle.y(), 150, 1);
}

}  // namespace
}  // namespace bankside::window
