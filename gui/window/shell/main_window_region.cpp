#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QStatusBar>

#include "core/imageio/atomic_file.h"
#include "core/run/result_files.h"
#include "gui/window/canvas/canvas.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/folder_report.h"
#include "gui/window/panels/region_panel.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

namespace {

QString maskFilter() {
  return MainWindow::tr("Images (*.png *.jpg *.jpeg *.tif *.tiff *.pgm *.pbm *.npy);;All files (*)");
}

}  // namespace

void MainWindow::makeRegionMenu() {
  QMenu* menu = menuBar()->addMenu(tr("Re&gion"));
  addAction(
      menu, QStringLiteral("actionRegionRectangle"), tr("Draw a &rectangle"),
      QKeySequence(tr("Ctrl+Shift+R")),
      tr("The next drag in a pane draws a region; statistics and automatic levels are of what lies inside"),
      [this] { drawRegion(RegionKind::Rectangle); });
  addAction(menu, QStringLiteral("actionRegionEllipse"), tr("Draw an &ellipse"),
            QKeySequence(tr("Ctrl+Shift+E")), tr("The next drag in a pane draws an ellipse"),
            [this] { drawRegion(RegionKind::Ellipse); });
  addAction(menu, QStringLiteral("actionRegionFieldOfView"), tr("Find the &field of view"),
            QKeySequence(tr("Ctrl+Shift+F")),
            tr("The round image of a fundus photograph, without the dark frame around it"), [this] {
              RegionSpec spec = session_.state().region;
              spec.kind = RegionKind::FieldOfView;
              session_.setRegion(spec);
            });
  addAction(menu, QStringLiteral("actionRegionFile"), tr("&Mask from a file…"), {},
            tr("Inside is where the mask image is not zero"), [this] { chooseMask(); });
  addAction(menu, QStringLiteral("actionRegionWhole"), tr("&Whole image"), QKeySequence(tr("Ctrl+Shift+A")),
            tr("No region: statistics and levels are of the whole image"), [this] {
              canvas_->setDrawing(std::nullopt);
              RegionSpec spec = session_.state().region;
              spec.kind = RegionKind::Whole;
              session_.setRegion(spec);
            });
  menu->addSeparator();
  addAction(menu, QStringLiteral("actionSaveMask"), tr("&Save mask…"), {},
            tr("Write the region as a picture: white inside, black outside"), [this] { saveMask(); });
  addAction(menu, QStringLiteral("actionSaveStatistics"), tr("Save s&tatistics…"), {},
            tr("Write mean, deviation, range and median inside the region as CSV"),
            [this] { saveStatistics(); });
}

void MainWindow::connectRegion() {
  followTruth();
  connect(canvas_, &Canvas::drawingEnded, statusBar(), &QStatusBar::clearMessage);
  connect(region_, &RegionPanel::drawWanted, this, &MainWindow::drawRegion);
  connect(region_, &RegionPanel::maskFileWanted, this, &MainWindow::chooseMask);
  connect(region_, &RegionPanel::saveMaskWanted, this, &MainWindow::saveMask);
  connect(region_, &RegionPanel::saveStatisticsWanted, this, &MainWindow::saveStatistics);
  connect(&session_, &Session::regionMeasured, this, [this] {
    if (!session_.regionError().isEmpty()) showProblem(session_.regionError(), Work::Region);
  });
}

void MainWindow::drawRegion(RegionKind kind) {
  canvas_->setDrawing(kind);
  statusBar()->showMessage(kind == RegionKind::Ellipse ? tr("Drag in a pane to draw the ellipse.")
                                                       : tr("Drag in a pane to draw the rectangle."),
                           8000);
}

void MainWindow::chooseMask() {
  const QString folder = QFileInfo(session_.state().imagePath).absolutePath();
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a mask"), folder, maskFilter());
  if (path.isEmpty()) return Q_EMIT session_.regionChanged();  // the list shows what is, not what was tried
  RegionSpec spec = session_.state().region;
  spec.kind = RegionKind::File;
  spec.file = path.toStdString();
  session_.setRegion(spec);
}

void MainWindow::followTruth() {
  connect(&session_, &Session::truthChanged, this, [this] {
    const SessionState& state = session_.state();
    if (!state.truth.file.isEmpty()) {
      lastTruth_ = {state.truth.file, state.imagePath};
    } else if (lastTruth_.image == state.imagePath) {
      lastTruth_ = {};  // somebody took them away
    }
  });
  connect(&workflow_, &Workflow::opened, this, [this] {
    TruthSpec spec = session_.state().truth;
    if (lastTruth_.truth.isEmpty() || !spec.file.isEmpty()) return;
    spec.file =
        QString::fromStdString(truthBeside(lastTruth_.truth.toStdString(), lastTruth_.image.toStdString(),
                                           session_.state().imagePath.toStdString())
                                   .string());
    if (spec.file.isEmpty()) return;
    session_.setTruth(spec);
    statusBar()->showMessage(tr("Held against %1, found by its name.").arg(QFileInfo(spec.file).fileName()),
                             8000);
  });
}

bool MainWindow::chooseTruth() {
  const QString folder = QFileInfo(session_.state().imagePath).absolutePath();
  const QString path = QFileDialog::getOpenFileName(this, tr("Open manual vessels"), folder, maskFilter());
  if (path.isEmpty()) return false;
  TruthSpec spec = session_.state().truth;
  spec.file = path;
  session_.setTruth(spec);
  return true;
}

void MainWindow::saveMask() {
  const MaskPtr mask = session_.mask();
  if (!mask)
    return showProblem(tr("There is no region to save."), Work::Region, tr("Draw a rectangle"),
                       [this] { drawRegion(RegionKind::Rectangle); });
  const QString stem = QFileInfo(session_.state().imagePath).completeBaseName();
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save the region's mask"), stem + QStringLiteral(".region.png"), tr("Pictures (*.png)"));
  if (path.isEmpty()) return;
  try {
    writeImage(path.toStdString(), *mask, FileFormat::Png);
    showSaved(tr("Saved %1").arg(path));
  } catch (const std::exception& error) {
    showUnsaved(sentenceOf(error), [this] { saveMask(); });
  }
}

void MainWindow::saveStatistics() {
  if (region_->model().rowCount() == 0)
    return showProblem(tr("Nothing was measured yet: open an image first."), Work::Open);
  const QString stem = QFileInfo(session_.state().imagePath).completeBaseName();
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the region's statistics"),
                                                    stem + QStringLiteral(".region.csv"), tr("CSV (*.csv)"));
  if (path.isEmpty()) return;
  try {
    writeFileAtomically(path.toStdString(), region_->model().asText(',').toStdString());
    showSaved(tr("Saved %1").arg(path));
  } catch (const std::exception& error) {
    showUnsaved(sentenceOf(error), [this] { saveStatistics(); });
  }
}

}  // namespace bankside::window
