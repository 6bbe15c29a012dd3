/// A study of a folder by clicks alone, in a window of 1024 x 700.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTimer>
#include <QTreeWidget>
#include <sstream>

#include "core/batch/journal.h"
#include "core/imageio/atomic_file.h"
#include "core/phantom/phantom.h"
#include "core/text.h"
#include "core/text_file.h"
#include "gui/window/panels/mask_choice.h"
#include "gui/window/session/evaluation_run.h"
#include "gui/window/session/folder_run.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/stop_at_first.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::PictureFolder;
using bankside::testing::WindowFixture;

class FolderStudy : public WindowFixture {
 protected:
  FolderStudy() {
    for (const fs::path& place : {in_, truth_}) fs::create_directories(place);
    window_->resize(1024, 700);
  }
  static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
  void makePhantoms(int count, std::initializer_list<const char*> observers = {"vessels"}) {
    for (int i = 0; i < count; ++i) {
      char name[16];
      std::snprintf(name, sizeof name, "eye%02d", i + 1);
      const Phantom phantom = makePhantom({.size = 96, .seed = static_cast<std::uint64_t>(i + 1)});
      writeImage(in_ / (std::string(name) + ".png"), phantom.photograph, FileFormat::Png);
      for (const char* observer : observers)
        writeImage(truth_ / (std::string(name) + "_" + observer + ".png"), phantom.vessels, FileFormat::Png);
    }
  }
  void clicked(QAbstractButton* button) {
    click(button);
    ++clicks_;
  }
  /// The dialog takes one click too.
  void chosen(QAbstractButton* button, const fs::path& path) {
    clickAndChoose(button, path);
    clicks_ += 2;
  }
  void chooseInMenu(const char* menu, const char* action) {
    for (QAction* each : window_->menuBar()->actions()) {
      if (each->text().remove(QLatin1Char('&')) != QLatin1String(menu)) continue;
      QTest::mouseClick(window_->menuBar(), Qt::LeftButton, {},
                        window_->menuBar()->actionGeometry(each).center());
      QTest::mouseClick(each->menu(), Qt::LeftButton, {},
                        each->menu()->actionGeometry(find<QAction>(action)).center());
      clicks_ += 2;
    }
  }
  bool opened() {
    return QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000);
  }
  FolderRun& run() { return *window_->findChild<FolderRun*>(); }
  bool ended() {
    return QTest::qWaitFor([&] { return !run().busy(); }, 300000);
  }
  QString status() { return find<QLabel>("folderStatus")->text(); }
  std::vector<std::string> rows() {
    std::istringstream csv(readTextFile(out_ / folderTable));
    std::vector<std::string> lines;
    for (std::string line; std::getline(csv, line);) lines.push_back(line);
    return lines;
  }
  /// The folder's first picture under a bank, and the dialog.
  void openFolder(const QString& bank = QStringLiteral("sobel")) {
    ASSERT_TRUE(chooseBank(bank));
    clickAndChoose(offer(QStringLiteral("Open a folder…")), in_);
    ASSERT_TRUE(opened()) << banner().toStdString();
    ASSERT_TRUE(settled());
    QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ControlModifier);
    ASSERT_TRUE(find<QDialog>("folderRun")->isVisible());
  }
  /// Presses that button of the question that comes up.
  void answer(const QString& title, QPushButton* asking) {
    bool asked = false;
    QTimer looking;
    QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      looking.stop();
      asked = true;
      for (QAbstractButton* each : box->buttons())
        if (each->text().remove(QLatin1Char('&')) == title) return QTest::mouseClick(each, Qt::LeftButton);
    });
    looking.start(10);
    click(asking);
    ASSERT_TRUE(QTest::qWaitFor([&] { return asked; }, 60000));
  }
  QPushButton* start() { return find<QPushButton>("folderStart"); }

  int clicks_ = 0;
  fs::path in_ = folder_ / "study";
  fs::path out_ = folder_ / "study-results";
  fs::path truth_ = folder_ / "truth";
};

