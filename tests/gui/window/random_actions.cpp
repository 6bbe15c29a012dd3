/// What the person of the random sessions does.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <fstream>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/evaluation_run.h"
#include "tests/gui/window/random_sessions.h"

namespace bankside::window {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;

void RandomSessions::SetUp() {
  std::filesystem::create_directories(in_);
  writeImage(in_ / "grey.png", randomImage(1, 60, 80, ElementType::U8), FileFormat::Png);
  writeImage(in_ / "colour.png", randomImage(3, 50, 70, ElementType::U8), FileFormat::Png);
  writeImage(in_ / "deep.tif", randomImage(1, 40, 90, ElementType::U16), FileFormat::Tiff);
  writeImage(in_ / "float.tif", randomImage(1, 30, 30, ElementType::F32), FileFormat::Tiff);
  writeImage(in_ / "one.png", randomImage(1, 1, 1, ElementType::U8), FileFormat::Png);
  Image marks = randomImage(1, 60, 80, ElementType::U8);
  for (int y = 0; y < 60; ++y) std::fill_n(marks.view<std::uint8_t>(0).row(y), 40, std::uint8_t{0});
  writeImage(in_ / "marks.png", marks, FileFormat::Png);
  for (const char* folder : {"judged", "judged-by"}) std::filesystem::create_directories(folder_ / folder);
  std::filesystem::copy_file(in_ / "grey.png", folder_ / "judged" / "eye.png");
  std::filesystem::copy_file(in_ / "marks.png", folder_ / "judged-by" / "eye_marks.png");
  bankside::testing::writePages(in_ / "stack.tif");
  const std::string good = bytesOf(in_ / "colour.png");
  std::ofstream(in_ / "half.png", std::ios::binary) << good.substr(0, good.size() / 2);
  std::ofstream(in_ / "empty.png");
  std::ofstream(in_ / "words.json") << "{\"bankside\": \"recipe\", \"version\": 9}";
  std::ofstream(in_ / "steps.json") << R"({"bankside": "recipe", "version": 4, "title": "edges",
    "steps": [{"do": "unit"}, {"name": "edges", "bank": "sobel", "combine": ["magnitude"]}]})";
  std::ofstream(in_ / "two.json") << R"({"bankside": "recipe", "version": 2,
    "stages": [{"bank": "sobel", "combine": ["magnitude"]}, {"bank": "gaussian:sigma=1.5"}]})";
}

QString RandomSessions::anyFile() {
  static const char* const names[] = {"grey.png", "colour.png", "deep.tif", "float.tif",  "one.png",
                                      "half.png", "empty.png",  "gone.png", "words.json", "steps.json",
                                      "two.json", "stack.tif",  "marks.png"};
  return QString::fromStdString((in_ / any(names)).string());
}

void RandomSessions::answer() {
  auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
  if (box == nullptr) return;
  const bool replace = ++asked_ % 2 == 0;
  for (QAbstractButton* each : box->buttons()) {
    if ((box->buttonRole(each) == QMessageBox::AcceptRole) == replace) return each->click();
  }
}

void RandomSessions::point() {
  auto* pane = find<Canvas>("canvas")->pane(below(find<Canvas>("canvas")->visiblePanes()));
  const QPoint at(below(500), below(400));
  static const Qt::Key keys[] = {Qt::Key_Left,  Qt::Key_Right,    Qt::Key_Up,     Qt::Key_Plus,
                                 Qt::Key_Minus, Qt::Key_Home,     Qt::Key_Tab,    Qt::Key_Space,
                                 Qt::Key_F8,    Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Escape};
  switch (below(4)) {
    case 0: QTest::keyClick(pane, any(keys)); break;
    case 1: QTest::mouseClick(pane, Qt::LeftButton, {}, at); break;
    case 2: QTest::mouseDClick(pane, below(2) == 0 ? Qt::LeftButton : Qt::MiddleButton, {}, at); break;
    default:
      QTest::mousePress(pane, Qt::LeftButton, below(2) == 0 ? Qt::ShiftModifier : Qt::NoModifier, at);
      QTest::mouseMove(pane, at + QPoint(below(90), 30));
      QTest::mouseRelease(pane, Qt::LeftButton, {}, at + QPoint(20, 30));
  }
}

