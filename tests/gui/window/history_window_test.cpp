/// Undo and redo of everything, one step an action, and recipes that need nothing of this machine.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QListWidget>
#include <QMimeData>
#include <QProcess>
#include <fstream>

#include "core/run/recipe.h"
#include "gui/window/session/history.h"
#include "gui/window/session/session_file.h"
#include "gui/window/session/travelling_recipe.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class HistoryWindow : public WindowFixture {
 protected:
  void SetUp() override {
    open("photo.png", randomImage(3, 60, 80, ElementType::U8));
    ASSERT_TRUE(chooseBank(QStringLiteral("gaussian")));
    ASSERT_TRUE(settled());
    history().restart();
  }
  History& history() { return window_->history(); }
  QString last() { return history().steps().back().title; }
  /// What can be undone of the state.
  QJsonObject state() {
    QJsonObject json = toJson(session_->state());
    for (const char* key : {"recent", "zoom", "centerX", "centerY", "fit", "pixel", "swipe"})
      json.remove(QLatin1String(key));
    return json;
  }
  void choose(const char* name, const QString& data) {
    auto* box = find<QComboBox>(name);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < box->findData(data); ++i) QTest::keyClick(box, Qt::Key_Down);
  }
  bool wentTo(int step) {
    return QTest::qWaitFor([&] { return history().present() == step; }, 60000) && settled();
  }
  /// Edits the first tap of the first filter, as the editor does.
  void editTap(float value) {
    std::vector<Filter> filters = session_->bank()->filters();
    filters[0].taps[0] = value;
    BankInfo info = session_->bank()->info();
    info.name.clear();
    session_->setBank(FilterBank(info, filters), {}, true);
    ASSERT_TRUE(settled());
  }
  void run(const QString& line) {
    QProcess shell;
    shell.setWorkingDirectory(QString::fromStdString(folder_.path().string()));
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
    ASSERT_TRUE(shell.waitForFinished(120000));
    ASSERT_EQ(shell.exitCode(), 0) << line.toStdString() << shell.readAllStandardError().toStdString();
  }
  /// What the window exports, and what the recipe gives elsewhere, are the same files.
  void replays(const std::filesystem::path& recipe, const std::string& name) {
    workflow_->exportResponses(QString::fromStdString((folder_ / (name + "-window")).string()), false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 60000));
    ASSERT_TRUE(workflow_->lastExport()) << banner().toStdString();
    run(QStringLiteral("%1 filter '%2' --recipe '%3' --output %4-headless")
            .arg(QStringLiteral(BANKSIDE_PROGRAM), session_->state().imagePath,
                 QString::fromStdString(recipe.string()), QString::fromStdString(name)));
    for (const std::string& file : workflow_->lastExport()->outputs) {
      if (file.ends_with(".region.png")) continue;  // what was looked at, no result
      const std::string bytes = bytesOf(folder_ / (name + "-window") / file);
      ASSERT_FALSE(bytes.empty()) << file;
      EXPECT_TRUE(bytes == bytesOf(folder_ / (name + "-headless") / file)) << file;
    }
  }
};

TEST_F(HistoryWindow, UndoGoesThroughAChoiceThatWasRefused) {
  Recipe recipe = session_->recipe();
  recipe.channel = ChannelChoice::PagesMax;  // pages of three colours are no channels
  session_->setRecipe(recipe);
  history().endAction();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !banner().isEmpty(); }, 60000));
  const int refused = history().present();
  const QJsonObject before = state();
  recipe.channel = ChannelChoice::Auto;
  session_->setRecipe(recipe);
  history().endAction();
  open("other.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(settled());
  ASSERT_GT(history().present(), refused);
  history().goTo(refused);
  ASSERT_TRUE(QTest::qWaitFor([&] { return history().present() == refused; }, 60000))
      << banner().toStdString();
  EXPECT_EQ(state(), before);
  history().goTo(0);
  EXPECT_TRUE(wentTo(0)) << banner().toStdString();
}

