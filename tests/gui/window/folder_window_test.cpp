/// A study in the window: a recipe over a folder, its table, its scores, and the strip of its pictures.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTimer>
#include <QToolBar>
#include <QTreeWidget>
#include <fstream>
#include <map>
#include <sstream>

#include "core/phantom/phantom.h"
#include "core/text_file.h"
#include "gui/window/session/folder_run.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/stop_at_first.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::PictureFolder;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class FolderWindow : public WindowFixture {
 protected:
  FolderWindow() { fs::create_directories(in_); }

  static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
  void makeImages(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      fs::create_directories((in_ / name).parent_path());
      writeImage(in_ / name, randomImage(1, 24, 32, ElementType::U8), FileFormat::Png);
    }
  }
  void spoil(const char* name) { std::ofstream(in_ / name) << "\x89PNG\r\n\x1a\nrubbish"; }
  /// Eyes with their vessels, in a folder each.
  void makePhantoms(int count) {
    fs::create_directories(truth_);
    for (int i = 0; i < count; ++i) {
      char name[16];
      std::snprintf(name, sizeof name, "eye%02d", i + 1);
      const Phantom phantom = makePhantom({.size = 96, .seed = static_cast<std::uint64_t>(i + 1)});
      writeImage(in_ / (std::string(name) + ".png"), phantom.photograph, FileFormat::Png);
      writeImage(truth_ / (std::string(name) + "_vessels.png"), phantom.vessels, FileFormat::Png);
    }
  }
  /// Opens the folder's first picture with a bank, and the dialog of the run.
  void openFolder() {
    window_->openPath(text(in_));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    Recipe recipe = session_->recipe();
    recipe.stages.front().combine = Combine::Magnitude;
    recipe.responses = false;
    session_->setRecipe(recipe);
    ASSERT_TRUE(settled());
    trigger("actionRunFolder");
  }
  FolderRun& run() { return *window_->findChild<FolderRun*>(); }
  Folder& folder() { return *window_->findChild<Folder*>(); }
  void start() { QTest::mouseClick(find<QPushButton>("folderStart"), Qt::LeftButton); }
  void clicked(QAbstractButton* button) {
    click(button);
    ++clicks_;
  }
  /// The dialog takes one click too.
  void chosen(QAbstractButton* button, const fs::path& path) {
    clickAndChoose(button, path);
    clicks_ += 2;
  }
  bool ended() {
    return QTest::qWaitFor([&] { return !run().busy(); }, 120000);
  }
  std::vector<std::string> rows() {
    std::istringstream csv(readTextFile(out_ / folderTable));
    std::vector<std::string> lines;
    for (std::string line; std::getline(csv, line);) lines.push_back(line);
    return lines;
  }
  /// Results of images with their bytes.
  static std::map<std::string, std::string> results(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (looksLikeImageFile(entry.path()))
        files[entry.path().lexically_relative(folder)] = readTextFile(entry.path());
    }
    return files;
  }
  static int bankside(const QStringList& words) {
    return QProcess::execute(QStringLiteral(BANKSIDE_PROGRAM), words);
  }

  int clicks_ = 0;
  fs::path in_ = folder_ / "study";
  fs::path out_ = folder_ / "study-results";
  fs::path truth_ = folder_ / "truth";
};

TEST_F(FolderWindow, MakesTheBytesOfABatchAndWalksPastABrokenFile) {
  makeImages({"a.png", "c.png", "left/d.png"});
  spoil("b.png");
  openFolder();
  QTest::mouseClick(find<QCheckBox>("folderSubfolders"), Qt::LeftButton, {}, {8, 8});
  EXPECT_EQ(folder().files().size(), 4u);
  start();
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_EQ(run().progress().failed, 1);
  auto* list = find<QTreeWidget>("folderResults");
  ASSERT_EQ(list->topLevelItemCount(), 4);
  EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("b.png")) << "what failed comes first";
  EXPECT_TRUE(list->topLevelItem(0)->text(3).startsWith(QStringLiteral("Is cut short")))
      << list->topLevelItem(0)->text(3).toStdString();
  EXPECT_TRUE(find<QLabel>("folderStatus")->text().contains(QStringLiteral("1 failed")));
  EXPECT_EQ(rows().size(), 5u);
  EXPECT_TRUE(rows()[2].starts_with("b.png,failed,")) << rows()[2];

  const fs::path recipe = folder_ / "recipe.json";
  std::ofstream(recipe) << writeRecipe(session_->recipe());
  EXPECT_EQ(bankside({QStringLiteral("batch"), text(in_), text(folder_ / "out"), QStringLiteral("--recipe"),
                      text(recipe), QStringLiteral("--no-progress")}),
            3);
  const auto expected = results(folder_ / "out");
  EXPECT_EQ(expected.size(), 3u);
  EXPECT_EQ(results(out_), expected);
  const std::string sheet = readTextFile(out_ / folderSheet);
  EXPECT_LT(sheet.find("<h2>b.png</h2>"), sheet.find("<h2>a.png</h2>"));
}