void RandomSessions::turn() {
  static const char* const boxes[] = {"channel",    "combine",    "paneLayer0",
                                      "panePlane0", "levelGroup", "colorMap"};
  switch (below(4)) {
    case 0: {
      auto* box = find<QComboBox>(any(boxes));
      QTest::keyClick(box, below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
      break;
    }
    case 1: {
      const auto spins = window_->findChildren<QDoubleSpinBox*>();
      if (spins.isEmpty()) break;
      auto* spin = spins[below(static_cast<int>(spins.size()))];
      if (!spin->isEnabled()) break;
      for (int i = 0; i < 3; ++i) QTest::keyClick(spin, Qt::Key_Up);
      break;
    }
    case 2: {
      if (below(2) == 0) trigger("actionColors");
      QTest::keyClick(find<QSlider>("overlayOpacity"), below(3) == 0 ? Qt::Key_Home : Qt::Key_Right);
      break;
    }
    default: edit();
  }
}

void RandomSessions::edit() {
  find<QTabWidget>("bankTabs")->setCurrentIndex(below(2));
  if (below(4) == 0) trigger("enlargeTaps");
  auto* table = find<QTableView>("tapTable");
  if (!table->isEnabled() || table->model()->rowCount() == 0) return;
  table->setCurrentIndex(
      table->model()->index(below(table->model()->rowCount()), below(table->model()->columnCount())));
  switch (below(4)) {
    case 0: QTest::keyClick(table, Qt::Key_Delete); break;
    case 1:
      QTest::keyClick(find<QSpinBox>(below(2) == 0 ? "rowsField" : "anchorColumnField"), Qt::Key_Up);
      break;
    case 2: {
      auto* label = find<QLineEdit>("labelField");
      QTest::keyClicks(label, QStringLiteral("x"));
      QTest::keyClick(label, Qt::Key_Return);
      break;
    }
    default: {
      static const char* const taps[] = {"0.5", "-3", "7", "0,5", "many", ""};
      table->edit(table->currentIndex());
      auto* tap = table->findChild<QLineEdit*>(QStringLiteral("tapEditor"));
      if (tap == nullptr) break;
      tap->clear();
      QTest::keyClicks(tap, QLatin1String(any(taps)));
      QTest::keyClick(tap, Qt::Key_Return);
    }
  }
}

void RandomSessions::turnPage() {
  if (below(2) == 0) window_->openPath(QString::fromStdString((in_ / "stack.tif").string()));
  static const Qt::Key keys[] = {Qt::Key_Right, Qt::Key_Left, Qt::Key_End};
  QTest::keyClick(find<QSlider>("pageSlider"), any(keys));
  if (below(3) == 0) QTest::keyClick(find<QCheckBox>("pagesLargest"), Qt::Key_Space);
}

void RandomSessions::judge() {
  static const char* const sliders[] = {"truthThreshold", "truthOpacity"};
  static const char* const boxes[] = {"truthBest", "truthShown"};
  switch (below(5)) {
    case 0:
    case 1: {
      TruthSpec spec = session_->state().truth;
      spec.file = below(3) == 0 ? anyFile() : QString::fromStdString((in_ / "marks.png").string());
      session_->setTruth(spec);
      break;
    }
    case 2: find<QPushButton>("closeTruth")->click(); break;
    case 3: QTest::keyClick(find<QSlider>(any(sliders)), below(2) == 0 ? Qt::Key_Left : Qt::Key_Right); break;
    default: QTest::keyClick(find<QCheckBox>(any(boxes)), Qt::Key_Space);
  }
}

void RandomSessions::measure() {
  find<QComboBox>("measureEffort")->setCurrentIndex(0);
  auto* button = find<QPushButton>("measure");
  if (button->isEnabled()) button->click();  // or stops
}

void RandomSessions::runFolder() {
  trigger("actionRunFolder");
  if (below(3) == 0)
    QTest::keyClick(find<QComboBox>("folderRegion"), below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
  auto* start = find<QPushButton>("folderStart");
  if (start->isEnabled()) start->click();  // or stops
  auto* evaluation = window_->findChild<EvaluationRun*>();
  evaluation->setPlace(&EvaluationRequest::images, QString::fromStdString((folder_ / "judged").string()));
  evaluation->setPlace(&EvaluationRequest::truth, QString::fromStdString((folder_ / "judged-by").string()));
  trigger("actionEvaluate");
  auto* evaluate = find<QPushButton>("evaluationStart");
  if (evaluate->isEnabled()) evaluate->click();  // or stops
  if (below(2) == 0) find<QDialog>("folderRun")->close();
}

void RandomSessions::compare() {
  static const char* const buttons[] = {"keptShow", "keptAgain", "keptForget"};
  if (below(4) == 0) session_->keepResult(below(4));
  const char* name = any(buttons);
  auto* button = find<QAbstractButton>(name);
  if (button->isEnabled()) button->click();
  if (below(3) == 0) session_->setCompared(below(4), below(4));
  if (below(3) != 0) return;
  const int pane = below(static_cast<int>(session_->state().panes.size()));
  switch (below(4)) {
    case 0: session_->keepRecipe(pane, below(3) != 0); break;
    case 1: session_->keepPicture(pane, below(3) != 0); break;
    case 2: session_->editBranch(pane); break;
    default: {
      auto panes = session_->state().panes;
      panes[static_cast<std::size_t>(pane)].branch.imagePath = anyFile();
      session_->setPanes(std::move(panes));
    }
  }
}

void RandomSessions::dropFiles() {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(anyFile()), QUrl::fromLocalFile(anyFile())});
  drop(data);
}

void RandomSessions::act() {
  static const char* const commands[] = {
      "actionPanes1",        "actionPanes2",      "actionPanes3",
      "actionPanes4",        "actionSwipe",       "actionFit",
      "actionFullSize",      "actionZoomIn",      "actionBlink",
      "actionKeep",          "actionNextFilter",  "actionPreviousFilter",
      "actionRegionWhole",   "actionReload",      "actionRegionFieldOfView",
      "actionNextPage",      "actionCopyCommand", "actionNextImage",
      "actionRegionEllipse", "actionStartPage"};
  static const char* const banks[] = {"sobel",          "gaussian:sigma=2", "kirsch",
                                      "vessel-matched", "gaussian:size=31", "no-such-bank",
                                      "laplacian"};
  switch (below(16)) {
    case 0: window_->openPath(anyFile()); break;
    case 1: workflow_->chooseBank(QLatin1String(any(banks))); break;
    case 2: dropFiles(); break;
    case 3: trigger("actionUndo"); break;
    case 4: trigger(below(2) == 0 ? "actionRedo" : "actionUndo"); break;
    case 5: compare(); break;
    case 6: turn(); break;
    case 7:
      trigger("actionCancel");
      nobodyWaitsForNothing();
      break;
    case 8:
    case 9: trigger(any(commands)); break;
    case 10: edit(); break;
    case 11: turnPage(); break;
    case 12: judge(); break;
    case 13:
      if (below(3) == 0) runFolder();
      if (below(3) == 0) measure();
      break;
    default: point();
  }
  if (below(3) == 0) QTest::qWait(1);
  if (below(10) == 0) window_->grab();
}

}  // namespace bankside::window
