#include "gui/window/shell/main_window.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QUrl>
#include <fstream>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/panels/histogram_view.h"
#include "kernels/engines.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WaitingEngine;
using bankside::testing::WindowFixture;
using bankside::testing::WrongEngine;

class MainWindow : public WindowFixture {
 protected:
  void openPhoto(const std::string& name = "photo.png") {
    open(name, randomImage(1, 90, 120, ElementType::U8));
  }

  ImagePane* pane(int index) { return find<Canvas>("canvas")->pane(index); }

  /// What a person does to choose an entry: open the list, move there, press return.
  void choose(const char* name, const QString& data) {
    auto* box = find<QComboBox>(name);
    const int row = box->findData(data);
    ASSERT_GE(row, 0) << data.toStdString();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < row; ++i) QTest::keyClick(box, Qt::Key_Down);
    ASSERT_EQ(box->currentIndex(), row);
  }
  QPoint middleOf(QPoint pixel, int index = 0) {
    return pane(index)->geometryNow().rectOf(pixel).center().toPoint();
  }
};

TEST_F(MainWindow, OpensAnImageRunsABankAndShowsBoth) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const PlaneResult* ours = session_->result({Layer::Output, 0});
  ASSERT_NE(ours, nullptr);
  ASSERT_NE(ours->plane, nullptr) << ours->error;
  // The pixels on the screen are the planes' values through the levels.
  const QImage shown = pane(1)->grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QPoint at = middleOf({60, 45}, 1);
  EXPECT_EQ(shown.pixel(at * shown.devicePixelRatio()),
            colorOf(ours->plane->value(60, 45), session_->styleFor({Layer::Output, 0})));
}

TEST_F(MainWindow, ABadFileIsOneSentenceAndNothingElse) {
  openPhoto();
  std::ofstream(folder_ / "bad.png") << "\x89PNG\r\n\x1a\nrubbish";
  for (const char* name : {"bad.png", "missing.png"}) {
    window_->openPath(QString::fromStdString((folder_ / name).string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QLatin1String(name)); }, 60000)) << name;
  }
  EXPECT_EQ(session_->picture()->path.filename(), "photo.png") << "what was open stays";
  EXPECT_FALSE(chooseBank(QStringLiteral("no-such-bank")));
  EXPECT_TRUE(banner().contains(QStringLiteral("no-such-bank")));
}

TEST_F(MainWindow, WheelAndDragMoveAllPanesAsOne) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const QPoint mouse(200, 150);
  const QPoint under = pane(0)->geometryNow().pixelAt(mouse);
  const double before = pane(0)->geometryNow().zoom();
  QWheelEvent wheel(mouse, pane(0)->mapToGlobal(mouse), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(pane(0), &wheel);
  EXPECT_GT(pane(0)->geometryNow().zoom(), before);
  EXPECT_EQ(pane(0)->geometryNow().pixelAt(mouse), under);
  EXPECT_EQ(pane(1)->geometryNow().zoom(), pane(0)->geometryNow().zoom());

  const double centre = session_->state().view.centerX;
  QTest::mousePress(pane(1), Qt::LeftButton, {}, {150, 150});
  QTest::mouseMove(pane(1), {170, 150});
  QTest::mouseMove(pane(1), {90, 150});
  QTest::mouseRelease(pane(1), Qt::LeftButton, {}, {90, 150});
  EXPECT_GT(session_->state().view.centerX, centre);
  EXPECT_FALSE(session_->state().pixel) << "a drag is no click";
  QTest::keyClick(pane(0), Qt::Key_Home);
  EXPECT_TRUE(session_->state().view.fit);
}

TEST_F(MainWindow, AClickInspectsThePixelInEveryPane) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  QTest::mouseClick(pane(1), Qt::LeftButton, {}, middleOf({33, 21}, 1));
  ASSERT_TRUE(session_->state().pixel);
  EXPECT_EQ(*session_->state().pixel, QPoint(33, 21));
  EXPECT_EQ(find<QSpinBox>("pixelX")->value(), 33);
  const auto* model = find<QTableView>("inspectorTable")->model();
  EXPECT_EQ(model->rowCount(), 5) << "the file, input, our output, OpenCV's, difference";
  QTest::keyClick(pane(1), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(*session_->state().pixel, QPoint(34, 21));
}

