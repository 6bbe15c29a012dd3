#include "gui/window/compute/run_controller.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <chrono>

#include "core/error.h"
#include "gui/window/compute/work.h"
#include "kernels/engines.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using bankside::testing::WaitingEngine;
using std::chrono::milliseconds;

void waitForStop(const std::stop_token& stop) {
  while (!stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(RunController, DeliversOnItsOwnThreadAndWorksOnAnother) {
  RunController controller;
  std::thread::id worked;
  std::thread::id delivered;
  controller.start(Work::Compute, "x", [&](RunController::Context& context) {
    worked = std::this_thread::get_id();
    context.deliver([&] { delivered = std::this_thread::get_id(); });
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return delivered != std::thread::id(); }, 60000));
  EXPECT_EQ(delivered, std::this_thread::get_id());
  EXPECT_NE(worked, delivered);
}

TEST(RunController, NewestWinsAndStaleResultsAreDropped) {
  RunController controller;
  std::atomic<bool> running = false;
  QStringList seen;
  controller.start(Work::Compute, "old", [&](RunController::Context& context) {
    running = true;
    waitForStop(context.stop);
    context.deliver([&] { seen << "old"; });
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return running.load(); }, 60000));
  controller.start(Work::Compute, "never",
                   [&](RunController::Context& context) { context.deliver([&] { seen << "never"; }); });
  controller.start(Work::Compute, "new",
                   [&](RunController::Context& context) { context.deliver([&] { seen << "new"; }); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return !seen.isEmpty() && !controller.busy(); }, 60000));
  QTest::qWait(20);
  EXPECT_EQ(seen, QStringList{"new"});
}

TEST(RunController, WorkIsNotOverBeforeThatIsTold) {
  RunController controller;
  std::atomic<bool> go = false;
  std::atomic<bool> done = false;
  controller.start(Work::Open, "first", [&](RunController::Context&) { go.wait(false); });
  controller.start(Work::Bank, "second", [&](RunController::Context&) {
    done = true;
    done.notify_all();
  });
  bool other = false;
  bool own = true;
  QObject::connect(&controller, &RunController::finished, &controller, [&](Work kind) {
    if (kind != Work::Open) return;
    own = controller.working(Work::Open);
    other = controller.working(Work::Bank);
  });
  go = true;
  go.notify_all();
  done.wait(false);  // it ran before anything of the first one was told
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.busy(); }, 60000));
  EXPECT_FALSE(own);
  EXPECT_TRUE(other);
  EXPECT_FALSE(controller.working(Work::Bank));
}

TEST(RunController, StopAllWaitsForWhatRuns) {
  RunController controller;
  std::atomic<bool> running = false;
  std::atomic<bool> ended = false;
  std::atomic<bool> waited = false;
  controller.start(Work::Compute, "runs", [&](RunController::Context& context) {
    running = true;
    waitForStop(context.stop);
    std::this_thread::sleep_for(milliseconds(30));
    ended = true;
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return running.load(); }, 60000));
  controller.start(Work::Region, "waits", [&](RunController::Context&) { waited = true; });
  controller.stopAll();
  EXPECT_TRUE(ended);
  controller.stopAll();  // with nothing to stop
  EXPECT_FALSE(waited);
}

TEST(RunController, AResultThatWaitsForTheWindowIsStillDroppedWhenOutdated) {
  RunController controller;
  bool seen = false;
  std::atomic<bool> done = false;
  controller.start(Work::Compute, "x", [&](RunController::Context& context) {
    context.deliver([&] { seen = true; });
    done = true;
  });
  while (!done) std::this_thread::sleep_for(milliseconds(1));  // the event is queued, not delivered
  controller.cancel(Work::Compute);
  QTest::qWait(30);
  EXPECT_FALSE(seen);
}

