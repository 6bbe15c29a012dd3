/// Whatever people open: folders, banks and recipes, files that come and go; and what they export twice.
#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTimer>
#include <fstream>

#include "gui/window/compute/thumbnail.h"
#include "gui/window/panels/folder_strip.h"
#include "gui/window/session/session_file.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class FilesWindow : public WindowFixture {
 protected:
  QString path(const std::string& name) { return QString::fromStdString((folder_ / name).string()); }
  bool opened(const std::string& name) {
    return QTest::qWaitFor([&] { return session_->state().imagePath == path(name); }, 60000);
  }
};

TEST_F(FilesWindow, AFolderABankAndARecipeWithTwoBanksAreOpenedLikeAnImage) {
  writeImage(folder_ / "b.png", randomImage(1, 20, 30, ElementType::U8), FileFormat::Png);
  writeImage(folder_ / "a.png", randomImage(1, 20, 30, ElementType::U8), FileFormat::Png);
  window_->openPath(path(""));
  EXPECT_TRUE(opened("a.png")) << "the first by name";

  std::ofstream(folder_ / "mine.csv") << "0,1,0\n1,-4,1\n0,1,0\n";
  window_->openPath(path("mine.csv"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->bank() && session_->bank()->size() == 1; }, 60000));
  EXPECT_EQ((*session_->bank())[0].taps[4], -4);

  Recipe recipe;
  recipe.stages = {{.bank = "sobel", .activation = Activation::Abs}, {.bank = "gaussian:sigma=2"}};
  recipe.border.kind = BorderKind::Replicate;
  std::ofstream(folder_ / "study.json") << writeRecipe(recipe);
  window_->openPath(path("study.json"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->secondBank() != nullptr; }, 60000))
      << banner().toStdString();
  EXPECT_EQ(session_->recipe(), recipe);
  EXPECT_TRUE(settled());

  std::ofstream(folder_ / "broken.json") << R"({"bankside": "recipe", "version": 1, "steges": []})";
  window_->openPath(path("broken.json"));
  EXPECT_TRUE(banner().contains(QStringLiteral("steges"))) << banner().toStdString();
  std::filesystem::create_directory(folder_ / "empty");
  window_->openPath(path("empty"));
  EXPECT_TRUE(banner().contains(QStringLiteral("no image"))) << banner().toStdString();
}

