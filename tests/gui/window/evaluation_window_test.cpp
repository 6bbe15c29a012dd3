/// An evaluation in the window: from the start page to the files of `bankside evaluate`, byte for byte.
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QProgressBar>
#include <QTabWidget>
#include <QTimer>
#include <QTreeWidget>
#include <fstream>
#include <map>

#include "core/phantom/phantom.h"
#include "core/run/report_values.h"
#include "core/text.h"
#include "core/text_file.h"
#include "gui/window/panels/evaluation_panel.h"
#include "gui/window/session/evaluation_run.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;
using bankside::testing::bytesOf;
using bankside::testing::PictureFolder;
using bankside::testing::WindowFixture;

class EvaluationWindow : public WindowFixture {
 protected:
  EvaluationWindow() {
    for (const fs::path& place : {in_, truth_, fields_, others_}) fs::create_directories(place);
  }

  static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
  /// Eyes with their vessels and fields of view, and a second observer who saw other vessels in part.
  void makePhantoms(int count) {
    for (int i = 1; i <= count; ++i) {
      const std::string name = "eye" + std::to_string(i);
      const Phantom eye = makePhantom({.size = 96, .seed = static_cast<std::uint64_t>(i)});
      writeImage(in_ / (name + ".png"), eye.photograph, FileFormat::Png);
      writeImage(truth_ / (name + "_vessels.png"), eye.vessels, FileFormat::Png);
      writeImage(fields_ / (name + "_field.png"), eye.fieldOfView, FileFormat::Png);
      Image seen = eye.vessels.clone();
      for (int x = 0; x < 48; ++x) seen.view<std::uint8_t>(0).at(x, 48) = 255;
      writeImage(others_ / (name + "_2nd.png"), seen, FileFormat::Png);
    }
  }
  /// The recipe of before, on the start page.
  void chooseStrongest(const QString& bank = QStringLiteral("vessel-matched:sigma=1.5")) {
    ASSERT_TRUE(chooseBank(bank));
    Recipe recipe = session_->recipe();
    recipe.channel = ChannelChoice::Green;
    recipe.stages.front().combine = Combine::Max;
    session_->setRecipe(recipe);
  }
  void openPanel() {
    trigger("actionEvaluate");
    ASSERT_TRUE(find<QDockWidget>("evaluationDock")->isVisible());
  }
  void choose(const char* name, const fs::path& place) {
    clickAndChoose(find<QPushButton>((std::string(name) + "Choose").c_str()), place);
  }
  void write(const char* name, const QString& words) {
    auto* line = find<QLineEdit>(name);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, words);
    QTest::keyClick(line, Qt::Key_Return);
  }
  /// All places, and the run to its end.
  void evaluateAll() {
    openPanel();
    choose("evaluationImages", in_);
    choose("evaluationTruth", truth_);
    choose("evaluationField", fields_);
    choose("evaluationObserver", others_);
    evaluateNow();
  }
  void evaluateNow() {
    click(find<QPushButton>("evaluationStart"));
    ASSERT_TRUE(ended());
    ASSERT_EQ(run().state(), EvaluationRun::State::Done) << run().error().toStdString();
  }
  bool ended() {
    return QTest::qWaitFor([&] { return !run().busy(); }, 120000);
  }
  void exportInto(const fs::path& folder) {
    fs::create_directories(folder);
    clickAndChoose(find<QPushButton>("evaluationExport"), folder);
    ASSERT_TRUE(ended());
  }
  EvaluationRun& run() { return *window_->findChild<EvaluationRun*>(); }
  const Evaluation& evaluation() { return run().evaluated()->report.evaluation; }
  QString status() { return find<QLabel>("evaluationStatus")->text(); }
  static std::map<std::string, std::string> filesBelow(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files[entry.path().lexically_relative(folder)] = bytesOf(entry.path());
    }
    return files;
  }

  fs::path in_ = folder_ / "study";
  fs::path truth_ = folder_ / "manual";
  fs::path fields_ = folder_ / "fields";
  fs::path others_ = folder_ / "second";
};

