/// A study from the start page to the command that gives the same bytes, as pictures for people: asked for
/// with BANKSIDE_SCREENSHOTS (`PictureFolder`). BANKSIDE_STUDY names a folder with images/ and truth/ to take
/// in the place of made eyes.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QProcess>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "core/phantom/phantom.h"
#include "gui/window/session/folder_run.h"
#include "gui/window/session/history.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/travelling_recipe.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::bytesOf;
using bankside::testing::PictureFolder;
using bankside::testing::WindowFixture;

class Journey : public WindowFixture {
 protected:
  void SetUp() override {
    if (!PictureFolder::wanted()) GTEST_SKIP() << "asked for with BANKSIDE_SCREENSHOTS=FOLDER";
    pictures_.emplace();
    if (const char* given = std::getenv("BANKSIDE_STUDY")) {
      study_ = given;
      return;
    }
    study_ = folder_ / "study";
    for (const char* room : {"images", "truth"}) fs::create_directories(study_ / room);
    for (unsigned i = 1; i <= 6; ++i) {
      const Phantom eye = makePhantom({.size = 512, .seed = i});
      const std::string name = "eye" + std::to_string(i);
      writeImage(study_ / "images" / (name + ".png"), eye.photograph, FileFormat::Png);
      writeImage(study_ / "truth" / (name + "_vessels.png"), eye.vessels, FileFormat::Png);
    }
  }
  void keep(const std::string& name, QWidget* widget = nullptr) {
    pictures_->keep("journey-" + name, widget != nullptr ? widget : window_.get());
  }
  void raise(const char* dock) {
    find<QDockWidget>(dock)->show();
    find<QDockWidget>(dock)->raise();
  }
  template <class Part>
  Part& part() {
    return *window_->findChild<Part*>();
  }
  static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
  std::optional<PictureFolder> pictures_;
  fs::path study_;
};

TEST_F(Journey, FromTheStartPageToTheCommandsBytes) {
  makeWindow();
  window_->resize(pictures_->small());
  keep("1-start");
  window_->openPath(text(study_ / "images"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  Recipe recipe = session_->recipe();
  recipe.channel = ChannelChoice::Green;
  recipe.stages.front().combine = Combine::Max;
  session_->setRecipe(recipe);
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  keep("2-folder");

  auto& run = part<FolderRun>();
  run.setOutput(text(folder_ / "results"));
  run.setTruth(text(study_ / "truth"));
  auto* dialog = find<QDialog>("folderRun");
  trigger("actionRunFolder");
  click(find<QPushButton>("folderStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return run.progress().done > 0 || !run.busy(); }, 300000));
  click(find<QPushButton>("folderStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !run.busy(); }, 300000));
  keep("3-stopped", dialog);
  click(find<QPushButton>("folderStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !run.busy(); }, 600000));
  ASSERT_EQ(run.state(), FolderRun::State::Done) << run.error().toStdString();
  keep("4-done", dialog);
  dialog->close();

  trigger("actionKeep");
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
  session_->setPane(0, {Layer::Kept, 1});
  trigger("actionRegionFieldOfView");
  ASSERT_TRUE(settled());
  raise("compareDock");
  auto& comparison = part<PaneComparison>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return comparison.metrics() && !comparison.busy(); }, 60000));
  keep("5-compare");

  const std::string stem = session_->picture()->path.stem().string();
  for (const auto& entry : fs::directory_iterator(study_ / "truth")) {
    if (entry.path().filename().string().starts_with(stem))
      session_->setTruth({text(entry.path()), {}, true});
  }
  auto& truth = part<Truth>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth.curve() && !truth.busy(); }, 60000));
  raise("truthDock");
  keep("6-truth");

  History& history = window_->history();
  history.endAction();
  const int last = history.present();
  for (int to = last - 1; to >= 0; --to) {
    trigger("actionUndo");
    ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == to; }, 60000)) << banner().toStdString();
  }
  raise("historyDock");
  keep("7-undone");
  history.goTo(last);
  ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == last; }, 60000)) << banner().toStdString();
  ASSERT_TRUE(settled());
  keep("8-again");

  std::ofstream(folder_ / "saved.json") << travellingText(session_->setup(), {});
  workflow_->exportResponses(text(folder_ / "window"), false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy() && workflow_->lastExport(); }, 120000));
  QProcess headless;
  headless.start(QStringLiteral(BANKSIDE_PROGRAM),
                 {QStringLiteral("filter"), session_->state().imagePath, QStringLiteral("--recipe"),
                  text(folder_ / "saved.json"), QStringLiteral("--output"), text(folder_ / "headless")});
  ASSERT_TRUE(headless.waitForFinished(120000));
  ASSERT_EQ(headless.exitCode(), 0) << headless.readAllStandardError().toStdString();
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "window")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".region.png")) continue;  // what was looked at, no result
    EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder_ / "headless" / name)) << name;
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace bankside::window
