/// What belongs to one recipe or one picture ends with it.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>

#include "core/phantom/phantom.h"
#include "core/text.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/assets.h"
#include "gui/window/session/evaluation_run.h"
#include "gui/window/session/session_file.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class LeavingWindow : public WindowFixture {
 protected:
  void setRecipe(Combine combine, ChannelChoice channel = ChannelChoice::Green) {
    Recipe recipe = session_->recipe();
    recipe.channel = channel;
    recipe.stages.front().combine = combine;
    session_->setRecipe(recipe);
  }
  bool opened(const std::string& name) {
    return QTest::qWaitFor(
        [&] { return session_->picture() && session_->picture()->path.filename() == name; }, 60000);
  }
  void take(const char* recipe) {
    trigger((std::string("actionRecipe-") + recipe).c_str());
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().ofMaps(); }, 60000))
        << banner().toStdString();
  }
  Truth& truth() { return *window_->findChild<Truth*>(); }
  bool compared() {
    return QTest::qWaitFor([&] { return truth().curve() && !truth().busy(); }, 60000);
  }
  void setTruth(const fs::path& file) {
    TruthSpec spec = session_->state().truth;
    spec.file = QString::fromStdString(file.string());
    session_->setTruth(spec);
  }
};

TEST_F(LeavingWindow, ARecipesThresholdEndsWithIt) {
  open("eye.png", makePhantom({.size = 64}).photograph);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  setRecipe(Combine::Max);
  take("vessels");
  ASSERT_TRUE(session_->recipe().threshold.has_value());
  click(find<QPushButton>("leaveRecipe"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->recipe().ofMaps(); }, 60000));
  EXPECT_EQ(session_->recipe().threshold, std::nullopt);
  EXPECT_EQ(session_->recipe().stages.front().combine, Combine::Max) << "as it was before the recipe";
  trigger("actionCopyCommand");
  EXPECT_FALSE(QApplication::clipboard()->text().contains(QStringLiteral("--threshold")));

  // One that was given for a bank stays with its parameters, not with another bank.
  Recipe recipe = session_->recipe();
  recipe.threshold = 2.5;
  session_->setRecipe(recipe);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel:size=5")));
  EXPECT_EQ(session_->recipe().threshold, 2.5);
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  EXPECT_EQ(session_->recipe().threshold, std::nullopt);
}

TEST_F(LeavingWindow, WhatAnEvaluationsPictureWasJudgedAtIsOfThoseSettings) {
  const fs::path in = folder_ / "study";
  const fs::path marks = folder_ / "manual";
  fs::create_directories(in);
  fs::create_directories(marks);
  for (int i = 1; i <= 2; ++i) {
    const Phantom eye = makePhantom({.size = 96, .seed = static_cast<std::uint64_t>(i)});
    writeImage(in / ("eye" + std::to_string(i) + ".png"), eye.photograph, FileFormat::Png);
    writeImage(marks / ("eye" + std::to_string(i) + "_v.png"), eye.vessels, FileFormat::Png);
  }
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  setRecipe(Combine::Max);
  trigger("actionEvaluate");
  auto& run = *window_->findChild<EvaluationRun*>();
  run.setPlace(&EvaluationRequest::images, QString::fromStdString(in.string()));
  run.setPlace(&EvaluationRequest::truth, QString::fromStdString(marks.string()));
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !run.busy(); }, 120000));
  ASSERT_EQ(run.state(), EvaluationRun::State::Done) << run.error().toStdString();
  find<QTabWidget>("evaluationTabs")->setCurrentIndex(3);
  auto* list = find<QTreeWidget>("evaluationPictures");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                    list->visualItemRect(list->topLevelItem(0)).center());
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().truth.threshold.has_value(); }, 60000));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3")));
  EXPECT_EQ(session_->state().truth.threshold, std::nullopt) << "back to the best one";
  ASSERT_TRUE(settled());

  // The next picture of the folder is held against its own marks.
  const std::string now = session_->picture()->path.filename();
  trigger("actionNextImage");
  ASSERT_TRUE(opened(now == "eye1.png" ? "eye2.png" : "eye1.png"));
  EXPECT_EQ(session_->state().truth.file.toStdString(),
            (marks / (now == "eye1.png" ? "eye2_v.png" : "eye1_v.png")).string());
  ASSERT_TRUE(settled());
  ASSERT_TRUE(compared()) << truth().error().toStdString();

  // What failed with these settings says nothing of others.
  setRecipe(Combine::None);
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !run.busy(); }, 120000));
  ASSERT_EQ(run.state(), EvaluationRun::State::Failed);
  EXPECT_TRUE(find<QLabel>("evaluationStatus")->text().contains(QStringLiteral("maps")));
  setRecipe(Combine::Max);
  EXPECT_FALSE(find<QLabel>("evaluationStatus")->text().contains(QStringLiteral("maps")))
      << find<QLabel>("evaluationStatus")->text().toStdString();
}