TEST_F(FolderStudy, FourteenPhotographsWithTruthFromTheStartPageToTheTableInEightClicks) {
  makePhantoms(14);
  window_->showSample();  // as at the first start
  ASSERT_TRUE(opened());
  ASSERT_TRUE(settled());
  chooseInMenu("File", "actionStartPage");
  ASSERT_EQ(session_->picture(), nullptr);

  clicks_ = 0;
  chosen(offer(QStringLiteral("Open a folder…")), in_);
  ASSERT_TRUE(opened()) << banner().toStdString();
  ASSERT_TRUE(QTest::qWaitFor([&] { return offer(QStringLiteral("45°")) != nullptr; }, 60000));
  clicked(offer(QStringLiteral("45°")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->scaleMissing(); }, 60000));
  clicked(find<QPushButton>("folderRunOpen"));
  chosen(find<QPushButton>("folderTruthChoose"), truth_);
  clicked(start());
  ASSERT_TRUE(ended());
  EXPECT_LE(clicks_, 8);
  EXPECT_EQ(window_->size(), QSize(1024, 700));
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_TRUE(status().startsWith(QStringLiteral("Done."))) << status().toStdString();

  const auto lines = rows();
  ASSERT_EQ(lines.size(), 16u) << "names, fourteen pictures, all of them";
  EXPECT_NE(lines[0].find(",auc,average_precision,"), std::string::npos) << lines[0];
  EXPECT_TRUE(lines.back().starts_with("all images together,"));
  const Evaluation& evaluation = *run().report()->evaluation;
  EXPECT_EQ(evaluation.images.size(), 14u);
  EXPECT_GT(evaluation.pooledArea.value, 0.7);
  EXPECT_NE(lines.back().find("," + formatNumber(evaluation.pooledArea.value) + ","), std::string::npos);
  EXPECT_LT(run().report()->rows[0].inside->pixels, 96 * 96) << "the field of view alone";
  EXPECT_EQ(evaluation.images[0].pixels, run().report()->rows[0].inside->pixels);
}

TEST_F(FolderStudy, AFolderThatIsOpenedShowsItsPicturesOnASmallScreenToo) {
  makePhantoms(3);
  window_->resize(972, 630);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  clickAndChoose(offer(QStringLiteral("Open a folder…")), in_);
  ASSERT_TRUE(opened());
  ASSERT_TRUE(settled());
  auto* list = find<QListWidget>("folderList");
  ASSERT_TRUE(find<QDockWidget>("folderDock")->isVisible());
  EXPECT_EQ(list->count(), 3);
  EXPECT_EQ(find<QLabel>("folderCount")->text(), QStringLiteral("1 of 3"));
  EXPECT_TRUE(find<QPushButton>("folderRunOpen")->isVisible());
  EXPECT_LE(list->visualItemRect(list->item(0)).bottom(), list->viewport()->height()) << "names are read";
  EXPECT_EQ(window_->size(), QSize(972, 630));
  EXPECT_GT(find<Canvas>("canvas")->height(), 300) << "most of the room is the panes'";
}

