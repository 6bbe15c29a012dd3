/// The folder of the open picture: its images one after another, and a run over all of them.
#include <QMenu>
#include <QStatusBar>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/panels/folder_run_dialog.h"
#include "gui/window/panels/folder_strip.h"
#include "gui/window/session/travelling_recipe.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

void MainWindow::addFolderRun(QMenu* menu) {
  auto* run = new FolderRun(session_, *folder_, this);
  watchWork(run->worker());
  auto* dialog = new FolderRunDialog(session_, *folder_, *run, this);
  connect(dialog, &FolderRunDialog::runWanted, this, [this, run](bool replace) {
    const TruthSpec& truth = session_.state().truth;
    run->setThreshold(truth.file.isEmpty() ? std::nullopt : truth.threshold);
    try {
      run->start(travellingRecipe(session_.setup(), false), replace);
    } catch (const std::exception& error) {
      showProblem(sentenceOf(error));
    }
  });
  addAction(menu, QStringLiteral("actionRunFolder"), tr("Run over &folder…"), QKeySequence(tr("Ctrl+F5")),
            tr("Filter every picture of the folder, measure the results and score them"), [this, dialog] {
              folder_->read();
              dialog->show();
              dialog->raise();
              dialog->activateWindow();
            });
  connect(run, &FolderRun::changed, this, [this, run] {
    if (run->state() == FolderRun::State::Done)
      statusBar()->showMessage(tr("The run over the folder is done: %1").arg(run->output()), 12000);
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
