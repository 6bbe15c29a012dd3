/// The dialog of a run over the folder: what it lists is of the settings above it, and keys do what they say.
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <QTreeWidget>
#include <atomic>
#include <chrono>
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

TEST_F(FolderDialog, ListsWhatEndsAndSaysWhenItIsOfOtherSettings) {
  runSlowly();
  EXPECT_EQ(status(), QStringLiteral("2 of 2 pictures tried, 1 of them failed"));
  ASSERT_EQ(list()->topLevelItemCount(), 2);
  EXPECT_EQ(list()->topLevelItem(0)->text(3), QStringLiteral("Filtered"));
  EXPECT_EQ(list()->topLevelItem(1)->text(3), QStringLiteral("Is bad"));
  int told = 0;
  QObject::connect(window_->statusBar(), &QStatusBar::messageChanged, window_->statusBar(),
                   [&](const QString& text) { told += text.startsWith(QStringLiteral("The run over")); });
  go_ = true;
  ASSERT_TRUE(ended());
  EXPECT_TRUE(status().startsWith(QStringLiteral("Done, 1 failed"))) << status().toStdString();
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
