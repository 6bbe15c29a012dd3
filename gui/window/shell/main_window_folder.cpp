/// The folder of the open picture: its images one after another, a run over all of them, and an evaluation.
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/panels/evaluation_panel.h"
#include "gui/window/panels/folder_run_dialog.h"
#include "gui/window/panels/folder_strip.h"
#include "gui/window/session/travelling_recipe.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

void MainWindow::addFolderRun(QMenu* menu) {
  auto* run = new FolderRun(session_, *folder_, this);
  watchWork(run->worker());
  connect(this, &MainWindow::stopWanted, run, &FolderRun::stop);
  auto* dialog = new FolderRunDialog(session_, *folder_, *run, this);
  connect(dialog, &FolderRunDialog::runWanted, this, [this, run](bool replace) {
    const TruthSpec& truth = session_.state().truth;
    run->setThreshold(truth.file.isEmpty() ? std::nullopt : truth.threshold);
    try {
      run->start(travellingRecipe(session_.setup(), false), replace);
    } catch (const std::exception& error) {
      showProblem(sentenceOf(error), Work::Export, tr("Run over folder…"),
                  [this] { findChild<QAction*>(QStringLiteral("actionRunFolder"))->trigger(); });
    }
  });
  addAction(menu, QStringLiteral("actionRunFolder"), tr("Run over &folder…"), QKeySequence(tr("Ctrl+F5")),
            tr("Filter every picture of the folder, measure the results and score them"), [this, dialog] {
              folder_->read();
              dialog->show();
              dialog->raise();
              dialog->activateWindow();
            });
  connect(run, &FolderRun::completed, this, [this](const QString& output) {
    statusBar()->showMessage(tr("The run over the folder is done: %1").arg(output), 12000);
  });
  connect(dialog, &FolderRunDialog::pictureWanted, this, [this](const QString& path) { openPath(path); });
}

QWidget* MainWindow::makeEvaluation() {
  evaluation_ = new EvaluationRun(session_, *folder_, this);
  watchWork(evaluation_->worker());
  connect(this, &MainWindow::stopWanted, evaluation_, &EvaluationRun::stop);
  auto* panel = new EvaluationPanel(*evaluation_, this);
  connect(panel, &EvaluationPanel::exportWanted, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export the evaluation into a folder"));
    if (!folder.isEmpty()) exportEvaluation(folder, false);
  });
  connect(evaluation_, &EvaluationRun::exported, this, [this](const QString& folder) {
    statusBar()->showMessage(tr("Figures, curves and overlays written to %1").arg(folder), 12000);
  });
  connect(evaluation_, &EvaluationRun::wouldReplace, this,
          [this](const QString& folder, const QString& file) {
            QMessageBox box(QMessageBox::Warning, tr("Export the evaluation"),
                            tr("%1 is there already.").arg(file), QMessageBox::Cancel, this);
            box.setObjectName(QStringLiteral("replaceEvaluation"));
            box.setInformativeText(tr("Nothing was written. Replace what is there?"));
            const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
            box.setDefaultButton(QMessageBox::Cancel);
            box.exec();
            if (box.clickedButton() == replace) exportEvaluation(folder, true);
          });
  connect(panel, &EvaluationPanel::commandWanted, this, [this] {
    const EvaluationRequest& request = evaluation_->evaluatedRequest();
    const QString line =
        QString::fromStdString(evaluationCommand(request, fileRecipe(request.recipe).toStdString(), {}));
    QApplication::clipboard()->setText(line);
    statusBar()->showMessage(tr("Copied: %1").arg(line), 12000);
  });
  connect(panel, &EvaluationPanel::pictureWanted, this, &MainWindow::openEvaluated);
  connect(&session_, &Session::recipeChanged, evaluation_, [this] {
    TruthSpec truth = session_.state().truth;
    if (!judgedAt_ || truth.threshold != judgedAt_ || !evaluation_->outdated()) return;
    judgedAt_.reset();
    truth.threshold.reset();
    session_.setTruth(truth);
  });
  return panel;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const bool running = findChild<FolderRun*>()->busy();
  if (running || evaluation_->busy()) {
    QMessageBox box(QMessageBox::Warning, tr("Quit"),
                    running ? tr("A run over the folder is under way.") : tr("An evaluation is under way."),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("quitRunning"));
    box.setInformativeText(running ? tr("What is finished stays, and Start goes on with the rest later.")
                                   : tr("What it found so far is lost."));
    const QAbstractButton* quit = box.addButton(tr("Stop and quit"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != quit) return event->ignore();
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::addEvaluation(QMenu* menu) {
  addAction(menu, QStringLiteral("actionEvaluate"), tr("&Evaluate against manual vessels"),
            QKeySequence(tr("Ctrl+F6")),
            tr("Judge the responses of many pictures by what experts marked in them"), [this] {
              folder_->read();
              findChild<QAction*>(QStringLiteral("actionShow-evaluationDock"))->trigger();
            });
}

void MainWindow::exportEvaluation(const QString& folder, bool replace) {
  try {
    evaluation_->exportTo(folder, fileRecipe(evaluation_->evaluatedRequest().recipe), replace);
  } catch (const std::exception& error) {
    showProblem(sentenceOf(error), Work::Export, tr("Try again"),
                [this, folder, replace] { exportEvaluation(folder, replace); });
  }
}

void MainWindow::openEvaluated(int image) {
  const EvaluatedPtr evaluated = evaluation_->evaluated();
  const EvaluationReport::Image& from = evaluated->report.images[static_cast<std::size_t>(image)];
  Setup setup = session_.setup();
  setup.state.endAlone(QString::fromStdString(from.input));
  setup.state.setImage(QString::fromStdString(from.input), 0);
  setup.state.truth.file = QString::fromStdString(from.truth);
  setup.state.truth.shown = true;
  // Of other settings the threshold says nothing.
  setup.state.truth.threshold.reset();
  if (!evaluation_->outdated() && !evaluated->report.evaluation.images.empty())
    setup.state.truth.threshold = headless::overlayThreshold(*evaluated);
  judgedAt_ = setup.state.truth.threshold;
  setup.state.region = {};
  if (!from.fieldOfView.empty()) {
    setup.state.region.kind = RegionKind::File;
    setup.state.region.file = from.fieldOfView;
  }
  workflow_.takeUp(setup, [this] {
    // What was judged is the one map of all filters.
    if (session_.responseCount() < static_cast<int>(session_.planes().size()))
      session_.selectPlane(session_.responseCount());
    findChild<QDockWidget*>(QStringLiteral("truthDock"))->raise();
  });
}

QWidget* MainWindow::makeStrip() {
  connect(folder_, &Folder::passed, this, [this](const QString& name) {
    statusBar()->showMessage(tr("%1 cannot be read and was passed.").arg(name), 8000);
  });
  auto* strip = new FolderStrip(session_, workflow_, controller_, *folder_, this);
  connect(strip, &FolderStrip::runWanted, this,
          [this] { findChild<QAction*>(QStringLiteral("actionRunFolder"))->trigger(); });
  return strip;
}

void MainWindow::openBesides(int by) {
  if (workflow_.lastAsked().isEmpty()) return;
  folder_->step(by);
  if (folder_->files().empty())
    showProblem(tr("The folder of %1 is gone.").arg(workflow_.lastAsked()), Work::Open);
}

}  // namespace bankside::window