TEST_F(MainWindow, SwipeShowsTwoPlanesPartedByALineThatCanBeDragged) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  trigger("actionSwipe");
  ASSERT_TRUE(settled());
  EXPECT_FALSE(pane(1)->isVisible());
  const int width = pane(0)->width();
  const QPoint line(width / 2, pane(0)->height() / 4);
  QTest::mousePress(pane(0), Qt::LeftButton, {}, line);
  QTest::mouseMove(pane(0), QPoint(width / 4, line.y()));
  QTest::mouseRelease(pane(0), Qt::LeftButton, {}, QPoint(width / 4, line.y()));
  EXPECT_NEAR(session_->state().swipe, 0.25, 0.02);
  const QImage shown = pane(0)->grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QPoint at = middleOf({60, 70});
  ASSERT_GT(at.x(), width / 4);
  const PlaneKey right{Layer::Output, 0};
  EXPECT_EQ(shown.pixel(at * shown.devicePixelRatio()),
            colorOf(session_->result(right)->plane->value(60, 70), session_->styleFor(right)));
}

TEST_F(MainWindow, HoldingSpaceBlinks) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const auto color = [&] {
    const QImage shown = pane(0)->grab().toImage().convertToFormat(QImage::Format_RGB32);
    return shown.pixel(middleOf({60, 70}) * shown.devicePixelRatio());
  };
  const PlaneKey input{Layer::Input, 0};
  const PlaneKey output{Layer::Output, 0};
  const auto expected = [&](PlaneKey key) {
    return colorOf(session_->result(key)->plane->value(60, 70), session_->styleFor(key));
  };
  ASSERT_NE(expected(input), expected(output));
  EXPECT_EQ(color(), expected(input));
  QTest::keyPress(pane(0), Qt::Key_Space);
  EXPECT_EQ(color(), expected(output));
  QTest::keyRelease(pane(0), Qt::Key_Space);
  EXPECT_EQ(color(), expected(input));
}

TEST_F(MainWindow, DraggingALevelMakesItManualForOursAndOpenCvs) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  trigger("actionPanes3");
  ASSERT_TRUE(settled());
  auto* histogram = find<HistogramView>("histogram");
  ASSERT_TRUE(session_->levels(LevelGroup::Response).automatic);
  const Levels before = session_->styleFor({Layer::Output, 0}).levels;
  const QPoint grip(static_cast<int>(histogram->positionOf(before.high)), 20);
  QTest::mousePress(histogram, Qt::LeftButton, {}, grip);
  QTest::mouseMove(histogram, grip - QPoint(40, 0));
  QTest::mouseRelease(histogram, Qt::LeftButton, {}, grip - QPoint(40, 0));
  const Levels after = session_->styleFor({Layer::Output, 0}).levels;
  EXPECT_FALSE(session_->levels(LevelGroup::Response).automatic);
  EXPECT_LT(after.high, before.high);
  EXPECT_NEAR(after.low, before.low, 1e-3);
  EXPECT_EQ(session_->styleFor({Layer::OpenCv, 0}).levels, after);
}

TEST_F(MainWindow, SettingsReachTheEngine) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  choose("border", QStringLiteral("wrap"));
  choose("combine", QStringLiteral("magnitude"));
  choose("engine", QStringLiteral("cpu:direct"));
  choose("mode", QStringLiteral("convolution"));
  EXPECT_EQ(session_->recipe().border.kind, BorderKind::Wrap);
  EXPECT_EQ(session_->recipe().stages.front().combine, Combine::Magnitude);
  EXPECT_EQ(session_->recipe().engine, "cpu:direct");
  ASSERT_TRUE(settled());
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  const PlaneResult* refused = session_->result(session_->keyOf({Layer::OpenCv}));
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->error.find("wrap"), std::string::npos);
  auto* engine = find<QComboBox>("engine");
  const int opencv = engine->findData(QStringLiteral("opencv:filter2D"));
  EXPECT_TRUE(engine->itemData(opencv, Qt::ToolTipRole).toString().contains(QStringLiteral("wrap")));
}

