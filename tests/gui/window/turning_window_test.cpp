/// A parameter that is turned without a pause.
#include "gui/window/session/pane_comparison.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class TurningWindow : public WindowFixture {
 protected:
  void SetUp() override {
    open("noise.png", randomImage(1, 60, 80, ElementType::U8));
    ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
    trigger("actionPanes2");
    session_->setPane(0, {Layer::Input});
    session_->setPane(1, {Layer::Output});
    rest();
    ASSERT_TRUE(settled());
    comparison_ = window_->findChild<PaneComparison*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison_->busy() && !session_->turning(); }, 60000));
  }
  static FilterBank bankOf(double sigma) { return loadBank("gaussian:sigma=" + std::to_string(sigma)); }
  /// A change in an event of its own.
  void turn(double sigma) {
    session_->setBank(bankOf(sigma), QStringLiteral("gaussian:sigma=%1").arg(sigma));
    QCoreApplication::sendPostedEvents(session_.get());
  }
  /// However slow the machine is.
  void turnsWithoutEnd() { session_->setPauseOfTurning(std::chrono::hours(24)); }
  void rest() { session_->setPauseOfTurning(std::chrono::milliseconds(0)); }
  bool present() {
    return session_->missingPlanes().empty() && session_->shown(1).age == Session::Shown::Age::Present;
  }
  PaneComparison* comparison_ = nullptr;
};

TEST_F(TurningWindow, FiguresWaitForAPause) {
  int early = 0;
  const QMetaObject::Connection measured = QObject::connect(
      session_.get(), &Session::regionMeasured, session_.get(), [&] { early += session_->turning(); });
  const QMetaObject::Connection compared =
      QObject::connect(comparison_, &PaneComparison::changed, session_.get(),
                       [&] { early += session_->turning() && comparison_->metrics().has_value(); });
  turnsWithoutEnd();
  session_->setBank(bankOf(1.3), QStringLiteral("gaussian:sigma=1.3"));
  session_->setThreads(2);
  EXPECT_FALSE(session_->turning()) << "what one event changes is no turning";
  turn(1.5);
  for (int i = 0; i < 12; ++i) {
    turn(1.5 + 0.1 * i);
    turn(1.6 + 0.1 * i);
    EXPECT_TRUE(session_->turning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return present(); }, 60000)) << "the panes wait for nothing";
  }
  EXPECT_EQ(early, 0);
  rest();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison_->busy() && comparison_->metrics(); }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_FALSE(session_->turning());
  const PaneSpec output{Layer::Output};
  ASSERT_NE(session_->statistics(session_->keyOf(output)), nullptr);
  EXPECT_EQ(session_->statistics(session_->keyOf(output))->mean,
            measureInside(*session_->shown(1).plane, nullptr).mean);
  EXPECT_EQ(comparison_->metrics()->rootMeanSquare,
            comparePlanes(*session_->shown(0).plane, *session_->shown(1).plane, nullptr).rootMeanSquare);
  QObject::disconnect(measured);
  QObject::disconnect(compared);
}

TEST_F(TurningWindow, LevelsInsideARegionAreOfEveryTurn) {
  session_->setRegion({RegionKind::Rectangle, 10, 10, 20, 20, {}});
  ASSERT_TRUE(settled());
  turnsWithoutEnd();
  turn(1.5);
  turn(1.6);
  EXPECT_TRUE(session_->turning());
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return present() && session_->statistics(session_->keyOf({Layer::Output})) != nullptr; }, 60000));
  EXPECT_TRUE(session_->turning());
  rest();
  EXPECT_TRUE(settled());
}

TEST_F(TurningWindow, WhoStopsHoldsWhatWaitsForThePause) {
  turnsWithoutEnd();
  turn(1.5);
  turn(1.6);
  ASSERT_TRUE(QTest::qWaitFor([&] { return present(); }, 60000));
  comparison_->stop();
  rest();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->turning(); }, 60000));
  QCoreApplication::processEvents();
  EXPECT_TRUE(comparison_->stopped());
  EXPECT_FALSE(comparison_->metrics());
  comparison_->resume();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !comparison_->busy() && comparison_->metrics(); }, 60000));
}

}  // namespace
}  // namespace bankside::window
