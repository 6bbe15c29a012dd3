/// A against B: what is kept, and looking from one to the other.
#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QStatusBar>

#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/panels/compare_panel.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

QWidget* MainWindow::makeComparePanel() {
  auto* comparison = new PaneComparison(session_, this);
  watchWork(comparison->worker());
  connect(this, &MainWindow::stopWanted, comparison, &PaneComparison::stop);
  auto* panel = new ComparePanel(session_, *comparison, this);
  connect(panel, &ComparePanel::usedAgain, this, &MainWindow::useKeptAgain);
  connect(panel, &ComparePanel::told, this,
          [this](const QString& sentence) { statusBar()->showMessage(sentence, 8000); });
  connect(&session_, &Session::keptDropped, this, [this](const QString& title) {
    showProblem(tr("There is no more memory for kept results; the oldest, “%1”, was dropped.").arg(title), {},
                tr("Show the others"), [this] {
                  auto* dock = findChild<QDockWidget*>(QStringLiteral("compareDock"));
                  dock->show();
                  dock->raise();
                });
  });
  return panel;
}

void MainWindow::makeCompareActions(QMenu* menu) {
  // A key that no widget has a use for: it works wherever the focus is.
  blink_ =
      addAction(menu, QStringLiteral("actionBlink"), tr("&Blink"), Qt::Key_F8,
                tr("Show B in the place of A, and back"), [this] { canvas_->setBlink(blink_->isChecked()); });
  blink_->setCheckable(true);
  connect(canvas_, &Canvas::blinkWanted, blink_, [this](bool on) {
    blink_->setChecked(on);
    canvas_->setBlink(on);
  });
  addAction(
      menu, QStringLiteral("actionKeep"), tr("&Keep this result to compare"), QKeySequence(tr("Ctrl+K")),
      tr("Freeze what the pane shows, so that others can be held against it"), [this] { keepResult(); });
  makeBranchActions(menu);
}

void MainWindow::makeBranchActions(QMenu* menu) {
  struct Command {
    const char* name;
    QString title;
    QString keys;
    QString hint;
    void (*run)(Session& session, int pane, const Branch& branch);
  };
  const Command commands[] = {
      {"actionKeepRecipe", tr("Keep to this &recipe"), QStringLiteral("Ctrl+Shift+K"),
       tr("The pane goes on with its bank or recipe when another is chosen; again: it follows the panels"),
       [](Session& session, int pane, const Branch& branch) { session.keepRecipe(pane, !branch.recipe); }},
      {"actionKeepPicture",
       tr("Keep to this p&icture"),
       {},
       tr("The pane stays with its picture when another is opened; again: it follows the panels"),
       [](Session& session, int pane, const Branch& branch) {
         session.keepPicture(pane, branch.imagePath.isEmpty());
       }},
      {"actionEditBranch",
       tr("&Edit what the pane keeps to"),
       {},
       tr("The panels take it; the other panes keep to what they show now"),
       [](Session& session, int pane, const Branch&) { session.editBranch(pane); }}};
  for (const Command& command : commands) {
    addAction(menu, QLatin1String(command.name), command.title, QKeySequence(command.keys), command.hint,
              [this, run = command.run] {
                // Of the pane that has the focus, or else of the last one.
                const auto& panes = session_.state().panes;
                int pane = static_cast<int>(panes.size()) - 1;
                for (int i = 0; i < canvas_->visiblePanes(); ++i) {
                  if (canvas_->pane(i)->hasFocus()) pane = i;
                }
                const Branch branch = panes[static_cast<std::size_t>(pane)].branch;
                run(session_, pane, branch);
              });
  }
}

void MainWindow::keepResult() {
  // Of the pane that has the focus, unless it shows the input, which does not change; or else of the last one
  // that shows a finished result.
  int kept = 0;
  const auto& panes = session_.state().panes;
  for (int i = 0; i < canvas_->visiblePanes() && kept == 0; ++i) {
    const bool input = panes[static_cast<std::size_t>(i)].layer == Layer::Input;
    if (canvas_->pane(i)->hasFocus() && !input) kept = session_.keepResult(i);
  }
  for (int i = static_cast<int>(panes.size()) - 1; i >= 0 && kept == 0; --i) {
    if (panes[static_cast<std::size_t>(i)].layer != Layer::Input) kept = session_.keepResult(i);
  }
  if (kept == 0) return showProblem(tr("No pane shows a finished result that could be kept."), Work::Compute);
  auto* dock = findChild<QDockWidget*>(QStringLiteral("compareDock"));
  dock->show();
  dock->raise();
  statusBar()->showMessage(
      tr("Kept as “%1”; every pane can show it.").arg(session_.titleOf({Layer::Kept, kept})), 8000);
}

void MainWindow::useKeptAgain(int number) {
  const KeptResult* kept = session_.kept().find(number);
  if (kept == nullptr) return;
  // Picture, bank and settings are its own; what panes show and how stays.
  Setup setup = kept->from;
  const SessionState& now = session_.state();
  setup.state.panes = now.panes;
  for (PaneSpec& pane : setup.state.panes) {
    if (pane.layer != Layer::Kept) pane.index = -1;  // numbers of another bank's planes
  }
  setup.state.compared = now.compared;
  setup.state.mode = now.mode;
  setup.state.levels = now.levels;
  workflow_.takeUp(setup);
}

}  // namespace bankside::window