TEST_F(MainWindow, EnginesThatCannotRunHereAreListedForWhoAsks) {
  int missing = 0;
  for (const Engine* each : workflow_->engines()) missing += each->available() ? 0 : 1;
  if (missing == 0) GTEST_SKIP() << "every engine runs here";
  auto* engine = find<QComboBox>("engine");
  const auto listed = [&] {
    int count = 0;
    for (const Engine* each : workflow_->engines())
      count += engine->findData(QString::fromStdString(each->name())) >= 0 ? 1 : 0;
    return count;
  };
  const int all = static_cast<int>(workflow_->engines().size());
  EXPECT_EQ(listed(), all - missing);
  find<QDockWidget>("settingsDock")->raise();
  engine->setFocus();
  QTest::keyClick(engine, Qt::Key_End);  // the last entry: the others
  EXPECT_EQ(listed(), all);
  EXPECT_EQ(engine->currentData().toString(), QStringLiteral("auto")) << "it chooses none";
  EXPECT_TRUE(engine->view()->isVisible());
  engine->hidePopup();
}

TEST_F(MainWindow, TheCopiedCommandWritesTheBytesThatTheWindowExports) {
  openPhoto("my photo.png");
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1.5")));
  choose("border", QStringLiteral("reflect"));
  choose("combine", QStringLiteral("max"));
  ASSERT_TRUE(settled());
  trigger("actionCopyCommand");
  QString line = QApplication::clipboard()->text();
  ASSERT_TRUE(line.startsWith(QStringLiteral("bankside filter '"))) << line.toStdString();
  EXPECT_TRUE(line.contains(QStringLiteral("--engine "))) << "what auto stood for is pinned";
  line.replace(0, 8, QStringLiteral(BANKSIDE_PROGRAM));
  QProcess shell;
  shell.setWorkingDirectory(QString::fromStdString(folder_.path().string()));
  shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
  ASSERT_TRUE(shell.waitForFinished(60000));
  ASSERT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();

  workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
  EXPECT_TRUE(banner().isEmpty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000))
      << banner().toStdString();
  ASSERT_EQ(workflow_->lastExport()->outputs.size(), 2u);
  for (const std::string& name : workflow_->lastExport()->outputs) {
    const std::string bytes = bytesOf(folder_ / "window" / name);
    ASSERT_FALSE(bytes.empty()) << name;
    EXPECT_EQ(bytes, bytesOf(folder_ / "out" / name)) << name;
  }
}

TEST_F(MainWindow, TheSavedRecipeKeepsTheEngineNotesWhatRanAndGivesTheSameBytes) {
  open("photo.png", randomImage(1, 210, 330, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3,length=15")));
  choose("engine", QStringLiteral("cpu"));
  ASSERT_TRUE(settled());
  const QString file = QString::fromStdString((folder_ / "study.json").string());
  QTimer::singleShot(0, [&] {
    QWidget* dialog = QApplication::activeModalWidget();
    ASSERT_NE(dialog, nullptr);
    auto* name = dialog->findChild<QLineEdit*>();
    name->setText(file);
    QTest::keyClick(name, Qt::Key_Return);
  });
  QTest::keySequence(window_.get(), QKeySequence::Save);
  const Recipe saved = readRecipe(file.toStdString());
  EXPECT_EQ(saved.engine, "cpu");
  QFile text(file);
  ASSERT_TRUE(text.open(QIODevice::ReadOnly));
  EXPECT_TRUE(text.readAll().contains("\"ran\": \"cpu:"));
  QProcess program;
  program.start(QStringLiteral(BANKSIDE_PROGRAM),
                {QStringLiteral("filter"), QString::fromStdString((folder_ / "photo.png").string()),
                 QStringLiteral("--recipe"), file, QStringLiteral("--output"),
                 QString::fromStdString((folder_ / "out").string())});
  ASSERT_TRUE(program.waitForFinished(60000));
  ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
  // What is on the screen is what is in the file.
  const auto shown = session_->result({Layer::Output, 0});
  ASSERT_NE(shown, nullptr);
  const std::string label = session_->planes()[0].label;
  EXPECT_TRUE(
      samePixels(*shown->plane->image, readImage(folder_ / "out" / ("photo." + label + ".tiff")).image));
}

TEST_F(MainWindow, EscapeStopsWhatRuns) {
  WaitingEngine waiting;
  makeWindow([&](const std::string&, const ConvolutionProblem&) -> const Engine& { return waiting; },
             {&waiting});
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return waiting.started > 0; }, 60000));
  auto* cancel = find<QAction>("actionCancel");
  ASSERT_TRUE(QTest::qWaitFor([&] { return cancel->isEnabled(); }, 60000));
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 60000));
  EXPECT_EQ(waiting.stopped, 1);
  EXPECT_TRUE(banner().isEmpty());
}