TEST_F(EvaluationWindow, FromTheStartPageToTheFilesOfTheCommand) {
  makePhantoms(3);
  chooseStrongest();
  ASSERT_EQ(session_->picture(), nullptr);
  openPanel();
  EXPECT_EQ(status(), QStringLiteral("Choose the folder of the pictures."));
  EXPECT_FALSE(find<QPushButton>("evaluationStart")->isEnabled());
  choose("evaluationImages", in_);
  EXPECT_EQ(status(), QStringLiteral("Choose the folder of the manual vessels."));
  choose("evaluationTruth", truth_);
  choose("evaluationField", fields_);
  choose("evaluationObserver", others_);
  write("evaluationThreshold", QStringLiteral("3.5"));
  evaluateNow();
  EXPECT_EQ(status(), QStringLiteral("Done."));

  // The figures, as they are counted.
  EXPECT_EQ(find<QTabWidget>("evaluationTabs")->currentIndex(), 1);
  const QString head = find<QLabel>("evaluationHead")->text();
  const auto four = [](double value) { return QString::number(value, 'f', 4); };
  for (const double figure : {evaluation().pooledArea.value, evaluation().pooledArea.interval.low,
                              evaluation().meanArea.value, evaluation().meanArea.interval.high})
    EXPECT_TRUE(head.contains(four(figure))) << head.toStdString();
  auto* points = find<QTreeWidget>("evaluationPoints");
  ASSERT_EQ(points->topLevelItemCount(), 4);
  const QStringList names = {QStringLiteral("Best"), QStringLiteral("Otsu"), QStringLiteral("Fixed"),
                             QStringLiteral("Observer 2")};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(points->topLevelItem(i)->text(0), names[i]);
  const OperatingPoint& best = evaluation().points.front();
  EXPECT_EQ(points->topLevelItem(0)->text(7), four(best.pooled.confusion.mcc()));
  EXPECT_EQ(points->topLevelItem(0)->text(8),
            four(best.mcc.low) + QStringLiteral(" – ") + four(best.mcc.high));
  EXPECT_EQ(points->topLevelItem(0)->text(9), four(best.pooled.centreLines.clDice()));
  EXPECT_EQ(points->topLevelItem(2)->text(1), QStringLiteral("3.5"));
  double mean = 0;
  for (const auto& image : best.images) mean += image.confusion.mcc() / 3;
  EXPECT_EQ(points->topLevelItem(0)->child(0)->text(7), four(mean));

  // The files are those of the line that is in them.
  const fs::path out = folder_ / "exported";
  exportInto(out);
  const auto files = filesBelow(out);
  ASSERT_EQ(files.size(), 7u) << "four reports and three overlays";
  const Json json = Json::parse(files.at("evaluation.json"));
  const std::string line = json["command"].get<std::string>();
  ASSERT_TRUE(line.starts_with("bankside evaluate --images ")) << line;
  fs::remove_all(out);
  fs::create_directories(out);
  EXPECT_EQ(QProcess::execute(QStringLiteral("sh"),
                              {QStringLiteral("-c"), QStringLiteral(BANKSIDE_PROGRAM) +
                                                         QString::fromStdString(line.substr(8)) +
                                                         QStringLiteral(" > /dev/null")}),
            0);
  const auto again = filesBelow(out);
  ASSERT_EQ(again.size(), files.size());
  for (const auto& [name, bytes] : files) EXPECT_TRUE(again.at(name) == bytes) << name;
  EXPECT_NE(files.at(evaluationTable).find(formatNumber(best.pooled.confusion.mcc())), std::string::npos);
}

TEST_F(EvaluationWindow, ARowOpensItsPictureWithWhatIsFoundThere) {
  makePhantoms(3);
  chooseStrongest();
  evaluateAll();
  auto* tabs = find<QTabWidget>("evaluationTabs");
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(3).center());
  auto* list = find<QTreeWidget>("evaluationPictures");
  ASSERT_EQ(list->topLevelItemCount(), 3);
  EXPECT_LE(list->topLevelItem(0)->text(1).toDouble(), list->topLevelItem(1)->text(1).toDouble())
      << "the worst first";
  QTreeWidgetItem* row = list->findItems(QStringLiteral("eye2"), Qt::MatchExactly).at(0);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(row).center());
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return session_->picture() && session_->picture()->path == in_ / "eye2.png"; }, 60000))
      << banner().toStdString();
  ASSERT_TRUE(settled());
  auto& truth = *window_->findChild<Truth*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth.curve() && !truth.busy(); }, 60000));
  EXPECT_EQ(truth.curve()->roc.area, evaluation().images[1].area);
  EXPECT_EQ(truth.score().confusion, evaluation().points.front().images[1].confusion);
  EXPECT_TRUE(find<QWidget>("truthPanel")->isVisible());
  EXPECT_TRUE(list->isVisible()) << "nothing comes before the list";

  // The second click of a double click opens nothing.
  int opened = 0;
  QObject::connect(find<EvaluationPanel>("evaluationPanel"), &EvaluationPanel::pictureWanted, list,
                   [&] { ++opened; });
  const QPoint there = list->visualItemRect(row).center();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, there);
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, there);
  EXPECT_EQ(opened, 1);
  ASSERT_TRUE(settled());

  // By keys too: what is above it.
  list->setFocus();
  list->setCurrentItem(row);
  const int at = list->indexOfTopLevelItem(row);
  QTest::keyClick(list, at > 0 ? Qt::Key_Up : Qt::Key_Down);
  const QString name = list->currentItem()->text(0);
  ASSERT_NE(name, QStringLiteral("eye2"));
  QTest::keyClick(list, Qt::Key_Return);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.stem().string() == name.toStdString(); },
                              60000));
  trigger("actionUndo");
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return session_->picture() && session_->picture()->path == in_ / "eye2.png"; }, 60000));
}