TEST_F(FolderWindow, FromTheFirstStartWithTheRecommendedRecipeAndItsScaleInEightClicks) {
  makePhantoms(3);
  // The sample brings its recipe along, and a picture its folder.
  clicked(offer(QStringLiteral("Sample: vessels")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().ofMaps(); }, 60000)) << banner().toStdString();
  auto* bar = find<QToolBar>("mainToolBar");
  chosen(qobject_cast<QAbstractButton*>(bar->widgetForAction(find<QAction>("actionOpen"))),
         in_ / "eye01.png");
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return session_->picture() && session_->picture()->path == in_ / "eye01.png"; }, 60000))
      << banner().toStdString();
  const double before = session_->state().pixelsPerDegree;
  clicked(find<QPushButton>("recipeAngle45"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().pixelsPerDegree != before; }, 60000));
  clicked(find<QPushButton>("folderRunOpen"));
  chosen(find<QPushButton>("folderTruthChoose"), truth_);
  clicked(find<QPushButton>("folderStart"));
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_LE(clicks_, 8);
  const auto lines = rows();
  ASSERT_EQ(lines.size(), 5u) << "names, three pictures, all of them";
  EXPECT_NE(lines[0].find(",auc,"), std::string::npos) << lines[0];
  EXPECT_EQ(run().report()->evaluation->images.size(), 3u);
}

TEST_F(FolderWindow, GoesOnWhereItWasStopped) {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back(std::to_string(100 + i) + ".png");
  for (const std::string& name : names) makeImages({name.c_str()});
  openFolder();
  {
    const StopAtFirst stop(run());
    start();
    ASSERT_TRUE(ended());
  }
  ASSERT_EQ(run().state(), FolderRun::State::Stopped);
  EXPECT_FALSE(fs::exists(out_ / folderTable));
  EXPECT_EQ(find<QPushButton>("folderStart")->text(), QStringLiteral("Go on"));
  std::map<std::string, fs::file_time_type> before;
  for (const auto& [name, bytes] : results(out_)) before[name] = fs::last_write_time(out_ / name);
  EXPECT_FALSE(before.empty());
  EXPECT_LT(before.size(), 40u);
  std::int64_t found = 0;
  QObject::connect(&run(), &FolderRun::changed, &run(),
                   [&] { found = std::max(found, run().progress().before); });
  start();
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_GT(found, 0);
  for (const auto& [name, time] : before) EXPECT_EQ(fs::last_write_time(out_ / name), time) << name;
  EXPECT_EQ(results(out_).size(), 40u);
  EXPECT_EQ(rows().size(), 41u);
}

TEST_F(FolderWindow, TakesTheSelectedOnesAloneAndAsksBeforeItReplaces) {
  makeImages({"a.png", "b.png", "c.png", "d.png"});
  openFolder();
  find<QDockWidget>("folderDock")->show();
  find<QDockWidget>("folderDock")->raise();
  auto* list = find<QListWidget>("folderList");
  ASSERT_TRUE(QTest::qWaitFor([&] { return list->count() == 4 && list->isVisible(); }, 60000));
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("1 of 4"));
  const auto pick = [&](int row, Qt::KeyboardModifiers keys) {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, keys, list->visualItemRect(list->item(row)).center());
  };
  pick(1, Qt::ControlModifier);
  pick(3, Qt::ControlModifier);
  EXPECT_EQ(folder().selected().size(), 3u);
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("1 of 4, 3 selected"));
  EXPECT_TRUE(find<QLabel>("folderImages")->text().contains(QStringLiteral("3 selected of 4")));
  EXPECT_EQ(session_->picture()->path.filename(), "a.png") << "selecting opens none";
  start();
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_EQ(results(out_).size(), 3u);
  EXPECT_FALSE(fs::exists(out_ / "c.magnitude.tiff"));

  // All of them into the same folder is another run.
  pick(2, Qt::NoModifier);
  EXPECT_TRUE(folder().selected().empty());
  bool asked = false;
  bool escape = true;
  QTimer looking;
  QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    looking.stop();
    asked = box->text().contains(QStringLiteral("other pictures"));
    EXPECT_EQ(box->defaultButton(), box->button(QMessageBox::Cancel)) << "Enter replaces nothing";
    if (escape) return QTest::keyClick(box, Qt::Key_Escape);
    for (QAbstractButton* each : box->buttons()) {
      if (each->text().remove(QLatin1Char('&')) == QStringLiteral("Replace")) return each->click();
    }
  });
  looking.start(10);
  start();
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked && !run().busy(); }, 60000));
  EXPECT_EQ(results(out_).size(), 3u);
  asked = escape = false;
  looking.start(10);
  start();
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return run().state() == FolderRun::State::Done && !run().busy(); }, 60000))
      << run().error().toStdString();
  EXPECT_TRUE(asked);
  EXPECT_EQ(results(out_).size(), 4u);
}