TEST_F(MainWindow, MeasuringShowsAWrongEngineWithoutASpeed) {
  WrongEngine wrong;
  const Engine* ours = findEngine("cpu:direct");
  makeWindow(selectEngine, {ours, findEngine("opencv"), &wrong});
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  find<QComboBox>("measureEffort")->setCurrentIndex(0);
  trigger("actionMeasure");
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->measurement() != nullptr; }, 60000))
      << banner().toStdString();
  bool sawWrong = false;
  bool sawOurs = false;
  for (const BenchRow& run : workflow_->measurement()->report.rows) {
    if (run.engine == "wrong") {
      sawWrong = true;
      EXPECT_EQ(run.disposition, Disposition::Incorrect);
      EXPECT_FALSE(run.timed());
      EXPECT_NE(run.reason.find("(3, 2)"), std::string::npos) << run.reason;
    }
    if (run.engine == "cpu:direct") {
      sawOurs = true;
      EXPECT_EQ(run.disposition, Disposition::Passed) << run.reason;
      EXPECT_GE(run.times.at(Phase::Whole).samples.size(), 5u);
    }
  }
  EXPECT_TRUE(sawWrong);
  EXPECT_TRUE(sawOurs);
  EXPECT_GT(find<QTableView>("timingTable")->model()->rowCount(), 2);
}

TEST_F(MainWindow, ADroppedFileIsOpened) {
  writeImage(folder_ / "dropped.png", randomImage(1, 20, 20, ElementType::U8), FileFormat::Png);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder_ / "dropped.png").string()))});
  QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &drop);
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
}

TEST_F(MainWindow, AFileThatChangesIsReadAgain) {
  openPhoto();
  const PicturePtr before = session_->picture();
  QTest::qWait(50);
  writeImage(folder_ / "photo.png", randomImage(1, 50, 60, ElementType::U8, 9), FileFormat::Png);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != before; }, 60000));
  EXPECT_EQ(session_->picture()->info.width, 60);
}

TEST_F(MainWindow, EveryControlHasANameAndEveryCommandAHint) {
  for (const QAction* action : window_->findChildren<QAction*>()) {
    if (!action->objectName().startsWith(QLatin1String("action"))) continue;
    EXPECT_FALSE(action->toolTip().isEmpty()) << action->objectName().toStdString();
  }
  for (const QComboBox* box : window_->findChildren<QComboBox*>()) {
    EXPECT_FALSE(box->objectName().isEmpty());
    EXPECT_FALSE(box->accessibleName().isEmpty()) << box->objectName().toStdString();
  }
}

TEST_F(MainWindow, RestoresImageBankPanesAndZoom) {
  openPhoto();
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  trigger("actionPanes3");
  session_->setView({false, 6, 20, 30});
  session_->setPixel(QPoint(3, 4));
  const SessionState before = session_->state();
  std::vector<const Engine*> list;
  for (const auto& engine : engines()) list.push_back(engine.get());
  makeWindow(selectEngine, list);
  session_->restore(before);
  ASSERT_TRUE(chooseBank(QString::fromStdString(before.recipe.stages.front().bank)));
  workflow_->open(before.imagePath, before.page);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().view, before.view);
  EXPECT_EQ(session_->state().panes, before.panes);
  EXPECT_EQ(session_->state().pixel, before.pixel);
  EXPECT_TRUE(pane(2)->isVisible());
}

}  // namespace
}  // namespace bankside::window
