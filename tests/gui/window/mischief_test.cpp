/// What people do to a program: odd images, haste, and closing it in the middle of things.
#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <cmath>
#include <limits>
#include <random>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/plane.h"
#include "kernels/engines.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WaitingEngine;
using bankside::testing::WindowFixture;

class Mischief : public WindowFixture {
 protected:
  /// Every layer of every plane, at a fit and at a deep zoom, with a pixel explained; false where a pane has
  /// an error instead of its plane.
  bool everyPlaneIsShown() {
    trigger("actionPanes4");
    session_->setPixel(QPoint(0, 0));
    for (int plane = 0; plane < static_cast<int>(session_->planes().size()); ++plane) {
      session_->selectPlane(plane);
      for (const View view : {View{true, 1, 0, 0}, View{false, 80, 0.5, 0.5}}) {
        session_->setView(view);
        if (!settled()) return false;
        window_->grab();
      }
      for (const PaneSpec& pane : session_->state().panes) {
        const PlaneResult* held = session_->result(session_->keyOf(pane));
        // OpenCV has no wrapping border, which the pane says in its place.
        const bool refused = session_->recipe().border.kind == BorderKind::Wrap &&
                             (pane.layer == Layer::OpenCv || pane.layer == Layer::Difference);
        if (refused && held != nullptr) {
          EXPECT_NE(held->error.find("wrapping border"), std::string::npos) << held->error;
        } else if (held == nullptr || held->plane == nullptr) {
          ADD_FAILURE() << toString(pane.layer) << " " << plane << ": " << (held ? held->error : "nothing");
          return false;
        }
      }
    }
    return true;
  }
  void setBorder(BorderKind kind) {
    Recipe recipe = session_->recipe();
    recipe.border.kind = kind;
    session_->setRecipe(recipe);
  }
};

TEST_F(Mischief, OnePixelAndFiltersLargerThanTheImageAreShownUnderEveryBorder) {
  for (const auto& [name, side] : {std::pair{"one.png", 1}, std::pair{"five.png", 5}}) {
    open(name, randomImage(1, side, side, ElementType::U16));
    for (const char* bank : {"sobel", "gaussian:sigma=6,size=31"}) {
      ASSERT_TRUE(chooseBank(QLatin1String(bank))) << banner().toStdString();
      for (const BorderKind border : {BorderKind::Reflect101, BorderKind::Reflect, BorderKind::Replicate,
                                      BorderKind::Constant, BorderKind::Wrap}) {
        setBorder(border);
        EXPECT_TRUE(everyPlaneIsShown()) << name << " " << bank << " " << toString(border);
      }
    }
  }
}

TEST_F(Mischief, WhatIsNotFiniteIsShownMeasuredAndNeverInTheLevels) {
  Image image = randomImage(1, 40, 60, ElementType::F32);
  image.view<float>(0).at(7, 5) = std::numeric_limits<float>::quiet_NaN();
  image.view<float>(0).at(50, 30) = std::numeric_limits<float>::infinity();
  open("holes.tif", image);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  EXPECT_TRUE(everyPlaneIsShown());
  const RenderStyle style = session_->styleFor({Layer::Output, 0});
  EXPECT_TRUE(std::isfinite(style.levels.low) && std::isfinite(style.levels.high));
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 60; ++x) image.view<float>(0).at(x, y) = std::nanf("");
  }
  open("nothing.tif", image);
  EXPECT_TRUE(everyPlaneIsShown());
  trigger("actionRegionFieldOfView");
  EXPECT_TRUE(settled());
  EXPECT_FALSE(banner().isEmpty()) << "there is no field of view in it";
}