/// What waits is cancelled where the worker has ended the work before it and has not taken it up: as that
/// work is forgotten. The last word is that nothing is done any more.
TEST(RunController, SaysThatItIsIdleWhenWhatWaitsIsCancelledBetweenTwoWorks) {
  RunController controller;
  std::atomic<bool> waits = false;
  bool working = false;
  QObject::connect(&controller, &RunController::busyChanged, &controller,
                   [&](bool busy, const QString&) { working = busy; });
  const auto cancels = [](RunController* c) { c->cancel(Work::Region); };
  controller.start(Work::Open, "first",
                   [&waits, forgotten = std::shared_ptr<RunController>(&controller, cancels)](
                       RunController::Context&) { waits.wait(false); });
  bool taken = false;
  controller.start(Work::Region, "next", [&](RunController::Context&) { taken = true; });
  waits = true;
  waits.notify_all();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.busy(); }, 60000));
  EXPECT_FALSE(taken);
  EXPECT_FALSE(working);
}

TEST(RunController, AnErrorIsOneSentence) {
  RunController controller;
  QSignalSpy failed(&controller, &RunController::failed);
  controller.start(Work::Open, "x",
                   [](RunController::Context&) { throw Error(ErrorCode::Io, "a.png: cannot be opened"); });
  ASSERT_TRUE(failed.wait(60000));
  EXPECT_EQ(failed.first().at(1).toString(), "a.png: cannot be opened");
  bool after = false;
  controller.start(Work::Open, "y",
                   [&](RunController::Context& context) { context.deliver([&] { after = true; }); });
  EXPECT_TRUE(QTest::qWaitFor([&] { return after; }, 60000));
}

TEST(RunController, OpeningStopsFilteringAndMeasuring) {
  RunController controller;
  std::atomic<bool> running = false;
  std::atomic<bool> stopped = false;
  controller.start(Work::Measure, "x", [&](RunController::Context& context) {
    running = true;
    waitForStop(context.stop);
    stopped = true;
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return running.load(); }, 60000));
  bool opened = false;
  controller.start(Work::Open, "y",
                   [&](RunController::Context& context) { context.deliver([&] { opened = true; }); });
  EXPECT_TRUE(QTest::qWaitFor([&] { return opened; }, 60000));
  EXPECT_TRUE(stopped);
}

TEST(RunController, CancellingEndsTheEngineThatRuns) {
  WaitingEngine engine;
  RunController controller;
  QSignalSpy finished(&controller, &RunController::finished);
  QSignalSpy failed(&controller, &RunController::failed);
  auto picture = std::make_shared<Picture>();
  picture->image = std::make_shared<const Image>(bankside::testing::integerImage(1, 32, 40, ElementType::U8));
  picture->info.channelNames = {"grey"};
  RunSettings settings;
  settings.picture = picture;
  settings.bank = std::make_shared<const FilterBank>(bankside::testing::integerBank(2, 1, 3, 3));
  bool delivered = false;
  controller.start(Work::Compute, "x", [&](RunController::Context& context) {
    computePlanes(
        settings, {{Layer::Output, 0}},
        [&](const std::string&, const ConvolutionProblem&) -> const Engine& { return engine; },
        [&](PlaneResult) { context.deliver([&] { delivered = true; }); }, context.stop);
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return engine.started > 0; }, 60000));
  controller.cancelAll();
  ASSERT_TRUE(finished.wait(60000));
  EXPECT_EQ(engine.stopped, 1);
  EXPECT_TRUE(finished.first().at(1).toBool());
  EXPECT_TRUE(failed.isEmpty()) << "a cancel is no failure";
  EXPECT_FALSE(delivered);
}

TEST(RunController, DestroyingItEndsWhatRuns) {
  std::atomic<bool> running = false;
  std::atomic<bool> ended = false;
  {
    RunController controller;
    controller.start(Work::Compute, "x", [&](RunController::Context& context) {
      running = true;
      waitForStop(context.stop);
      ended = true;
    });
    while (!running) std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace bankside::window
