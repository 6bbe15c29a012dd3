/// A pane never lies: what is old is dimmed, what stopped says so, what cannot be shown says what would help.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/run/report_values.h"
#include "core/text_file.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/pane_notice.h"
#include "gui/window/compute/magnitude_plane.h"
#include "gui/window/compute/plane_summary.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/models/bank_answers_model.h"
#include "gui/window/models/explanation_model.h"
#include "gui/window/session/analysis.h"
#include "kernels/engines.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WaitingEngine;
using bankside::testing::WindowFixture;
using bankside::testing::WrongEngine;
using Age = Session::Shown::Age;

class HonestPanes : public WindowFixture {
 protected:
  ImagePane* pane(int index) { return find<Canvas>("canvas")->pane(index); }

  /// The notice that is seen in a pane; null if there is none.
  PaneNotice* notice(int index) {
    for (auto* each : pane(index)->findChildren<PaneNotice*>()) {
      if (each->isVisible()) return each;
    }
    return nullptr;
  }
  QString said(int index) {
    auto* seen = notice(index);
    return seen == nullptr ? QString() : seen->findChild<QLabel*>()->text();
  }
  /// Presses the button of that title.
  void press(QWidget* within, const QString& title) {
    ASSERT_NE(within, nullptr) << title.toStdString();
    for (auto* button : within->findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == title) return QTest::mouseClick(button, Qt::LeftButton);
    }
    FAIL() << "there is no button " << title.toStdString();
  }
  QString status() { return find<QLabel>("statusWork")->text(); }
};

TEST_F(HonestPanes, TheOldResultStaysDimmedAndWhatWasStoppedSaysSoAndGoesOn) {
  WaitingEngine engine;
  engine.finish = true;
  makeWindow([&](const std::string&, const ConvolutionProblem&) -> const Engine& { return engine; },
             {&engine});
  open("photo.png", randomImage(1, 90, 120, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const QImage bright = pane(1)->grab().toImage();
  const PlanePtr before = session_->shown(1).plane;
  ASSERT_NE(before, nullptr);

  engine.finish = false;
  const int runs = engine.started;
  ASSERT_TRUE(chooseBank(QStringLiteral("kirsch"))) << "all its planes are others";
  ASSERT_TRUE(QTest::qWaitFor([&] { return engine.started > runs; }, 60000));
  EXPECT_EQ(session_->shown(1).plane, before);
  EXPECT_EQ(session_->shown(1).age, Age::Earlier);
  EXPECT_TRUE(QTest::qWaitFor([&] { return pane(1)->grab().toImage() != bright; }, 60000)) << "it is dimmed";
  EXPECT_EQ(notice(1), nullptr);

  QTest::keyClick(window_.get(), Qt::Key_Escape);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 60000));
  EXPECT_EQ(said(1), QStringLiteral("Stopped."));
  EXPECT_EQ(session_->shown(1).plane, before);
  EXPECT_TRUE(QTest::qWaitFor([&] { return status() == QStringLiteral("Stopped"); }, 60000))
      << status().toStdString();

  engine.finish = true;
  press(notice(1), QStringLiteral("Compute"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(1).age, Age::Present);
  EXPECT_NE(session_->shown(1).plane, before);
  EXPECT_EQ(notice(1), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return status() == QStringLiteral("Ready"); }, 60000))
      << status().toStdString();
}