TEST_F(HistoryWindow, EveryActionIsOneStepAndUndoToTheStartIsTheStart) {
  const QJsonObject start = state();
  const auto bank = session_->bank();
  choose("channel", QStringLiteral("green"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(last(), QStringLiteral("Channel: green"));
  choose("combine", QStringLiteral("max"));
  ASSERT_TRUE(settled());
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  EXPECT_EQ(last(), QStringLiteral("Panes: 4"));
  trigger("actionRegionFieldOfView");
  trigger("actionRegionWhole");
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(last(), QStringLiteral("Bank sobel"));
  editTap(7);
  EXPECT_EQ(last(), QStringLiteral("Edited filters"));
  const int before = history().present();
  open("other.png", randomImage(1, 30, 40, ElementType::U16));
  ASSERT_TRUE(settled());
  EXPECT_EQ(last(), QStringLiteral("Picture other.png"));
  EXPECT_EQ(history().present(), before + 1);

  const QJsonObject end = state();
  const auto edited = session_->bank();
  const int steps = history().present();
  while (history().canUndo()) {
    const int to = history().present() - 1;
    trigger("actionUndo");
    ASSERT_TRUE(wentTo(to)) << to << banner().toStdString();
  }
  EXPECT_EQ(state(), start);
  EXPECT_EQ(session_->bank(), bank);
  EXPECT_FALSE(find<QAction>("actionUndo")->isEnabled());
  EXPECT_EQ(static_cast<int>(history().steps().size()), steps + 1) << "nothing that undoing does is a step";
  while (history().canRedo()) {
    const int to = history().present() + 1;
    trigger("actionRedo");
    ASSERT_TRUE(wentTo(to)) << to;
  }
  EXPECT_EQ(state(), end);
  EXPECT_EQ(session_->bank(), edited);
  EXPECT_EQ(session_->picture()->path.filename(), "other.png");
}

TEST_F(HistoryWindow, UndoRightAfterAnActionTakesThatOneBack) {
  choose("channel", QStringLiteral("green"));
  ASSERT_TRUE(settled());
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  trigger("actionPanes1");
  trigger("actionUndo");  // before anything else happens
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().panes.size(), 4u);
  EXPECT_EQ(last(), QStringLiteral("Panes: 1")) << "which can be done again";
  trigger("actionRedo");
  EXPECT_EQ(session_->state().panes.size(), 1u);
}

TEST_F(HistoryWindow, ASpunParameterIsOneStepAndTheKeysWorkInItsField) {
  QDoubleSpinBox* sigma = nullptr;
  for (auto* box : window_->findChildren<QDoubleSpinBox*>()) {
    if (box->objectName().contains(QStringLiteral("sigma")) && box->isVisible()) sigma = box;
  }
  ASSERT_NE(sigma, nullptr);
  const std::string spec = session_->recipe().stages.front().bank;
  sigma->setFocus();
  for (int i = 0; i < 4; ++i) {
    const std::string held = session_->recipe().stages.front().bank;
    QTest::keyClick(sigma, Qt::Key_Up);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().stages.front().bank != held; }, 60000));
  }
  ASSERT_TRUE(settled());
  EXPECT_EQ(history().present(), 1);
  QTest::keyClick(sigma, Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wentTo(0));
  EXPECT_EQ(session_->recipe().stages.front().bank, spec);
  QTest::keyClick(sigma, Qt::Key_Y, Qt::ControlModifier);
  ASSERT_TRUE(wentTo(1));
  EXPECT_NE(session_->recipe().stages.front().bank, spec);
}

TEST_F(HistoryWindow, AClickInTheListGoesBackAndAnotherActionForgetsWhatWasTakenBack) {
  choose("channel", QStringLiteral("green"));
  ASSERT_TRUE(settled());
  trigger("actionPanes3");
  ASSERT_TRUE(settled());
  trigger("actionSwipe");
  ASSERT_TRUE(settled());
  auto* list = find<QListWidget>("historyList");
  ASSERT_EQ(list->count(), 4);
  find<QWidget>("historyDock")->show();
  find<QWidget>("historyDock")->raise();
  QTest::qWait(1);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
  ASSERT_TRUE(wentTo(1));
  EXPECT_EQ(session_->state().panes.size(), 2u);
  EXPECT_EQ(session_->recipe().channel, ChannelChoice::Green);
  EXPECT_EQ(session_->state().mode, CanvasMode::Grid);
  choose("channel", QStringLiteral("red"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(list->count(), 3);
  EXPECT_FALSE(history().canRedo());
}

TEST_F(HistoryWindow, APictureThatIsGoneIsSaidAndNothingIsTakenBack) {
  open("other.png", randomImage(1, 30, 40, ElementType::U8));
  ASSERT_TRUE(settled());
  std::filesystem::remove(folder_ / "photo.png");
  trigger("actionUndo");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !banner().isEmpty(); }, 60000));
  EXPECT_EQ(history().present(), 1);
  EXPECT_EQ(session_->picture()->path.filename(), "other.png");
  ASSERT_TRUE(settled());
}