TEST_F(FolderWindow, TheStripSaysWhichFilesAreBroken) {
  makeImages({"a.png", "c.png", "below/e.png"});
  spoil("b.png");
  openFolder();
  find<QDockWidget>("folderDock")->show();
  find<QDockWidget>("folderDock")->raise();
  auto* list = find<QListWidget>("folderList");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !folder().problemOf(in_ / "b.png").isEmpty(); }, 60000));
  EXPECT_TRUE(list->item(1)->toolTip().contains(QStringLiteral("b.png")))
      << list->item(1)->toolTip().toStdString();
  EXPECT_NE(list->item(1)->toolTip(), text(in_ / "b.png"));
  EXPECT_EQ(list->count(), 3);
  find<QCheckBox>("folderSubfolders")->setChecked(true);
  EXPECT_EQ(list->count(), 4);
  trigger("actionPreviousImage");
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "c.png"; }, 60000));
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("4 of 4"));
}

TEST_F(FolderWindow, WhatIsNotScoredSaysWhy) {
  makePhantoms(2);
  for (const char* name : {"eye01", "eye02"})  // a second observer's
    fs::copy(truth_ / (std::string(name) + "_vessels.png"), truth_ / (std::string(name) + "_other.png"));
  openFolder();
  run().setTruth(text(truth_));
  start();
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), FolderRun::State::Failed) << "which ones are meant is asked before the work";
  EXPECT_TRUE(run().error().contains(QStringLiteral("give a pattern that only one has")))
      << run().error().toStdString();
  run().setTruth(text(truth_ / "*_other.png"));
  fs::remove(truth_ / "eye02_other.png");
  start();
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  const QString status = find<QLabel>("folderStatus")->text();
  EXPECT_TRUE(status.contains(
      QStringLiteral("1 of 2 pictures are not scored. eye02.png: The folder of manual vessels has no file")))
      << status.toStdString();
  const auto* row = find<QTreeWidget>("folderResults")->topLevelItem(1);
  EXPECT_TRUE(row->text(3).startsWith(QStringLiteral("Not scored: The folder of manual vessels")))
      << row->text(3).toStdString();
}

TEST_F(FolderWindow, ReplacesNobodysFilesBesideItsResults) {
  makeImages({"a.png"});
  fs::create_directories(out_);
  openFolder();
  for (const char* name : {folderTable, folderSheet}) {
    std::ofstream(out_ / name) << "mine";
    start();
    ASSERT_TRUE(ended());
    EXPECT_EQ(run().state(), FolderRun::State::Failed);
    EXPECT_TRUE(run().error().contains(text(out_ / name))) << run().error().toStdString();
    EXPECT_EQ(readTextFile(out_ / name), "mine");
    EXPECT_EQ(std::distance(fs::directory_iterator(out_), {}), 1) << "before the work";
    fs::remove(out_ / name);
  }
}

TEST_F(FolderWindow, WhatCannotBeRunIsOneSentence) {
  makeImages({"a.png"});
  openFolder();
  Recipe recipe = session_->recipe();
  recipe.format = FileFormat::Png;
  session_->setRecipe(recipe);
  start();
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), FolderRun::State::Failed);
  EXPECT_TRUE(find<QLabel>("folderStatus")->text().contains(QStringLiteral("choose to clip or to stretch")));
  recipe.format = FileFormat::Tiff;
  session_->setRecipe(recipe);
  run().setOutput(text(in_ / "results"));
  start();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(run().error().contains(QStringLiteral("lies in the folder of the images")))
      << run().error().toStdString();
}

/// Pictures for people.
TEST_F(FolderWindow, Screenshots) {
  if (!PictureFolder::wanted()) GTEST_SKIP() << "asked for with BANKSIDE_SCREENSHOTS=FOLDER";
  const PictureFolder pictures;
  makePhantoms(6);
  spoil("eye03.png");
  openFolder();
  run().setTruth(text(truth_));
  auto* dialog = find<QDialog>("folderRun");
  pictures.keep("folder-run-start", dialog);
  start();
  ASSERT_TRUE(ended());
  pictures.keep("folder-run-done", dialog);
  find<QDockWidget>("folderDock")->show();
  find<QDockWidget>("folderDock")->raise();
  for (const QSize size : {QSize(1024, 700), QSize(1366, 768)}) {
    window_->resize(size);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !folder().problemOf(in_ / "eye03.png").isEmpty(); }, 60000));
    ASSERT_TRUE(settled());
    pictures.keep("folder-" + std::to_string(size.width()), window_.get());
  }
}

}  // namespace
}  // namespace bankside::window
