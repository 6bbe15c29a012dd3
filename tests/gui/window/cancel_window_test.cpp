/// Cancel stops whatever computes, beside the panes too, and nothing says that it computes afterwards.
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QTableView>
#include <atomic>

#include "core/engine.h"
#include "core/phantom/phantom.h"
#include "gui/window/session/analysis.h"
#include "gui/window/session/evaluation_run.h"
#include "gui/window/session/folder_run.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

/// Computes until it is told to stop.
[[noreturn]] void hold(const std::stop_token& stop) {
  std::atomic<bool> told = false;
  const std::stop_callback tell(stop, [&] {
    told = true;
    told.notify_all();
  });
  told.wait(false);
  throw Cancelled();
}

class CancelWindow : public WindowFixture {
 protected:
  CancelWindow() {
    const Phantom eye = makePhantom({.size = 96});
    writeImage(folder_ / "vessels.png", eye.vessels, FileFormat::Png);
    open("eye.png", eye.photograph);
    EXPECT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
    EXPECT_TRUE(settled());
  }
  template <class Part>
  Part& part() {
    return *window_->findChild<Part*>();
  }
  void raise(const char* dock) {
    find<QDockWidget>(dock)->show();
    find<QDockWidget>(dock)->raise();
    QTest::qWait(1);
  }
  /// Waits until it is busy, cancels by the key, and waits until it is not.
  template <class Part>
  void cancelled(Part& part, const QString& doing) {
    auto* status = find<QLabel>("statusWork");
    ASSERT_TRUE(QTest::qWaitFor([&] { return status->text() == doing; }, 60000))
        << status->text().toStdString();
    ASSERT_TRUE(find<QAction>("actionCancel")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !part.busy(); }, 60000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return status->text() == QStringLiteral("Ready"); }, 60000))
        << status->text().toStdString();
    EXPECT_FALSE(find<QAction>("actionCancel")->isEnabled());
  }
  /// So that there is something else to be looked at.
  void turn() {
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=2")));
    ASSERT_TRUE(settled());
  }
};

TEST_F(CancelWindow, TheComparisonOfTwoPanes) {
  raise("compareDock");
  auto& comparison = part<PaneComparison>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return comparison.metrics().has_value(); }, 60000));
  comparison.setMeasure([](const Plane&, const Plane&, const Image*,
                           const std::stop_token& stop) -> PlaneMetrics { hold(stop); });
  turn();
  EXPECT_EQ(comparison.sentence(), QStringLiteral("Comparing…"));
  cancelled(comparison, QStringLiteral("Comparing two panes…"));
  EXPECT_EQ(find<QLabel>("compareFigures")->text(), QStringLiteral("Stopped."));

  // It stays so, until somebody asks.
  comparison.setMeasure(comparePlanes);
  Q_EMIT session_->resultsChanged();
  QTest::qWait(1);
  EXPECT_EQ(comparison.sentence(), QStringLiteral("Stopped."));
  click(find<QPushButton>("compareResume"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return comparison.metrics().has_value(); }, 60000));
  EXPECT_FALSE(find<QPushButton>("compareResume")->isVisible());
}

TEST_F(CancelWindow, WhatIsComparedNextBeginsByItself) {
  raise("compareDock");
  auto& comparison = part<PaneComparison>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return comparison.metrics().has_value(); }, 60000));
  // Before it has begun.
  session_->selectPlane(3);
  comparison.stop();
  ASSERT_TRUE(settled());
  turn();
  ASSERT_TRUE(QTest::qWaitFor([&] { return comparison.metrics().has_value(); }, 60000));
  EXPECT_FALSE(comparison.stopped());
}

