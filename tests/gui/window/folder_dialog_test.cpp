/// The dialog of a run over the folder: what it lists is of the settings above it, and keys do what they say.
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <QTreeWidget>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "gui/window/session/folder_run.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class FolderDialog : public WindowFixture {
 protected:
  void SetUp() override {
    for (const char* name : {"a.png", "b.png"})
      writeImage(folder_ / name, randomImage(1, 30, 40, ElementType::U8), FileFormat::Png);
    window_->openPath(QString::fromStdString((folder_ / "a.png").string()));
    ASSERT_TRUE(opened("a.png"));
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    ASSERT_TRUE(settled());
    run().setOutput(QString::fromStdString((folder_ / "out").string()));
    trigger("actionRunFolder");
  }
  bool opened(const std::string& name) {
    return QTest::qWaitFor(
        [&] { return session_->picture() && session_->picture()->path.filename() == name; }, 60000);
  }
  FolderRun& run() { return *window_->findChild<FolderRun*>(); }
  QTreeWidget* list() { return find<QTreeWidget>("folderResults"); }
  QString status() { return find<QLabel>("folderStatus")->text(); }
  bool ended() {
    return QTest::qWaitFor([&] { return !run().busy(); }, 60000);
  }
  /// One picture after another; then it waits until it is stopped, or let go.
  void runSlowly() {
    run().setRunner([this](const FolderRequest&, const std::function<void(const FolderProgress&)>& watch,
                           const std::stop_token& stop) {
      watch({.total = 2});
      watch({.total = 2, .done = 1, .image = "a.png"});
      watch({.total = 2, .done = 1, .failed = 1, .image = "b.png", .error = "b.png: is bad"});
      while (!stop.stop_requested() && !go_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (stop.stop_requested()) throw Cancelled();
      return FolderReport{.rows = {{.image = "a.png", .judged = true},
                                   {.image = "b.png", .error = "b.png: is bad", .judged = true}}};
    });
    click(find<QPushButton>("folderStart"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return run().progress().failed == 1; }, 60000));
  }

  std::atomic<bool> go_ = false;
};

TEST_F(FolderDialog, SaysWhatIsThereBeforeARun) {
  EXPECT_EQ(status(), QStringLiteral("Ready to start.")) << "nothing was ever stopped";
  std::filesystem::create_directory(folder_ / "out");
  std::ofstream(folder_ / "out" / "manifest.jsonl") << "{}";
  Q_EMIT run().changed();
  EXPECT_TRUE(status().startsWith(QStringLiteral("There are results already"))) << status().toStdString();
}

TEST_F(FolderDialog, MasksThatCameLaterAreAChoiceToo) {
  const auto truth = folder_ / "truth";
  std::filesystem::create_directory(truth);
  std::ofstream(truth / "a_1st.png") << "mask";
  run().setTruth(QString::fromStdString(truth.string()));
  EXPECT_EQ(window_->findChild<QPushButton*>(QStringLiteral("maskChoice0")), nullptr);
  std::ofstream(truth / "a_2nd.png") << "mask";
  // Clocks of file systems are coarse.
  std::filesystem::last_write_time(truth, std::filesystem::last_write_time(truth) + std::chrono::seconds(2));
  Q_EMIT run().changed();
  EXPECT_NE(window_->findChild<QPushButton*>(QStringLiteral("maskChoice0")), nullptr);
}

TEST_F(FolderDialog, ListsWhatEndsAndSaysWhenItIsOfOtherSettings) {
  runSlowly();
  EXPECT_EQ(status(), QStringLiteral("1 of 2 pictures done, 1 failed"));
  ASSERT_EQ(list()->topLevelItemCount(), 2);
  EXPECT_EQ(list()->topLevelItem(0)->text(3), QStringLiteral("Filtered"));
  EXPECT_EQ(list()->topLevelItem(1)->text(3), QStringLiteral("Is bad"));
  int told = 0;
  QObject::connect(window_->statusBar(), &QStatusBar::messageChanged, window_->statusBar(),
                   [&](const QString& text) { told += text.startsWith(QStringLiteral("The run over")); });
  go_ = true;
  ASSERT_TRUE(ended());
  EXPECT_TRUE(status().startsWith(QStringLiteral("1 of 2 pictures done, 1 failed.")))
      << status().toStdString();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(list()->isEnabled());

  // Other settings, another folder: what is listed is of neither, and nothing is done that was not begun.
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  EXPECT_TRUE(status().contains(QStringLiteral("other settings"))) << status().toStdString();
  EXPECT_FALSE(list()->isEnabled());
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  EXPECT_TRUE(list()->isEnabled());
  run().setOutput(QString::fromStdString((folder_ / "elsewhere").string()));
  EXPECT_FALSE(list()->isEnabled());
  EXPECT_EQ(run().fileOf(folderTable).toStdString(), (folder_ / "out" / folderTable).string());
  EXPECT_EQ(told, 1);

  // A row opens its picture.
  run().setOutput(QString::fromStdString((folder_ / "out").string()));
  const auto rows = list()->findItems(QStringLiteral("b.png"), Qt::MatchExactly);
  ASSERT_EQ(rows.size(), 1);
  QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(rows[0]).center());
  QTest::mouseDClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(rows[0]).center());
  EXPECT_TRUE(opened("b.png"));
}