TEST_F(FolderStudy, ScoresAreOfTheMapThatIsSelectedAndTheDialogNamesIt) {
  makePhantoms(2);
  openFolder();
  auto* judged = find<QLabel>("folderJudged");
  EXPECT_EQ(judged->text(), QStringLiteral("dx"));
  clickAndChoose(find<QPushButton>("folderTruthChoose"), truth_);
  click(start());
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  const auto area = [&] { return run().report()->evaluation->images[0].area; };
  const double ofDx = area();
  const auto lines = rows();
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_NE(lines[1].find("eye01.dx.tiff"), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find(formatNumber(ofDx)), std::string::npos) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(",")) << "dy is not scored: " << lines[2];

  // As the live figure has it.
  TruthSpec truth = session_->state().truth;
  truth.file = text(truth_ / "eye01_vessels.png");
  session_->setTruth(truth);
  RegionSpec field;
  field.kind = RegionKind::FieldOfView;
  session_->setRegion(field);
  auto& live = *window_->findChild<Truth*>();
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return live.curve() && !live.busy() && !session_->maskMissing(); }, 60000));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return live.curve() && !live.busy(); }, 60000));
  EXPECT_DOUBLE_EQ(live.curve()->roc.area, ofDx);

  QTest::keyClick(window_.get(), Qt::Key_PageDown);
  EXPECT_EQ(judged->text(), QStringLiteral("dy"));
  EXPECT_TRUE(status().contains(QStringLiteral("other settings"))) << status().toStdString();
  click(start());
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_NE(area(), ofDx);
  EXPECT_NE(rows()[2].find(formatNumber(area())), std::string::npos) << rows()[2];
  EXPECT_EQ(find<QTreeWidget>("folderResults")->topLevelItem(0)->text(1), QString::number(area(), 'f', 4));
}

TEST_F(FolderStudy, WhatIsReplacedLeavesNothingBehind) {
  makePhantoms(3);
  openFolder(QStringLiteral("gaussian:sigma=1.8"));
  click(start());
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  const fs::path result = out_ / rows()[1].substr(rows()[1].find("eye01.g"),
                                                  rows()[1].find(".tiff") + 5 - rows()[1].find("eye01.g"));
  const std::string before = readTextFile(result);
  auto* list = find<QTreeWidget>("folderResults");
  ASSERT_EQ(list->topLevelItemCount(), 3);

  // Asked, and not done: what is known stays.
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  answer(QStringLiteral("Cancel"), start());
  ASSERT_TRUE(ended());
  EXPECT_EQ(list->topLevelItemCount(), 3);
  EXPECT_TRUE(find<QPushButton>("folderTable")->isEnabled());
  EXPECT_TRUE(find<QPushButton>("folderSheet")->isEnabled());
  EXPECT_TRUE(fs::exists(result));

  // A journal may be a stranger's: what it names elsewhere is not removed.
  const fs::path elsewhere = out_.parent_path() / "elsewhere.tiff";
  fs::copy_file(result, elsewhere);
  int named = 0;
  for (const auto& journal : fs::directory_iterator(journalFolder(out_ / "manifest.jsonl"))) {
    std::string text = readTextFile(journal.path());
    const std::size_t at = text.find("{\"file\":\"" + result.filename().string());
    if (at == std::string::npos) continue;
    text.insert(at, "{\"file\":\"../elsewhere.tiff\",\"bytes\":" + std::to_string(before.size()) + "},");
    writeFileAtomically(journal.path(), text);
    ++named;
  }
  EXPECT_EQ(named, 1);

  // Stopped at its first picture: nothing of the run before lies beside it.
  const auto replacedTo = [&](FolderRun::State state) {
    answer(QStringLiteral("Replace"), start());
    return QTest::qWaitFor([&] { return run().state() == state && !run().busy(); }, 60000);
  };
  {
    const StopAtFirst stop(run());
    ASSERT_TRUE(replacedTo(FolderRun::State::Stopped)) << run().error().toStdString();
  }
  EXPECT_FALSE(fs::exists(out_ / folderTable));
  EXPECT_FALSE(fs::exists(out_ / folderSheet));
  EXPECT_TRUE(fs::exists(elsewhere));
  for (const auto& entry : fs::directory_iterator(out_)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(!name.ends_with(".tiff") || name.find(".dx.") != std::string::npos ||
                name.find(".dy.") != std::string::npos)
        << name;
  }

  // The first bank again: results of the same names and sizes are not taken for its own.
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=3")));
  ASSERT_TRUE(replacedTo(FolderRun::State::Done));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1.8")));
  ASSERT_TRUE(replacedTo(FolderRun::State::Done));
  EXPECT_TRUE(readTextFile(result) == before);
}

