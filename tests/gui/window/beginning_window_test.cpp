/// How the window begins, and how one comes back to the beginning.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <algorithm>
#include <fstream>

#include "core/phantom/phantom.h"
#include "core/text_file.h"
#include "gui/window/session/folder.h"
#include "gui/window/session/history.h"
#include "gui/window/session/session_file.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class BeginningWindow : public WindowFixture {
 protected:
  QString path(const std::string& name) { return QString::fromStdString((folder_ / name).string()); }
  /// As the program does it with what it saved.
  void begin(const SessionState& saved) {
    makeWindow();
    session_->restore(saved);
    workflow_->openRecipe(saved.recipe, QStringLiteral("sobel"));
    workflow_->open(saved.imagePath, saved.page);
    window_->history().awaitStart(*controller_);
  }
  /// Keeps what is seen, and shows it in the first of two panes.
  void keepAndShow(const PaneSpec& seen = {Layer::Output}) {
    session_->setPanes({seen, {Layer::Output}});
    ASSERT_TRUE(settled());
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    auto* layer = find<QComboBox>("paneLayer0");
    layer->setFocus();
    QTest::keyClick(layer, Qt::Key_End);
    ASSERT_EQ(session_->state().panes[0].layer, Layer::Kept);
  }
  QStringList steps() {
    window_->history().endAction();
    QStringList titles;
    for (const History::Step& step : window_->history().steps()) titles << step.title;
    return titles;
  }
  void undo() {
    window_->history().endAction();
    const int to = window_->history().present() - 1;
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->history().present() == to; }, 60000));
    ASSERT_TRUE(settled());
  }
};

TEST_F(BeginningWindow, WhatIsDoneWhileTheStartIsUnderWayIsAStep) {
  writeImage(folder_ / "eye.png", makePhantom({.size = 128}).photograph, FileFormat::Png);
  SessionState saved;
  saved.imagePath = path("eye.png");
  saved.recipe.channel = ChannelChoice::Green;
  saved.recipe.stages.front().bank = "vessel-gabor";
  saved.recipe.stages.front().combine = Combine::Max;
  saved.region.kind = RegionKind::FieldOfView;
  for (const bool atOnce : {true, false}) {
    begin(saved);
    const bool there = QTest::qWaitFor([&] { return atOnce || session_->picture() != nullptr; }, 60000);
    ASSERT_TRUE(there);
    QTest::keyClick(window_.get(), Qt::Key_3, Qt::AltModifier);
    ASSERT_TRUE(settled());
    EXPECT_EQ(steps(), (QStringList{QStringLiteral("Start"), QStringLiteral("Panes: 3")})) << atOnce;
    ASSERT_TRUE(find<QAction>("actionUndo")->isEnabled());
    undo();
    EXPECT_EQ(session_->state().panes.size(), 2u);
    EXPECT_NE(session_->bank(), nullptr) << "the start is there, with all that it brought";
    ASSERT_NE(session_->picture(), nullptr);
    EXPECT_EQ(session_->state().recipe.stages.front().combine, Combine::Max);
    EXPECT_FALSE(find<QAction>("actionUndo")->isEnabled());
  }
}

TEST_F(BeginningWindow, TheSampleOfTheFirstStartIsNoStep) {
  session_->restore(SessionState());
  window_->showSample();
  window_->history().awaitStart(*controller_);
  EXPECT_FALSE(find<QAction>("actionUndo")->isEnabled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(steps(), QStringList{QStringLiteral("Start")});
  EXPECT_FALSE(find<QAction>("actionUndo")->isEnabled());
}

TEST_F(BeginningWindow, WhatAPaneShowsOfAKeptResultIsComputedAgainAtTheNextStart) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  keepAndShow();
  const PlanePtr kept = session_->shown(0).plane;
  open("other.png", randomImage(1, 60, 80, ElementType::U8, 2));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  ASSERT_EQ(session_->shown(0).plane, kept);
  const SessionState next = sessionFromJson(toJson(window_->stateToKeep()));

  begin(next);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->bank(); }, 60000));
  ASSERT_TRUE(settled()) << banner().toStdString();
  const Session::Shown again = session_->shown(0);
  ASSERT_TRUE(again.plane && again.age == Session::Shown::Age::Present);
  EXPECT_NE(session_->shown(1).plane->value(7, 9), kept->value(7, 9));
  for (int y = 0; y < kept->height(); ++y) {
    for (int x = 0; x < kept->width(); ++x) ASSERT_EQ(again.plane->value(x, y), kept->value(x, y));
  }
  find<QComboBox>("paneLayer0")->setFocus();
  QTest::keyClick(find<QComboBox>("paneLayer0"), Qt::Key_Home);
  EXPECT_NE(session_->state().panes[0], next.panes[0]);
  undo();
  EXPECT_EQ(session_->state().panes[0], next.panes[0]) << "it can be gone back to";
}