TEST_F(LeavingWindow, AnotherChannelIsForThePictureThatLacksTheOneAskedFor) {
  writeImage(folder_ / "colour.png", randomImage(3, 40, 50, ElementType::U8), FileFormat::Png);
  open("grey.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  setRecipe(Combine::None);
  ASSERT_TRUE(settled());
  auto* use = offer(QStringLiteral("Use grey"));
  ASSERT_NE(use, nullptr);
  click(use);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().channel == ChannelChoice::Auto; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->shown(1).plane, nullptr);
  const QString file = QString::fromStdString((folder_ / "session.json").string());
  ASSERT_TRUE(saveSession(file, {session_->state(), {}, {}, {}}));
  EXPECT_EQ(loadSession(file).state.alone, session_->state().alone);

  window_->openPath(QString::fromStdString((folder_ / "colour.png").string()));
  ASSERT_TRUE(opened("colour.png"));
  EXPECT_EQ(session_->recipe().channel, ChannelChoice::Green);
  EXPECT_EQ(find<QComboBox>("channel")->currentData().toString(), QStringLiteral("green"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->channels(), std::vector<std::string>{"green"});
  trigger("actionUndo");
  ASSERT_TRUE(opened("grey.png"));
  EXPECT_EQ(session_->recipe().channel, ChannelChoice::Auto);
  setRecipe(Combine::None, ChannelChoice::Luma);
  window_->openPath(QString::fromStdString((folder_ / "colour.png").string()));
  ASSERT_TRUE(opened("colour.png"));
  EXPECT_EQ(session_->recipe().channel, ChannelChoice::Luma) << "chosen in the panel it is for all";
}

TEST_F(LeavingWindow, TheSamplesScaleIsTheSamplesAlone) {
  writeImage(folder_ / "mine.png", makePhantom({.size = 64}).photograph, FileFormat::Png);
  trigger("actionSample");
  ASSERT_TRUE(opened("retina.jpg"));
  EXPECT_EQ(session_->state().pixelsPerDegree, sampleScale);
  window_->openPath(QString::fromStdString((folder_ / "mine.png").string()));
  ASSERT_TRUE(opened("mine.png"));
  EXPECT_EQ(session_->state().pixelsPerDegree, 0);
  ASSERT_TRUE(settled());
  EXPECT_NE(offer(QStringLiteral("45°")), nullptr) << "it asks";
  EXPECT_FALSE(find<QLabel>("settingsNote")->text().contains(QStringLiteral("--scale")));

  // A scale of one's own comes back after the sample.
  session_->setScale(12);
  trigger("actionSample");
  ASSERT_TRUE(opened("retina.jpg"));
  EXPECT_EQ(session_->state().pixelsPerDegree, sampleScale);
  window_->openPath(QString::fromStdString((folder_ / "mine.png").string()));
  ASSERT_TRUE(opened("mine.png"));
  EXPECT_EQ(session_->state().pixelsPerDegree, 12);
}

TEST_F(LeavingWindow, FindingsAreDrawnOverWhatTheyAreOf) {
  const Phantom eye = makePhantom({.size = 96});
  writeImage(folder_ / "vessels.png", eye.vessels, FileFormat::Png);
  open("eye.png", eye.photograph);
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  session_->keepRecipe(1, true);
  ASSERT_NE(session_->keepResult(0) + session_->keepResult(2), 0);
  session_->setPane(3, {Layer::Output, 1});
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3")));
  ASSERT_TRUE(settled());
  setTruth(folder_ / "vessels.png");
  ASSERT_TRUE(compared()) << truth().error().toStdString();
  auto* canvas = find<Canvas>("canvas");
  const auto differs = [&](int pane) {
    const auto draw = [&](bool shown) {
      TruthSpec spec = session_->state().truth;
      spec.shown = shown;
      session_->setTruth(spec);
      return canvas->pane(pane)->grab().toImage();
    };
    return draw(true) != draw(false);
  };
  EXPECT_TRUE(differs(0)) << "the picture";
  EXPECT_FALSE(differs(1)) << "another bank";
  EXPECT_TRUE(differs(2)) << "the same filter by OpenCV";
  EXPECT_FALSE(differs(3)) << "another filter";
  session_->setPane(3, {Layer::Kept, session_->kept().all().back().number});
  ASSERT_TRUE(settled());
  EXPECT_FALSE(differs(3)) << "what was kept";
}

TEST_F(LeavingWindow, APictureThatIsNoMaskIsSaid) {
  const Phantom eye = makePhantom({.size = 96});
  writeImage(folder_ / "vessels.png", eye.vessels, FileFormat::Png);
  open("eye.png", eye.photograph);
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  ASSERT_TRUE(settled());
  setTruth(folder_ / "eye.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !truth().busy() && truth().waiting().isEmpty(); }, 60000));
  EXPECT_TRUE(truth().error().isEmpty()) << truth().error().toStdString();
  EXPECT_TRUE(find<QLabel>("truthFile")->text().contains(QStringLiteral("several values")))
      << find<QLabel>("truthFile")->text().toStdString();
  setTruth(folder_ / "vessels.png");
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return find<QLabel>("truthFile")->text() == QStringLiteral("vessels.png"); }, 60000));
}

}  // namespace
}  // namespace bankside::window
