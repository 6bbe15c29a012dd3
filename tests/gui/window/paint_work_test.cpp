/// What a paint does: the pixels that it colours, and the memory that looking at planes takes. How long it
/// takes is measured by tests/bench/window_turns.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "gui/window/canvas/image_pane.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;

/// MiB of memory that this process has now.
double residentMiB() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  }
  return 0;
}

class PaintWork : public bankside::testing::WindowFixture {
 protected:
  /// Paints two panes along a path of zooms and pans. Checks sampled pixels, and that a paint gives each of a
  /// pane's pixels a colour once.
  void walk(Canvas& canvas, int steps);
  void openLarge() {
    window_->resize(1920, 1080);
    open("large.png", randomImage(1, 4096, 4096, ElementType::U16));
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
    ASSERT_EQ(session_->bank()->size(), 12);
    ASSERT_TRUE(settled(120000));
  }
};

void PaintWork::walk(Canvas& canvas, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) / steps * 6.283185;
    View view{false, std::pow(2.0, -2.5 + 6.5 * (0.5 - 0.5 * std::cos(t))), 2048 + 1500 * std::sin(2 * t),
              2048 + 1500 * std::cos(3 * t)};
    const std::int64_t colored = canvas.pane(0)->colored() + canvas.pane(1)->colored();
    session_->setView(view);
    QCoreApplication::processEvents();
    const auto pixels = [&](int pane) {
      const QSize size = canvas.pane(pane)->geometryNow().deviceSize();
      return std::int64_t{size.width()} * size.height();
    };
    EXPECT_EQ(canvas.pane(0)->colored() + canvas.pane(1)->colored() - colored, pixels(0) + pixels(1)) << i;
    if (i % (steps / 6) != steps / 12) continue;
    for (const int pane : {0, 1}) {
      const PlaneKey key = session_->keyOf(session_->state().panes[static_cast<std::size_t>(pane)]);
      const Plane& plane = *session_->result(key)->plane;
      const PaneGeometry geometry = canvas.pane(pane)->geometryNow();
      if (levelFor(plane, geometry.viewport().zoom) > 0 || geometry.zoom() >= valueZoom) continue;
      const QImage shown = canvas.pane(pane)->grab().toImage().convertToFormat(QImage::Format_RGB32);
      const QPoint pixel = geometry.pixelAt({100.5, 80.5});
      EXPECT_EQ(shown.pixel(100, 80), colorOf(plane.value(pixel.x(), pixel.y()), session_->styleFor(key)))
          << i;
    }
  }
}

TEST_F(PaintWork, AMoveColorsEachPixelOnce) {
  openLarge();
  walk(*find<Canvas>("canvas"), 60);
}

TEST_F(PaintWork, WhatShowsTheSameIsNotColoredAgain) {
  open("photo.png", randomImage(1, 200, 300, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("kirsch")));
  trigger("actionPanes4");
  session_->setPanes({{Layer::Input}, {Layer::Output, 0}, {Layer::Output, 1}, {Layer::Output, 2}});
  LevelSetting apart = session_->levels(LevelGroup::Response);
  apart.own = true;  // else they share one contrast
  session_->setLevels(LevelGroup::Response, apart);
  ASSERT_TRUE(settled());
  const auto colored = [&] {
    QCoreApplication::processEvents();
    std::array<std::int64_t, mostPanes> each{};
    for (int pane = 0; pane < mostPanes; ++pane)
      each[static_cast<std::size_t>(pane)] = find<Canvas>("canvas")->pane(pane)->colored();
    return each;
  };
  const auto before = colored();
  session_->setPixel(QPoint(10, 20));
  EXPECT_EQ(colored(), before) << "the frame of a pixel is drawn over what is there";
  session_->setPane(2, {Layer::Output, 5});
  ASSERT_TRUE(settled());
  const auto after = colored();
  EXPECT_GT(after[2], before[2]);
  for (const std::size_t other : {0, 1, 3}) EXPECT_EQ(after[other], before[other]) << other;
}

TEST_F(PaintWork, FlippingThroughAllFiltersTwiceStaysUnderTwoGigabytes) {
  openLarge();
  double most = residentMiB();
  for (int i = 0; i < 24; ++i) {
    session_->selectPlane((i + 1) % 12);
    ASSERT_TRUE(settled(60000));
    most = std::max(most, residentMiB());
  }
  std::printf("resident: at most %.0f MiB, of which planes %.0f MiB\n", most,
              static_cast<double>(session_->storedBytes()) / (1 << 20));
  EXPECT_LT(most, 2048);
}

}  // namespace
}  // namespace bankside::window