TEST_F(BeginningWindow, AKeptChannelIsThatChannelAtTheNextStart) {
  open("photo.png", randomImage(3, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  session_->setChannelHere(ChannelChoice::All);
  ASSERT_TRUE(settled());
  const auto& planes = session_->planes();
  const auto green = std::find_if(planes.begin(), planes.end(), [](const auto& p) { return p.channel == 1; });
  ASSERT_NE(green, planes.end());
  keepAndShow({Layer::Input, static_cast<int>(green - planes.begin())});
  const PlanePtr kept = session_->shown(0).plane;
  begin(sessionFromJson(toJson(window_->stateToKeep())));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->bank(); }, 60000));
  ASSERT_TRUE(settled()) << banner().toStdString();
  const PlanePtr again = session_->shown(0).plane;
  ASSERT_TRUE(again);
  for (int x = 0; x < kept->width(); ++x) ASSERT_EQ(again->value(x, 5), kept->value(x, 5));
}

TEST_F(BeginningWindow, AKeptResultOfAnotherScaleHasTheInputAtTheNextStart) {
  window_->showSample();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  ASSERT_TRUE(settled());
  keepAndShow();
  session_->setScale(session_->state().pixelsPerDegree + 1);
  const SessionState next = sessionFromJson(toJson(window_->stateToKeep()));
  EXPECT_EQ(next.panes, (std::vector<PaneSpec>{{Layer::Input}, {Layer::Output}}));
}

TEST_F(BeginningWindow, PicturesOfTheCommandLineAreSideBySide) {
  for (const char* name : {"a.png", "b.png"})
    writeImage(folder_ / name, randomImage(1, 20, 30, ElementType::U8), FileFormat::Png);
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), path("config"));
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral(BANKSIDE_WINDOW), {path("a.png"), path("b.png")});
  const QString file = path("config/bankside/session.json");
  const bool both = QTest::qWaitFor(
      [&] {
        const SessionState seen = loadSession(file).state;
        return seen.imagePath == path("a.png") && seen.panes.size() == 2 &&
               seen.panes[1].branch.imagePath == path("b.png");
      },
      60000);
  program.terminate();
  program.waitForFinished(60000);
  EXPECT_TRUE(both) << (fs::exists(file.toStdString()) ? readTextFile(file.toStdString()) : "no session");
}

TEST_F(BeginningWindow, TheStartPageIsInTheMenuAndNothingThereSpeaksOfAPicture) {
  for (const char* name : {"a.png", "b.png"})
    writeImage(folder_ / name, randomImage(1, 20, 30, ElementType::U8), FileFormat::Png);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  window_->openPath(path("b.png"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  ASSERT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("2 of 2"));
  const QString offered = QStringLiteral("Open a folder…");
  ASSERT_EQ(offer(offered), nullptr);
  QAction* file = window_->menuBar()->actions().first();
  QTest::mouseClick(window_->menuBar(), Qt::LeftButton, {},
                    window_->menuBar()->actionGeometry(file).center());
  QMenu* menu = file->menu();
  ASSERT_TRUE(menu->isVisible());
  QTest::mouseClick(menu, Qt::LeftButton, {},
                    menu->actionGeometry(find<QAction>("actionStartPage")).center());
  ASSERT_EQ(session_->picture(), nullptr);
  EXPECT_NE(offer(offered), nullptr);
  EXPECT_EQ(steps().back(), QStringLiteral("Start page"));
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QString());
  EXPECT_EQ(find<QComboBox>("compareFirst")->count(), 0);
  EXPECT_EQ(find<QComboBox>("compareSecond")->count(), 0);
  EXPECT_TRUE(window_->findChild<Folder*>()->files().empty());
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  EXPECT_FALSE(controller_->working(Work::Open)) << "there is no next picture of none";
  undo();
  ASSERT_NE(session_->picture(), nullptr);
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("2 of 2"));
  EXPECT_EQ(find<QComboBox>("compareFirst")->count(), 2);
}

}  // namespace
}  // namespace bankside::window