TEST_F(EvaluationWindow, WhatFailsIsSaidWithItsReason) {
  makePhantoms(2);
  std::ofstream(in_ / "broken.png") << "\x89PNG\r\n\x1a\nrubbish";
  fs::copy(truth_ / "eye1_vessels.png", truth_ / "broken_vessels.png");
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  openPanel();
  choose("evaluationImages", in_);
  choose("evaluationTruth", truth_);
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), EvaluationRun::State::Failed);
  EXPECT_TRUE(status().startsWith(QStringLiteral("These settings make 12 maps of a picture")))
      << status().toStdString();
  chooseStrongest();
  write("evaluationObserver", text(others_ / "*_3rd.png"));
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(ended());
  EXPECT_TRUE(status().contains(QStringLiteral("no file has such a name"))) << status().toStdString();
  write("evaluationObserver", QString(QLatin1Char(' ')));
  evaluateNow();
  EXPECT_EQ(status(), QStringLiteral("2 of 3 pictures done, 1 failed: see Pictures."));
  auto* list = find<QTreeWidget>("evaluationPictures");
  ASSERT_EQ(list->topLevelItemCount(), 3);
  EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("broken"));
  EXPECT_TRUE(list->topLevelItem(0)->text(6).startsWith(QStringLiteral("Is cut short")))
      << list->topLevelItem(0)->text(6).toStdString();
  Recipe recipe = session_->recipe();
  recipe.stages.front().combine = Combine::ArgMax;
  session_->setRecipe(recipe);
  EXPECT_TRUE(status().startsWith(QStringLiteral("The number of the strongest filter")));
  EXPECT_FALSE(find<QPushButton>("evaluationStart")->isEnabled());
}

TEST_F(EvaluationWindow, APictureThatNobodyMarkedIsLeftOutAndSaid) {
  makePhantoms(3);
  chooseStrongest();
  fs::remove(truth_ / "eye2_vessels.png");
  openPanel();
  choose("evaluationImages", in_);
  choose("evaluationTruth", truth_);
  QStringList said;
  QObject::connect(&run(), &EvaluationRun::changed, &run(), [&] { said << status(); });
  evaluateNow();
  EXPECT_EQ(said.filter(QStringLiteral("tried")), QStringList());
  EXPECT_TRUE(said.contains(QStringLiteral("1 of 3 pictures done, 1 left out")))
      << said.join('|').toStdString();
  EXPECT_EQ(status(), QStringLiteral("2 of 3 pictures done, 1 left out: see Pictures."));
  EXPECT_EQ(evaluation().images.size(), 2u);
  auto* list = find<QTreeWidget>("evaluationPictures");
  ASSERT_EQ(list->topLevelItemCount(), 3);
  EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("eye2"));
  EXPECT_EQ(list->topLevelItem(0)->text(6),
            QStringLiteral("The folder of manual vessels has no file whose name begins with \"eye2\""));
  // Several of one picture are a mistake of whoever asks.
  fs::copy(truth_ / "eye1_vessels.png", truth_ / "eye1_other.png");
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(ended());
  EXPECT_EQ(run().state(), EvaluationRun::State::Failed);
  EXPECT_TRUE(run().error().contains(QStringLiteral("has several files of it")))
      << run().error().toStdString();
  EXPECT_EQ(status(), QStringLiteral("Pictures have several masks each: choose which of them count."));
  EXPECT_FALSE(find<QPushButton>("maskChoice0")->isHidden()) << "masks came after the folder was chosen";
}