TEST_F(HistoryWindow, TheRecordedRecipeTravelsAndReplaysByteForByte) {
  choose("channel", QStringLiteral("green"));
  choose("combine", QStringLiteral("max"));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  editTap(0.3f);
  session_->setRegion({RegionKind::Ellipse, 5, 6, 30, 20, {}});
  ASSERT_TRUE(settled());
  const std::filesystem::path file = folder_ / "recorded.json";
  std::ofstream(file) << travellingText(session_->setup(), workflow_->pinnedEngine());
  const std::string text = bytesOf(file);
  EXPECT_NE(text.find("\"engine\": \"auto\""), std::string::npos);
  EXPECT_NE(text.find("\"ran\": \"cpu"), std::string::npos) << text;
  EXPECT_EQ(text.find(folder_.path().string()), std::string::npos) << "no path of this machine";
  replays(file, "edited");

  // In the window it comes back with everything.
  const std::uint64_t hash = session_->bank()->contentHash();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  session_->setRegion({});
  window_->openPath(QString::fromStdString(file.string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->bank()->contentHash() == hash; }, 60000))
      << banner().toStdString();
  EXPECT_EQ(session_->state().region, (RegionSpec{RegionKind::Ellipse, 5, 6, 30, 20, {}}));
  EXPECT_EQ(session_->recipe().engine, "auto");
  ASSERT_TRUE(settled());

  // The line that is copied names a recipe with the taps inside.
  trigger("actionCopyCommand");
  EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral(" --recipe ")));
}

TEST_F(HistoryWindow, AMaskTravelsWithItsBytes) {
  Image mask(1, 60, 80, ElementType::U8);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 80; ++x) mask.view<std::uint8_t>(0).at(x, y) = x < 40 ? 255 : 0;
  }
  writeImage(folder_ / "left.png", mask, FileFormat::Png);
  session_->setRegion({RegionKind::File, 0, 0, 0, 0, (folder_ / "left.png").string()});
  ASSERT_TRUE(settled());
  const std::filesystem::path file = folder_ / "masked.json";
  std::ofstream(file) << travellingText(session_->setup(), {});
  std::filesystem::remove(folder_ / "left.png");
  const auto region = regionBeside(file, folder_ / "masks");
  ASSERT_TRUE(region);
  EXPECT_EQ(region->kind, RegionKind::File);
  EXPECT_TRUE(samePixels(mask, readImage(region->file).image));
  EXPECT_EQ(readRecipe(file), session_->recipe());
}

TEST_F(HistoryWindow, TwoPicturesThatAreDroppedAreTwoPictures) {
  writeImage(folder_ / "left.png", randomImage(1, 30, 40, ElementType::U8), FileFormat::Png);
  writeImage(folder_ / "right.png", randomImage(1, 30, 40, ElementType::U8, 2), FileFormat::Png);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder_ / "left.png").string())),
                QUrl::fromLocalFile(QString::fromStdString((folder_ / "right.png").string()))});
  drop(data);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->state().panes.back().branch.follows(); }, 60000))
      << banner().toStdString();
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->picture()->path.filename(), "left.png");
  ASSERT_EQ(session_->state().panes.size(), 2u);
  EXPECT_TRUE(
      session_->titleOf(session_->keyOf(session_->state().panes[1])).contains(QStringLiteral("right.png")));
  EXPECT_NE(session_->shown(1).plane, nullptr);
  // Both are filtered, each in its pane.
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  for (const char* name : {"paneLayer0", "paneLayer1"}) {
    auto* layer = find<QComboBox>(name);
    layer->setFocus();
    QTest::keyClick(layer, Qt::Key_Down);
    EXPECT_EQ(layer->currentText(), QStringLiteral("Our output"));
  }
  ASSERT_TRUE(settled());
  const Session::Shown left = session_->shown(0);
  const Session::Shown right = session_->shown(1);
  EXPECT_EQ(left.age, Session::Shown::Age::Present);
  EXPECT_EQ(right.age, Session::Shown::Age::Present);
  ASSERT_TRUE(left.plane && right.plane);
  EXPECT_FALSE(samePixels(*left.plane->image, *right.plane->image));
}

TEST_F(HistoryWindow, OfManyPicturesThatAreDroppedThePanesTakeTheFirst) {
  QList<QUrl> files;
  for (int i = 0; i < 6; ++i) {
    const auto file = folder_ / ("dropped" + std::to_string(i) + ".png");
    writeImage(file, randomImage(1, 30, 40, ElementType::U8, i), FileFormat::Png);
    files << QUrl::fromLocalFile(QString::fromStdString(file.string()));
  }
  QStringList said;
  QObject::connect(workflow_.get(), &Workflow::notice, workflow_.get(),
                   [&](const QString& sentence) { said << sentence; });
  QMimeData data;
  data.setUrls(files);
  drop(data);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !said.isEmpty(); }, 60000)) << banner().toStdString();
  EXPECT_TRUE(said.front().contains(QStringLiteral("not opened: 2"))) << said.front().toStdString();
  ASSERT_TRUE(settled());
  ASSERT_EQ(session_->state().panes.size(), 4u);
  EXPECT_TRUE(session_->state().panes.back().branch.imagePath.endsWith(QStringLiteral("dropped3.png")));
}

}  // namespace
}  // namespace bankside::window