TEST_F(Mischief, HasteEndsInWhatWasAskedForLast) {
  for (const char* name : {"a.png", "b.png", "c.png"}) {
    open(name, randomImage(1, 300 + 100 * (name[0] - 'a'), 400, ElementType::U8));
  }
  const char* const banks[] = {"sobel", "vessel-matched", "gaussian:sigma=3", "kirsch"};
  std::mt19937 random(7);
  QString image;
  const char* bank = banks[0];
  for (int i = 0; i < 60; ++i) {
    image = QString::fromStdString((folder_ / (std::string(1, "abc"[random() % 3]) + ".png")).string());
    bank = banks[random() % 4];
    window_->openPath(image);
    workflow_->chooseBank(QLatin1String(bank));
    if (i % 3 == 0) trigger(i % 2 == 0 ? "actionPanes4" : "actionSwipe");
    if (i % 5 == 0) session_->selectPlane(static_cast<int>(random() % 3));
    if (i % 7 == 0) trigger("actionMeasure");
    if (i % 11 == 0) trigger("actionCancel");
    QTest::qWait(static_cast<int>(random() % 12));
  }
  // What was cancelled stays cancelled: ask a last time for both.
  window_->openPath(image);
  workflow_->chooseBank(QLatin1String(bank));
  trigger("actionPanes4");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().imagePath == image; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->recipe().stages.front().bank, bank);
  const PlaneKey key{Layer::Output, session_->state().selectedPlane};
  ASSERT_NE(session_->result(key), nullptr);
  PlaneResult alone;
  computePlanes(
      [&] {
        RunSettings settings = session_->runSettings();
        settings.known.clear();
        return settings;
      }(),
      {key}, selectEngine, [&](PlaneResult result) { alone = std::move(result); }, {});
  ASSERT_NE(alone.plane, nullptr);
  const PlanePtr shown = session_->result(key)->plane;
  for (int y = 0; y < shown->height(); ++y) {
    for (int x = 0; x < shown->width(); ++x) ASSERT_EQ(shown->value(x, y), alone.plane->value(x, y));
  }
}

/// With an engine that would never end by itself.
TEST_F(Mischief, ClosingWhileItComputesOrMeasuresStopsTheEngine) {
  for (const bool measuring : {false, true}) {
    WaitingEngine engine;
    const auto computing = [&](const std::string& name, const ConvolutionProblem& problem) -> const Engine& {
      return measuring ? selectEngine(name, problem) : engine;
    };
    makeWindow(computing, {&engine});
    open("large.png", randomImage(1, 150, 150, ElementType::U16));
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
    if (measuring) {
      ASSERT_TRUE(settled());
      trigger("actionMeasure");
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return engine.started > 0; }, 60000));
    window_->close();
    window_ = nullptr;
    workflow_ = nullptr;
    controller_ = nullptr;
    EXPECT_EQ(engine.stopped, engine.started) << (measuring ? "measuring" : "computing");
  }
}

TEST_F(Mischief, TheVisiblePartIsPaintedInEveryPaneBeforeTheWholeIsThere) {
  trigger("actionPanes4");
  session_->setView({false, 1, 400, 300});
  int painted = 0;
  QObject::connect(session_.get(), &Session::resultsChanged, window_.get(), [&] {
    for (const PaneSpec& pane : session_->state().panes) {
      const PlaneKey key = session_->keyOf(pane);
      if (session_->patch(key) == nullptr || session_->result(key) != nullptr) continue;
      ++painted;
      const RenderStyle style = session_->styleFor(key);
      EXPECT_TRUE(std::isfinite(style.levels.low) && style.levels.low < style.levels.high);
    }
    window_->grab();
  });
  open("large.png", randomImage(1, 2100, 2100, ElementType::U16));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  EXPECT_GT(painted, 0);
}

TEST_F(Mischief, ATinyWindowStillWorks) {
  open("photo.png", randomImage(3, 200, 300, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  for (const QSize size : {QSize(1, 1), QSize(200, 100), QSize(640, 480), QSize(1300, 800)}) {
    window_->resize(size);
    trigger("actionPanes4");
    QTest::qWait(20);
    window_->grab();
    trigger("actionSwipe");
    ASSERT_TRUE(settled());
    window_->grab();
    trigger("actionZoomIn");
    trigger("actionFit");
  }
}

}  // namespace
}  // namespace bankside::window