TEST_F(EvaluationWindow, AThresholdIsTakenOverFromAnotherSet) {
  makePhantoms(2);
  chooseStrongest();
  evaluateAll();
  const float best = evaluation().pooled.bestThreshold;
  exportInto(folder_ / "tuned");
  exportInto(folder_ / "kept");
  write("evaluationCarried", text(folder_ / "tuned" / "evaluation.json"));
  EXPECT_EQ(status(), QStringLiteral("The figures are of other settings: evaluate again."));
  evaluateNow();
  auto* points = find<QTreeWidget>("evaluationPoints");
  ASSERT_EQ(points->topLevelItemCount(), 4);
  EXPECT_EQ(points->topLevelItem(2)->text(0), QStringLiteral("Other set"));
  EXPECT_EQ(evaluation().points[2].pooled.threshold, best);
  EXPECT_EQ(status(), QStringLiteral("Done."));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
  evaluateNow();
  EXPECT_TRUE(status().contains(QStringLiteral("is of another recipe"))) << status().toStdString();

  // What is there already is replaced when asked, and else left alone.
  const std::string before = bytesOf(folder_ / "kept" / "evaluation.csv");
  const auto answer = [&](const QString& button) {
    auto* looking = new QTimer(window_.get());
    QObject::connect(looking, &QTimer::timeout, looking, [looking, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      looking->deleteLater();
      for (QAbstractButton* each : box->buttons())
        if (each->text().remove(QLatin1Char('&')) == button) return each->click();
    });
    looking->start(10);
  };
  const auto again = [&](const QString& button) {
    answer(button);
    run().exportTo(text(folder_ / "kept"), text(folder_ / "recipe.json"), false);
    ASSERT_TRUE(ended());
  };
  again(QStringLiteral("Cancel"));
  EXPECT_EQ(bytesOf(folder_ / "kept" / "evaluation.csv"), before);
  again(QStringLiteral("Replace"));
  EXPECT_NE(bytesOf(folder_ / "kept" / "evaluation.csv"), before);
}

TEST_F(EvaluationWindow, StopsAndKeepsTheFiguresOfBefore) {
  makePhantoms(2);
  chooseStrongest();
  evaluateAll();
  const QString head = find<QLabel>("evaluationHead")->text();
  const QColor strong = find<QTreeWidget>("evaluationPoints")->palette().color(QPalette::Text);
  // Held at its first picture until it is told to stop.
  run().setRunner([](const EvaluationRequest&, int, const auto& watch, const std::stop_token& stop) {
    watch({2, 1, 0});
    std::atomic<bool> told = false;
    const std::stop_callback tell(stop, [&] {
      told = true;
      told.notify_all();
    });
    told.wait(false);
    throw Cancelled();
    return EvaluatedPtr();
  });
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return status() == QStringLiteral("1 of 2 pictures done"); }, 60000))
      << status().toStdString();
  EXPECT_TRUE(find<QProgressBar>("evaluationProgress")->isVisible());
  EXPECT_EQ(find<QLabel>("evaluationHead")->text(), head) << "the old ones stay";
  EXPECT_NE(find<QTreeWidget>("evaluationPoints")->palette().color(QPalette::Text), strong) << "dimmed";
  EXPECT_EQ(find<QPushButton>("evaluationStart")->text(), QStringLiteral("Stop"));
  EXPECT_TRUE(run().evaluated()->images.empty()) << "the run has the memory of the responses";
  click(find<QPushButton>("evaluationStart"));
  ASSERT_TRUE(ended());
  EXPECT_EQ(status(),
            QStringLiteral("Stopped. The figures are those of before; evaluate again to export them."));
  EXPECT_FALSE(find<QProgressBar>("evaluationProgress")->isVisible());
  EXPECT_FALSE(find<QPushButton>("evaluationExport")->isEnabled()) << "without responses";
  EXPECT_EQ(find<QTreeWidget>("evaluationPoints")->palette().color(QPalette::Text), strong);
  run().setRunner(runEvaluation);
  evaluateNow();
  EXPECT_EQ(find<QLabel>("evaluationHead")->text(), head);
}

/// Pictures for people.
TEST_F(EvaluationWindow, Screenshots) {
  if (!PictureFolder::wanted()) GTEST_SKIP() << "asked for with BANKSIDE_SCREENSHOTS=FOLDER";
  const PictureFolder pictures;
  makePhantoms(6);
  std::ofstream(in_ / "broken.png") << "rubbish";
  for (const fs::path& mask : {truth_, fields_, others_})
    fs::copy(mask / fs::directory_iterator(mask)->path().filename(), mask / "broken_mask.png");
  chooseStrongest();
  window_->resize(pictures.small());
  openPanel();
  pictures.keep("evaluation-start", window_.get());
  evaluateAll();
  pictures.keep("evaluation-figures", window_.get());
  auto* tabs = find<QTabWidget>("evaluationTabs");
  tabs->setCurrentIndex(2);
  pictures.keep("evaluation-curve", window_.get());
  tabs->setCurrentIndex(3);
  auto* list = find<QTreeWidget>("evaluationPictures");
  Q_EMIT list->itemClicked(list->topLevelItem(1), 0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  pictures.keep("evaluation-pictures", window_.get());
  tabs->setCurrentIndex(0);
  pictures.keep("evaluation-study", window_.get());
  tabs->setCurrentIndex(1);
  window_->resize(1600, 1000);
  ASSERT_TRUE(settled());
  pictures.keep("evaluation-1600", window_.get());
}

}  // namespace
}  // namespace bankside::window