TEST_F(HonestPanes, AGreyPictureUnderGreenIsSeenAndOffersGreyOnTheSpot) {
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  Recipe recipe = session_->recipe();
  recipe.channel = ChannelChoice::Green;
  session_->setRecipe(recipe);
  open("grey.png", randomImage(1, 90, 120, ElementType::U8));
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->shown(0).plane, nullptr) << "the input is always seen";
  EXPECT_EQ(notice(0), nullptr);
  EXPECT_EQ(said(1), QStringLiteral("The picture is grey: it has no green channel."));
  press(notice(1), QStringLiteral("Use grey"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().channel == ChannelChoice::Auto; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(notice(1), nullptr);
  EXPECT_EQ(session_->shown(1).age, Age::Present);
}

TEST_F(HonestPanes, WhatIsAskedBesideTheChannelComesOneByOneWithWhatAnswersIt) {
  window_->showSample();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  ASSERT_TRUE(settled());
  open("grey.png", randomImage(1, 90, 120, ElementType::U8));
  ASSERT_TRUE(settled());
  EXPECT_EQ(said(1), QStringLiteral("The picture is grey: it has no green channel."));
  press(notice(1), QStringLiteral("Use grey"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return said(1).contains(QStringLiteral("What angle")); }, 60000))
      << said(1).toStdString();
  EXPECT_EQ(offer(QStringLiteral("Use grey")), nullptr);
  EXPECT_NE(offer(QStringLiteral("45°")), nullptr);
  press(notice(1), QStringLiteral("As it is"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return notice(1) == nullptr; }, 60000)) << said(1).toStdString();
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().pixelsPerDegree, 22) << "what the recipe is written for";
  EXPECT_EQ(session_->shown(1).age, Age::Present);
}

TEST_F(HonestPanes, ABannerGoesWithItsCauseAndCarriesWhatMendsIt) {
  open("a.png", randomImage(1, 20, 30, ElementType::U8));
  EXPECT_FALSE(chooseBank(QStringLiteral("no-such-bank")));
  ASSERT_TRUE(banner().contains(QStringLiteral("no-such-bank")));
  open("c.png", randomImage(1, 20, 30, ElementType::U8));
  EXPECT_TRUE(banner().contains(QStringLiteral("no-such-bank"))) << "another picture does not mend a bank";
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();

  std::ofstream(folder_ / "b.png") << "\x89PNG\r\n\x1a\nrubbish";
  window_->openPath(QString::fromStdString((folder_ / "b.png").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("b.png")); }, 60000));
  QTest::mouseClick(find<QPushButton>("bannerHelp"), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "c.png"; }, 60000));
  EXPECT_TRUE(banner().isEmpty());
}

TEST_F(HonestPanes, ABrokenFileIsWalkedOver) {
  for (const char* name : {"a.png", "c.png"}) open(name, randomImage(1, 20, 30, ElementType::U8));
  std::ofstream(folder_ / "b.png") << "\x89PNG\r\n\x1a\nrubbish";
  window_->openPath(QString::fromStdString((folder_ / "a.png").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "a.png"; }, 60000));
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "c.png"; }, 60000));
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QStringLiteral("b.png cannot be read")));
  QTest::keyClick(window_.get(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "a.png"; }, 60000));
}

TEST_F(HonestPanes, AChosenCombineIsShownAndStaysWhenTheBankChanges) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=2")));
  auto* combine = find<QComboBox>("combine");
  combine->setFocus();
  QTest::keyClick(combine, Qt::Key_Home);
  QTest::keyClick(combine, Qt::Key_Down);
  const auto selected = [&] { return session_->planeTitle(session_->state().selectedPlane); };
  EXPECT_EQ(selected(), QStringLiteral("max"));
  ASSERT_TRUE(chooseBank(QStringLiteral("kirsch")));
  EXPECT_EQ(selected(), QStringLiteral("max"));
  ASSERT_TRUE(settled());
  session_->selectPlane(2);
  const QString filter = selected();
  QTest::keyClick(combine, Qt::Key_Home);
  EXPECT_EQ(selected(), session_->planeTitle(0)) << "without a combine the first filter";
  EXPECT_NE(filter, selected());
}

