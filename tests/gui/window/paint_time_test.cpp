/// Pan and zoom on 4096 x 4096 u16 with twelve filters and two panes. The suite counts what a paint does.
/// Times, 60 frames a second and a start in a second, are asked for with BANKSIDE_SPEED_TESTS=1, on a machine
/// that is idle.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QProcess>
#include <algorithm>
#include <cmath>
#include <cstdlib>
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
  /// Paints two panes along a path of zooms and pans; gives the milliseconds of each step, in order of size.
  /// Checks sampled pixels, and that a paint gives each of a pane's pixels a colour once.
  std::vector<double> walk(Canvas& canvas, int steps);
  void openLarge() {
    window_->resize(1920, 1080);
    open("large.png", randomImage(1, 4096, 4096, ElementType::U16));
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
    ASSERT_EQ(session_->bank()->size(), 12);
    ASSERT_TRUE(settled(120000));
  }
};

class PaintTime : public PaintWork {
 protected:
  void SetUp() override {
    if (std::getenv("BANKSIDE_SPEED_TESTS") == nullptr)
      GTEST_SKIP() << "asked for with BANKSIDE_SPEED_TESTS=1";
  }
};

std::vector<double> PaintWork::walk(Canvas& canvas, int steps) {
  std::vector<double> milliseconds;
  QElapsedTimer clock;
  for (int i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) / steps * 6.283185;
    View view{false, std::pow(2.0, -2.5 + 6.5 * (0.5 - 0.5 * std::cos(t))), 2048 + 1500 * std::sin(2 * t),
              2048 + 1500 * std::cos(3 * t)};
    const std::int64_t colored = canvas.pane(0)->colored() + canvas.pane(1)->colored();
    clock.start();
    session_->setView(view);
    QCoreApplication::processEvents();
    milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
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
  std::sort(milliseconds.begin(), milliseconds.end());
  return milliseconds;
}

TEST_F(PaintTime, StartsInUnderASecond) {
  // The program with its libraries up to its answer, then a window up to its first picture with a bank.
  QElapsedTimer clock;
  clock.start();
  QProcess program;
  program.start(QStringLiteral(BANKSIDE_WINDOW), {QStringLiteral("--version")});
  ASSERT_TRUE(program.waitForFinished(10000));
  ASSERT_EQ(program.exitCode(), 0);
  const double loading = static_cast<double>(clock.nsecsElapsed()) / 1e9;
  std::vector<const Engine*> list;
  for (const auto& engine : engines()) list.push_back(engine.get());
  clock.start();
  makeWindow(selectEngine, list);
  workflow_->chooseBank(QStringLiteral("sobel"));
  workflow_->open(QStringLiteral(BANKSIDE_ASSETS "/images/retina.jpg"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->fresh({Layer::Output, 0}); }, 60000));
  const double showing = static_cast<double>(clock.nsecsElapsed()) / 1e9;
  std::printf("start: libraries %.2f s, window with image and first response %.2f s\n", loading, showing);
  EXPECT_LT(loading + showing, 1.0);
}

TEST_F(PaintTime, PanAndZoomKeepSixtyFramesASecond) {
  openLarge();
  auto* canvas = find<Canvas>("canvas");
  // Other programs only add to a time: of three walks along the path the best one counts, all are shown.
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::vector<double> milliseconds = walk(*canvas, 600);
    const double p99 = milliseconds[milliseconds.size() * 99 / 100];
    std::printf("two panes of %d x %d: median %.2f ms, 99th percentile %.2f ms\n", canvas->pane(0)->width(),
                canvas->pane(0)->height(), milliseconds[milliseconds.size() / 2], p99);
    best = std::min(best, p99);
  }
  EXPECT_LE(best, 16.7);
}

TEST_F(PaintWork, AMoveColorsEachPixelOnce) {
  openLarge();
  EXPECT_EQ(walk(*find<Canvas>("canvas"), 60).size(), 60);
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