TEST_F(FolderDialog, EscapeStopsAndThenCloses) {
  runSlowly();
  auto* dialog = find<QDialog>("folderRun");
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_TRUE(dialog->isVisible());
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), FolderRun::State::Stopped);
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

TEST_F(FolderDialog, ManualVesselsThatAreNotClearAreSaidBeforeAnythingIsFiltered) {
  std::filesystem::create_directory(folder_ / "marks");
  for (const char* name : {"a_1.png", "a_2.png"})
    writeImage(folder_ / "marks" / name, randomImage(1, 30, 40, ElementType::U8), FileFormat::Png);
  const bankside::testing::TemporaryFolder out;
  run().setOutput(QString::fromStdString((out / "results").string()));
  run().setTruth(QString::fromStdString((folder_ / "marks").string()));
  click(find<QPushButton>("folderStart"));
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), FolderRun::State::Failed);
  EXPECT_TRUE(status().contains(QStringLiteral("has several files of it"))) << status().toStdString();
  EXPECT_TRUE(status().contains(QStringLiteral("a pattern that only one has"))) << status().toStdString();
  EXPECT_FALSE(std::filesystem::exists(out / "results" / "a.dx.tiff"));
  // That one picture has none is no reason to filter nothing.
  std::filesystem::remove(folder_ / "marks" / "a_2.png");
  click(find<QPushButton>("folderStart"));
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_TRUE(status().contains(QStringLiteral("1 of 2 pictures are not scored"))) << status().toStdString();
  EXPECT_TRUE(std::filesystem::exists(out / "results" / "a.dx.tiff"));
}

/// What marks belong to is decided among all pictures of the folder: those of a_1 begin with a, and are not
/// a's.
TEST_F(FolderDialog, AChosenPictureHasTheMarksThatItHasInTheWholeFolder) {
  std::filesystem::create_directory(folder_ / "marks");
  Image marks = randomImage(1, 30, 40, ElementType::U8);
  for (const char* name : {"a_m.png", "a_1_m.png"})
    writeImage(folder_ / "marks" / name, marks, FileFormat::Png);
  writeImage(folder_ / "a_1.png", randomImage(1, 30, 40, ElementType::U8), FileFormat::Png);
  const bankside::testing::TemporaryFolder out;
  run().setOutput(QString::fromStdString((out / "results").string()));
  auto& folder = *window_->findChild<Folder*>();
  folder.read();
  folder.select({folder_ / "a.png", folder_ / "b.png"});
  const std::vector<std::string> chosen{"a.png", "b.png"};
  ASSERT_EQ(folder.chosen(), chosen);
  run().setTruth(QString::fromStdString((folder_ / "marks").string()));
  const auto scored = [&] {
    click(find<QPushButton>("folderStart"));
    EXPECT_TRUE(ended());
    EXPECT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
    return run().report() && run().report()->evaluation ? run().report()->evaluation->images.size() : 0;
  };
  EXPECT_EQ(scored(), 1u) << status().toStdString();
  // Marks that lie among the pictures are no pictures, unless they are chosen.
  std::filesystem::copy(folder_ / "marks" / "a_m.png", folder_ / "a_m.png");
  run().setTruth(QString::fromStdString((folder_ / "a*_m.png").string()));
  EXPECT_EQ(scored(), 1u) << status().toStdString();
  EXPECT_EQ(folder.chosen(), chosen);
}

/// The run looks at the folder again, and so does its strip.
TEST_F(FolderDialog, WhatIsSelectedStaysSoWhenAnotherPictureComes) {
  find<QDockWidget>("folderDock")->show();
  find<QDockWidget>("folderDock")->raise();
  auto* strip = find<QListWidget>("folderList");
  ASSERT_TRUE(QTest::qWaitFor([&] { return strip->count() == 2 && strip->isVisible(); }, 60000));
  for (int row : {0, 1})
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, row == 0 ? Qt::NoModifier : Qt::ControlModifier,
                      strip->visualItemRect(strip->item(row)).center());
  auto& folder = *window_->findChild<Folder*>();
  const std::vector<std::string> chosen{"a.png", "b.png"};
  ASSERT_EQ(folder.chosen(), chosen);
  writeImage(folder_ / "aa.png", randomImage(1, 30, 40, ElementType::U8), FileFormat::Png);
  folder.read();
  EXPECT_EQ(strip->count(), 3);
  EXPECT_EQ(folder.chosen(), chosen);
  EXPECT_EQ(strip->selectedItems().size(), 2);
}

TEST_F(FolderDialog, QuittingARunIsAskedAbout) {
  runSlowly();
  const auto quit = [&](const QString& choice) {
    QString inFront;
    QTimer looking;
    QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      looking.stop();
      inFront = box->defaultButton()->text().remove(QLatin1Char('&'));
      for (QAbstractButton* each : box->buttons()) {
        if (each->text().remove(QLatin1Char('&')) == choice) each->click();
      }
    });
    looking.start(10);
    window_->close();
    EXPECT_EQ(inFront, QStringLiteral("Cancel"));
  };
  quit(QStringLiteral("Cancel"));
  EXPECT_TRUE(window_->isVisible());
  EXPECT_TRUE(run().busy());
  quit(QStringLiteral("Stop and quit"));
  EXPECT_FALSE(window_->isVisible());
  run().stop();
  ASSERT_TRUE(ended());
}

}  // namespace
}  // namespace bankside::window