TEST_F(HonestPanes, ADifferenceSaysWhetherItIsRounding) {
  trigger("actionPanes4");
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  const PlaneKey key{Layer::Difference, 0};
  const PlaneResult* difference = session_->result(key);
  ASSERT_NE(difference, nullptr);
  ASSERT_TRUE(difference->verdict) << difference->error;
  EXPECT_LT(difference->verdict->share, 1);
  const auto largest = [&] {
    const ValueRange& range = session_->result(key)->plane->range;
    return std::max(std::fabs(range.low), std::fabs(range.high));
  };
  EXPECT_GE(session_->styleFor(key).tolerance, largest()) << "rounding has no colour";

  WrongEngine wrong;
  makeWindow(
      [&](const std::string& name, const ConvolutionProblem& problem) -> const Engine& {
        return name == "opencv" || name == "wrong" ? wrong : selectEngine(name, problem);
      },
      {&wrong});
  trigger("actionPanes4");
  window_->openPath(QString::fromStdString((folder_ / "photo.png").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(session_->result(key)->verdict);
  EXPECT_GT(session_->result(key)->verdict->share, 1);
  EXPECT_LT(session_->styleFor(key).tolerance, largest()) << "the wrong pixel has a colour";
  EXPECT_TRUE(planeSummary(*session_->result(key)).startsWith(QStringLiteral("more than rounding")));
}

TEST_F(HonestPanes, ADifferenceOfTransformsIsJudgedByTheResultsAlone) {
  trigger("actionPanes4");
  Recipe recipe = session_->recipe();
  recipe.engine = "cpu:fft";
  session_->setRecipe(recipe);
  open("photo.png", randomImage(1, 120, 130, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=2")));
  ASSERT_TRUE(settled());
  const PlaneResult& difference = *session_->result({Layer::Difference, 0});
  const PlaneResult& ours = *session_->result({Layer::Output, 0});
  const PlaneResult& theirs = *session_->result({Layer::OpenCv, 0});
  ASSERT_TRUE(difference.verdict);
  EXPECT_TRUE(difference.verdict->most);
  EXPECT_TRUE(planeSummary(difference).startsWith(QStringLiteral("rounding only: at most ")));
  // What it says is true: no less than with the magnitudes, which it does not compute.
  ImageSource source(*session_->picture()->image);
  const Image magnitudes = magnitudePlane(session_->runSettings(), source, 0, selectEngine, {});
  const DifferenceVerdict exact =
      judgeDifference(*difference.plane, magnitudes, *ours.bound, *theirs.bound, 0);
  EXPECT_FALSE(exact.most);
  EXPECT_GT(exact.share, 0);
  EXPECT_GE(difference.verdict->share, exact.share);
  EXPECT_EQ(difference.verdict->tolerance, exact.tolerance);

  // One wrong pixel is no rounding, however large it is.
  Image wrong = ours.plane->image->clone();
  wrong.view<float>(0).at(7, 9) = 1e6f;
  const PlanePtr wrongPlane = makePlane(std::make_shared<const Image>(std::move(wrong)), 0);
  EXPECT_FALSE(judgedByResults(*differencePlane(*wrongPlane, *theirs.plane), *wrongPlane, *theirs.plane,
                               *ours.bound, *theirs.bound));
}

TEST_F(HonestPanes, EditorAndExplanationCountTapsAlike) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  session_->setPixel(QPoint(20, 30));
  find<QDockWidget>("pixelDock")->raise();
  find<QTabWidget>("bankTabs")->setCurrentIndex(1);
  ASSERT_TRUE(settled());
  const QString count = find<QLabel>("readoutCount")->text();
  EXPECT_EQ(count, QStringLiteral("9 taps, 3 of them zero"));
  EXPECT_TRUE(find<QLabel>("explainText")->text().contains(count))
      << find<QLabel>("explainText")->text().toStdString();
}

TEST_F(HonestPanes, APixelOfAMaximumIsExplainedByTheFilterThatWon) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  auto* combine = find<QComboBox>("combine");
  combine->setFocus();
  QTest::keyClick(combine, Qt::Key_Home);
  QTest::keyClick(combine, Qt::Key_Down);
  ASSERT_TRUE(settled());
  find<QDockWidget>("pixelDock")->raise();
  auto* pane = find<Canvas>("canvas")->pane(1);
  QTest::mouseClick(pane, Qt::LeftButton, {}, pane->geometryNow().rectOf({20, 30}).center().toPoint());
  ASSERT_EQ(session_->state().pixel, QPoint(20, 30));
  ASSERT_TRUE(settled());
  const float dx = *session_->valueAt({Layer::Output, 0}, 20, 30);
  const float dy = *session_->valueAt({Layer::Output, 1}, 20, 30);
  const QString winner = dx >= dy ? QStringLiteral("dx") : QStringLiteral("dy");
  const QString text = find<QLabel>("explainText")->text();
  EXPECT_TRUE(text.startsWith(QStringLiteral("The largest of 2 filters here is %1: 9 taps").arg(winner)))
      << text.toStdString();
  const auto* terms = find<QTableView>("explainTable")->model();
  ASSERT_EQ(terms->rowCount(), 9);
  for (int row = 0; row < 9; ++row) {
    const bool zero = terms->index(row, ExplanationModel::Tap).data().toDouble() == 0;
    EXPECT_EQ(zero, row >= 6) << "taps of zero come last";
  }
}

TEST_F(HonestPanes, TheAnalysisAnswersWhatThePanesShow) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  find<QDockWidget>("analysisDock")->raise();
  auto* table = find<QTableView>("analysisTable");
  EXPECT_EQ(table->model()->rowCount(), 0) << "nobody chose a pixel";
  Recipe recipe = session_->recipe();
  recipe.border = {BorderKind::Constant, 40};
  session_->setRecipe(recipe);
  session_->setPixel(QPoint(0, 30));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }, 60000));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !find<QLabel>("analysisRedundancy")->text().isEmpty(); }, 60000));
  EXPECT_TRUE(find<QLabel>("analysisRedundancy")
                  ->text()
                  .startsWith(QStringLiteral("2 filters span 2 dimensions; 2 of them hold 99 %")));
  ASSERT_EQ(table->model()->rowCount(), 2);
  double largest = 0;
  for (int row = 0; row < 2; ++row) {
    session_->selectPlane(row);
    ASSERT_TRUE(settled());
    const float shown = session_->result({Layer::Output, row})->plane->value(0, 30);
    EXPECT_EQ(table->model()->index(row, BankAnswersModel::Answer).data().toString(),
              shortValueText(shown, 5));
    const double share =
        table->model()->index(row, BankAnswersModel::Answer).data(BankAnswersModel::ShareRole).toDouble();
    EXPECT_EQ(share < 0, shown < 0);
    largest = std::max(largest, std::fabs(share));
  }
  EXPECT_EQ(largest, 1);

  // They are the command's.
  const std::filesystem::path file = folder_ / "answers.json";
  EXPECT_EQ(
      QProcess::execute(QStringLiteral(BANKSIDE_PROGRAM),
                        {QStringLiteral("banks"), QStringLiteral("analyze"), QStringLiteral("sobel"),
                         QStringLiteral("--image"), session_->state().imagePath, QStringLiteral("--at"),
                         QStringLiteral("0,30"), QStringLiteral("--border"), QStringLiteral("constant=40"),
                         QStringLiteral("--json"), QString::fromStdString(file.string())}),
      0);
  const Json said = Json::parse(readTextFile(file))["answers"]["values"];
  const auto& answers = window_->findChild<Analysis*>()->answers();
  ASSERT_EQ(said.size(), answers.size());
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_EQ(said[i].get<double>(), answers[i].value) << i;
  EXPECT_EQ(table->model()->index(1, BankAnswersModel::Degrees).data().toString(), QStringLiteral("90"));
}

}  // namespace
}  // namespace bankside::window
