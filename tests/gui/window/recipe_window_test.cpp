/// Recipes of steps, from a click to the bytes of the headless program.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QToolButton>
#include <fstream>

#include "core/run/image_scale.h"
#include "core/text.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/pane_notice.h"
#include "gui/window/session/session_file.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class RecipeWindow : public WindowFixture {
 protected:
  void openPhantom() {
    std::filesystem::copy_file(BANKSIDE_ASSETS "/images/phantom.png", folder_ / "eye.png");
    window_->openPath(QString::fromStdString((folder_ / "eye.png").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
        << banner().toStdString();
  }
  bool taken() {
    return QTest::qWaitFor([&] { return session_->recipe().ofMaps(); }, 60000);
  }
};

TEST_F(RecipeWindow, AVesselBankSuggestsItsRecipeWhichAsksForTheScaleAndGivesTheHeadlessBytes) {
  openPhantom();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  auto* suggestion = find<QToolButton>("takeRecipe");
  EXPECT_FALSE(suggestion->isVisible());
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3")));
  ASSERT_TRUE(suggestion->isVisible());
  QTest::mouseClick(suggestion, Qt::LeftButton);
  ASSERT_TRUE(taken()) << banner().toStdString();
  EXPECT_TRUE(find<QLabel>("recipeTitle")->isVisible());
  EXPECT_EQ(find<QListWidget>("recipeSteps")->count(), static_cast<int>(session_->recipe().steps.size()));

  // Nobody said the scale: the result pane asks, the input stays.
  auto* canvas = find<Canvas>("canvas");
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->shown(0).plane, nullptr);
  PaneNotice* notice = nullptr;
  for (auto* each : canvas->pane(1)->findChildren<PaneNotice*>()) {
    if (each->isVisible()) notice = each;
  }
  ASSERT_NE(notice, nullptr);
  QPushButton* angle = nullptr;
  for (auto* button : notice->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("45°")) angle = button;
  }
  ASSERT_NE(angle, nullptr);
  QTest::mouseClick(angle, Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().pixelsPerDegree > 0; }, 60000));
  auto* scale = find<QDoubleSpinBox>("recipeScale");
  auto* widest = find<QDoubleSpinBox>("recipeVesselWidth");
  EXPECT_NEAR(scale->value(), 512 / 45.0, 2);
  EXPECT_NEAR(widest->value(), scale->value() * 0.43, 0.06);
  ASSERT_TRUE(settled());
  ASSERT_EQ(session_->planes().size(), 1u);
  EXPECT_EQ(session_->planeTitle(0), QStringLiteral("vesselness"));
  const PlaneResult* shown = session_->result({Layer::Output, 0});
  ASSERT_NE(shown, nullptr);
  ASSERT_NE(shown->plane, nullptr) << shown->error;

  trigger("actionCopyCommand");
  QString line = QApplication::clipboard()->text();
  ASSERT_TRUE(line.contains(QStringLiteral(" --recipe ")) && line.contains(QStringLiteral(" --scale ")))
      << line.toStdString() << banner().toStdString();
  line.replace(0, 8, QStringLiteral(BANKSIDE_PROGRAM));
  QProcess shell;
  shell.setWorkingDirectory(QString::fromStdString(folder_.path().string()));
  shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
  ASSERT_TRUE(shell.waitForFinished(120000));
  ASSERT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
  EXPECT_TRUE(samePixels(*shown->plane->image, readImage(folder_ / "out" / "eye.vesselness.tiff").image));
  workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000))
      << banner().toStdString();
  EXPECT_EQ(bytesOf(folder_ / "window" / "eye.vesselness.tiff"),
            bytesOf(folder_ / "out" / "eye.vesselness.tiff"));

  // The width of the widest vessels is another way to say the scale.
  // It is the command's, to the last digit.
  widest->setValue(8.7);
  EXPECT_EQ(session_->state().pixelsPerDegree, pixelsPerDegreeOf(8.7));
  EXPECT_EQ(scale->value(), 20.23);
  EXPECT_EQ(widest->value(), 8.7);
  ASSERT_TRUE(settled());
  shown = session_->result({Layer::Output, 0});
  ASSERT_TRUE(shown != nullptr && shown->plane != nullptr);
  for (const bool asWidth : {true, false}) {
    trigger("actionCopyCommand");
    line = QApplication::clipboard()->text();
    const QString said = QString::fromStdString(formatNumber(pixelsPerDegreeOf(8.7)));
    ASSERT_TRUE(line.contains(QStringLiteral(" --scale ") + said)) << line.toStdString();
    if (asWidth) line.replace(said, QStringLiteral("width:8.7"));
    line.replace(0, 8, QStringLiteral(BANKSIDE_PROGRAM));
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line + QStringLiteral(" --force")});
    ASSERT_TRUE(shell.waitForFinished(120000));
    ASSERT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
    EXPECT_TRUE(samePixels(*shown->plane->image, readImage(folder_ / "out" / "eye.vesselness.tiff").image));
  }

  // Measuring a recipe is refused in one sentence; a bank by itself is one click away.
  trigger("actionMeasure");
  EXPECT_TRUE(banner().contains(QStringLiteral("not timed"))) << banner().toStdString();
  QTest::mouseClick(find<QPushButton>("leaveRecipe"), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->recipe().ofMaps() && session_->bank(); }, 60000));
  EXPECT_EQ(session_->recipe().stages.front().bank, "vessel-matched:sigma=3");
  ASSERT_TRUE(settled());
  EXPECT_GT(session_->planes().size(), 1u);
}

TEST_F(RecipeWindow, ARecipeIsOpenedLikeAnImageAndIsThereAtTheNextStart) {
  openPhantom();
  std::ofstream(folder_ / "mine.json") << R"({"bankside": "recipe", "version": 4, "title": "mine",
    "input": {"channel": "green"},
    "steps": [{"do": "unit"}, {"name": "edges", "bank": "sobel", "combine": ["magnitude"]}]})";
  window_->openPath(QString::fromStdString((folder_ / "mine.json").string()));
  ASSERT_TRUE(taken()) << banner().toStdString();
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->planeTitle(0), QStringLiteral("edges"));
  ASSERT_NE(session_->shown(1).plane, nullptr);
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->shown(3).plane, nullptr) << "beside OpenCV's, and their difference";

  const QString file = QString::fromStdString((folder_ / "session.json").string());
  ASSERT_TRUE(saveSession(file, {session_->state(), {}, {}, {}}));
  EXPECT_EQ(loadSession(file).state.recipe, session_->recipe());

  // A broken one is one sentence, and what was there stays.
  std::ofstream(folder_ / "broken.json")
      << R"({"bankside": "recipe", "version": 4, "steps": [{"bank": "no-such"}]})";
  window_->openPath(QString::fromStdString((folder_ / "broken.json").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("no-such")); }, 60000));
  EXPECT_EQ(session_->recipe().title, "mine");
  ASSERT_TRUE(settled());
}

TEST_F(RecipeWindow, TheSampleIsThePhotographWithItsVessels) {
  window_->showSample();
  ASSERT_TRUE(taken()) << banner().toStdString();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->picture()->path.filename(), "retina.jpg");
  EXPECT_EQ(session_->planeTitle(session_->state().selectedPlane), QStringLiteral("vesselness"));
  EXPECT_NE(session_->shown(1).plane, nullptr);
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
}

}  // namespace
}  // namespace bankside::window