TEST_F(CancelWindow, TheScoreAgainstManualVessels) {
  raise("truthDock");
  auto& truth = part<Truth>();
  truth.setCompare([](const Plane&, const std::filesystem::path&, const Image*,
                      const std::stop_token& stop) -> std::shared_ptr<const TruthCurve> { hold(stop); });
  session_->setTruth({QString::fromStdString((folder_ / "vessels.png").string())});
  ASSERT_TRUE(settled());
  EXPECT_EQ(truth.waiting(), QStringLiteral("comparing…"));
  cancelled(truth, QStringLiteral("Comparing with manual vessels…"));
  EXPECT_EQ(find<QLabel>("truthFile")->text(), QStringLiteral("vessels.png · stopped"));
  EXPECT_EQ(truth.curve(), nullptr);
  truth.setCompare(compareWithTruth);
  click(find<QPushButton>("truthResume"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth.curve() != nullptr; }, 60000));
  EXPECT_FALSE(find<QPushButton>("truthResume")->isVisible());
  EXPECT_EQ(find<QLabel>("truthFile")->text(), QStringLiteral("vessels.png"));

  // Of another bank it begins by itself, whether the one before was stopped or not.
  truth.setCompare([](const Plane&, const std::filesystem::path&, const Image*,
                      const std::stop_token& stop) -> std::shared_ptr<const TruthCurve> { hold(stop); });
  const auto before = truth.curve();
  turn();
  cancelled(truth, QStringLiteral("Comparing with manual vessels…"));
  EXPECT_EQ(truth.curve(), before) << "the old one stays";
  truth.setCompare(compareWithTruth);
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth.curve() != before && !truth.busy(); }, 60000));
  EXPECT_FALSE(truth.stopped());
}

TEST_F(CancelWindow, TheAnalysisOfTheBank) {
  raise("analysisDock");
  auto& analysis = part<Analysis>();
  auto* sentence = find<QLabel>("analysisRedundancy");
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return sentence->text().startsWith(QStringLiteral("12 filters span")); }, 60000));
  const QString before = sentence->text();
  session_->setPixel(QPoint(48, 48));
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return find<QTableView>("analysisTable")->model()->rowCount() == 12; }, 60000));
  analysis.setFind(
      [](const FilterBank&, const std::stop_token& stop) -> std::optional<Redundancy> { hold(stop); });
  turn();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !sentence->isEnabled(); }, 60000)) << "dimmed";
  EXPECT_EQ(sentence->text(), before) << "the old one stays";
  cancelled(analysis, QStringLiteral("Analyzing the bank…"));
  EXPECT_EQ(find<QLabel>("analysisText")->text(), QStringLiteral("Stopped."));
  EXPECT_FALSE(sentence->isEnabled());
  analysis.setWanted(false);
  analysis.setWanted(true);
  EXPECT_TRUE(analysis.stopped()) << "hiding it and showing it asks for nothing";
  EXPECT_FALSE(analysis.busy());
  analysis.setFind([](const FilterBank& bank, const std::stop_token&) { return redundancyOf(bank); });
  click(find<QPushButton>("analysisResume"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return sentence->isEnabled() && sentence->text() != before; }, 60000));
  EXPECT_EQ(find<QLabel>("analysisText")->text(), QStringLiteral("At pixel 48, 48:"));
  EXPECT_FALSE(find<QPushButton>("analysisResume")->isVisible());
}

TEST_F(CancelWindow, TheRunOverTheFolderAndTheEvaluation) {
  auto& run = part<FolderRun>();
  run.setRunner(
      [](const FolderRequest&, const auto&, const std::stop_token& stop) -> FolderReport { hold(stop); });
  run.start(session_->recipe(), false);
  cancelled(run, QStringLiteral("Running over the folder…"));
  EXPECT_EQ(run.state(), FolderRun::State::Stopped);

  Recipe recipe = session_->recipe();
  recipe.stages.front().combine = Combine::Max;
  session_->setRecipe(recipe);
  ASSERT_TRUE(settled());
  auto& evaluation = part<EvaluationRun>();
  evaluation.setPlace(&EvaluationRequest::truth, QString::fromStdString(folder_.path().string()));
  evaluation.setRunner([](const EvaluationRequest&, int, const auto&,
                          const std::stop_token& stop) -> EvaluatedPtr { hold(stop); });
  evaluation.start();
  cancelled(evaluation, QStringLiteral("Evaluating…"));
  EXPECT_EQ(evaluation.state(), EvaluationRun::State::Stopped);
}

}  // namespace
}  // namespace bankside::window