TEST_F(FilesWindow, TheKeyboardTurnsToTheNextImageOfTheFolderAndRound) {
  for (const char* name : {"a.png", "b.png", "c.png"}) open(name, randomImage(1, 20, 30, ElementType::U8));
  for (const char* next : {"a.png", "b.png"}) {
    QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_TRUE(opened(next)) << next;
  }
  // From a file that is no longer there, to those around it.
  std::filesystem::remove(folder_ / "b.png");
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  EXPECT_TRUE(opened("c.png"));
  QTest::keyClick(window_.get(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_TRUE(opened("a.png"));
}

TEST_F(FilesWindow, AFolderOfTwoThousandImagesIsListedAndDrawnWhereItIsSeen) {
  const Image small = randomImage(1, 8, 8, ElementType::U8);
  writeImage(folder_ / "0000.png", small, FileFormat::Png);
  for (int i = 1; i < 2000; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "%04d.png", i);
    std::filesystem::copy_file(folder_ / "0000.png", folder_ / name);
  }
  auto* strip = find<FolderStrip>("folderStrip");
  find<QDockWidget>("folderDock")->raise();
  window_->openPath(path("1500.png"));
  ASSERT_TRUE(opened("1500.png"));
  auto* list = find<QListWidget>("folderList");
  ASSERT_EQ(list->count(), 2000);
  EXPECT_EQ(list->currentRow(), 1500);
  ASSERT_TRUE(settled());
  QTest::qWait(50);
  ASSERT_TRUE(settled());
  const auto drawn = [&](int row) {
    const QImage icon = list->item(row)->icon().pixmap(96, 96).toImage();
    return icon.size() == QSize(8, 8);
  };
  EXPECT_TRUE(drawn(1500));
  EXPECT_FALSE(drawn(0)) << "nobody looks at it";
  list->scrollToItem(list->item(0));
  EXPECT_TRUE(QTest::qWaitFor([&] { return drawn(0); }, 60000));
  EXPECT_TRUE(strip->isVisible());
}

TEST_F(FilesWindow, AFileThatComesBackIsReadAgain) {
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  std::filesystem::remove(folder_ / "photo.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("is gone")); }, 60000));
  // Half of it first, as some writers do.
  const auto other = folder_ / "other.tmp";
  writeImage(other, randomImage(1, 40, 50, ElementType::U8), FileFormat::Png);
  std::ifstream in(other, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::ofstream(folder_ / "photo.png", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  QTest::qWait(700);
  EXPECT_EQ(session_->picture()->info.height, 20);
  std::ofstream(folder_ / "photo.png", std::ios::binary) << bytes;
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture()->info.height == 40; }, 60000))
      << banner().toStdString();
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
}

TEST_F(FilesWindow, AnExportOverOtherResultsAsksBeforeItReplacesThem) {
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
  ASSERT_TRUE(settled());
  std::filesystem::create_directory(folder_ / "out");
  std::ofstream(folder_ / "out" / "photo.gaussian.tiff") << "mine";
  const auto answer = [&](const QString& button) {
    QTimer looking;
    QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      looking.stop();
      EXPECT_TRUE(box->text().contains(QStringLiteral("photo.gaussian.tiff")));
      for (QAbstractButton* each : box->buttons()) {
        if (each->text().remove(QLatin1Char('&')) == button) return each->click();
      }
      ADD_FAILURE() << "no button " << button.toStdString();
      box->reject();
    });
    looking.start(10);
    workflow_->exportResponses(path("out"), false);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !looking.isActive(); }, 60000));
    EXPECT_TRUE(settled());
  };
  answer(QStringLiteral("Cancel"));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "out" / "photo.gaussian.tiff"), 4u);
  EXPECT_FALSE(workflow_->lastExport().has_value());
  answer(QStringLiteral("Replace"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000));
  EXPECT_GT(std::filesystem::file_size(folder_ / "out" / "photo.gaussian.tiff"), 1000u);
}

TEST_F(FilesWindow, AnExportSaysWhatItJudgedAndWhatItClipped) {
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  Recipe recipe = session_->recipe();
  recipe.verify = VerifyLevel::All;
  recipe.map = OutputMap::Clip;
  session_->setRecipe(recipe);
  ASSERT_TRUE(settled());
  workflow_->exportResponses(path("out"), false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000));
  const QString said = window_->statusBar()->currentMessage();
  for (const char* part : {"2 files", "checked", "OpenCV differs by at most 0", "values clipped"}) {
    EXPECT_TRUE(said.contains(QLatin1String(part))) << part << ": " << said.toStdString();
  }
}

TEST_F(FilesWindow, AnEditedBankIsThereAtTheNextStart) {
  QStandardPaths::setTestModeEnabled(true);
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  FilterBank edited = *session_->bank();
  std::vector<Filter> filters = edited.filters();
  filters[0].taps[0] = 42;
  session_->setBank(FilterBank(edited.info(), filters), QStringLiteral("sobel"), true);
  const std::uint64_t hash = session_->bank()->contentHash();
  const SessionState state = window_->stateToKeep();
  QStandardPaths::setTestModeEnabled(false);
  ASSERT_TRUE(chooseBank(QStringLiteral("kirsch")));
  ASSERT_TRUE(chooseBank(QString::fromStdString(state.recipe.stages.front().bank))) << banner().toStdString();
  EXPECT_EQ(session_->bank()->contentHash(), hash);
}

TEST_F(FilesWindow, TheCopiedMeasurementRunsTheSameEngines) {
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  trigger("actionCopyMeasurement");
  QString line = QApplication::clipboard()->text();
  ASSERT_TRUE(line.startsWith(QStringLiteral("bankside compare "))) << line.toStdString();
  line.replace(0, 8, QStringLiteral(BANKSIDE_PROGRAM));
  line += QStringLiteral(" --seconds 0 --rounds 1");
  QProcess shell;
  shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
  ASSERT_TRUE(shell.waitForFinished(60000));
  EXPECT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
  const QByteArray table = shell.readAllStandardOutput();
  EXPECT_TRUE(table.contains("cpu:direct") && table.contains("opencv:filter2D")) << table.toStdString();
}

}  // namespace
}  // namespace bankside::window