TEST_F(FolderStudy, WhichOfSeveralObserversIsAClick) {
  makePhantoms(2, {"1stHO", "2ndHO"});
  openFolder();
  clickAndChoose(find<QPushButton>("folderTruthChoose"), truth_);
  EXPECT_TRUE(status().contains(QStringLiteral("choose which"))) << status().toStdString();
  auto* dialog = find<QDialog>("folderRun");
  const auto choice = [](QWidget* within, const QString& title) -> QPushButton* {
    for (auto* button : within->findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == title) return button;
    return nullptr;
  };
  click(choice(dialog, QStringLiteral("*_2ndHO.png")));
  EXPECT_EQ(find<QLineEdit>("folderTruth")->text(), text(truth_ / "*_2ndHO.png"));
  ASSERT_NE(choice(dialog, QStringLiteral("*_2ndHO.png")), nullptr);
  EXPECT_TRUE(choice(dialog, QStringLiteral("*_2ndHO.png"))->isChecked());
  EXPECT_EQ(start()->text(), QStringLiteral("Start")) << "nothing ran that could go on";
  if (PictureFolder::wanted()) PictureFolder().keep("folder-observers", dialog);
  click(start());
  ASSERT_TRUE(ended());
  ASSERT_EQ(run().state(), FolderRun::State::Done) << run().error().toStdString();
  EXPECT_EQ(run().report()->evaluation->images.size(), 2u);
  QTest::keyClick(dialog, Qt::Key_Escape);

  // In an evaluation one is the truth, and the other is judged beside it.
  Recipe recipe = session_->recipe();
  recipe.stages.front().combine = Combine::Magnitude;
  recipe.channel = ChannelChoice::Green;
  session_->setRecipe(recipe);
  trigger("actionEvaluate");
  auto& evaluation = *window_->findChild<EvaluationRun*>();
  clickAndChoose(find<QPushButton>("evaluationTruthChoose"), truth_);
  EXPECT_TRUE(
      find<QLabel>("evaluationStatus")->text().contains(QStringLiteral("choose which of them count")));
  const auto press = [&](const char* which, const QString& title) {
    auto* button = choice(find<QWidget>(which), title);
    ASSERT_NE(button, nullptr) << title.toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
  };
  press("evaluationTruthWhich", QStringLiteral("*_1stHO.png"));
  clickAndChoose(find<QPushButton>("evaluationObserverChoose"), truth_);
  press("evaluationObserverWhich", QStringLiteral("*_2ndHO.png"));
  if (PictureFolder::wanted()) PictureFolder().keep("evaluation-observers", window_.get());
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !evaluation.busy(); }, 60000));
  EXPECT_EQ(evaluation.state(), EvaluationRun::State::Done) << evaluation.error().toStdString();
}

TEST_F(FolderStudy, TheScaleThatARecipeWantsIsGivenInTheDialog) {
  makePhantoms(1);
  trigger("actionRecipe-vessels");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().ofMaps(); }, 60000));
  clickAndChoose(offer(QStringLiteral("Open a folder…")), in_);
  ASSERT_TRUE(opened());
  QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ControlModifier);
  EXPECT_FALSE(start()->isEnabled());
  EXPECT_TRUE(status().contains(QStringLiteral("give it above"))) << status().toStdString();
  auto* scale = find<QDoubleSpinBox>("folderScale");
  ASSERT_TRUE(scale->isVisible());
  QApplication::setActiveWindow(find<QDialog>("folderRun"));
  scale->setFocus();
  scale->selectAll();
  QTest::keyClicks(scale, QStringLiteral("2"));
  QTest::keyClick(scale, Qt::Key_Tab);
  EXPECT_EQ(session_->state().pixelsPerDegree, 2);
  EXPECT_TRUE(start()->isEnabled());
  ASSERT_TRUE(settled());
}

}  // namespace
}  // namespace bankside::window
