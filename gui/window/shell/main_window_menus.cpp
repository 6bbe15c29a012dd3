#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>

#include "gui/window/canvas/canvas.h"
#include "gui/window/compute/assets.h"
#include "gui/window/panels/bank_panel.h"
#include "gui/window/panels/timing_panel.h"
#include "gui/window/shell/appearance.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

QAction* MainWindow::addAction(QMenu* menu, const QString& name, const QString& title,
                               const QKeySequence& keys, const QString& hint, std::function<void()> run) {
  auto* action = new QAction(title, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  QString tip = hint;
  if (!keys.isEmpty()) tip += QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText));
  action->setToolTip(tip);
  action->setStatusTip(hint);
  connect(action, &QAction::triggered, this, std::move(run));
  menu->addAction(action);
  return action;
}

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  addHistoryDock();
  makeViewMenu();
  findChild<QDockWidget*>(QStringLiteral("bankDock"))->raise();
  makeRegionMenu();

  QMenu* run = menuBar()->addMenu(tr("&Run"));
  addAction(run, QStringLiteral("actionMeasure"), tr("&Measure"), Qt::Key_F5,
            tr("Verify every engine, then time them side by side"), [this] {
              auto* dock = findChild<QDockWidget*>(QStringLiteral("timingDock"));
              dock->show();
              dock->raise();
              constexpr int someRows = 240;  // a table of a single row says nothing
              if (dock->height() < someRows) resizeDocks({dock}, {someRows}, Qt::Vertical);
              timing_->measure();
            });
  addFolderRun(run);
  addEvaluation(run);
  cancel_ = addAction(run, QStringLiteral("actionCancel"), tr("&Cancel"), Qt::Key_Escape,
                      tr("Stop what is being computed"), [this] {
                        workflow_.cancel();
                        Q_EMIT stopWanted();
                      });
  cancel_->setEnabled(false);
  run->addSeparator();
  const auto step = [this](int by) {
    const int count = static_cast<int>(session_.planes().size());
    if (count > 0) session_.selectPlane((session_.state().selectedPlane + by + count) % count);
  };
  addAction(run, QStringLiteral("actionNextFilter"), tr("&Next filter"), Qt::Key_PageDown,
            tr("Show the next filter of the bank"), [step] { step(1); });
  addAction(run, QStringLiteral("actionPreviousFilter"), tr("&Previous filter"), Qt::Key_PageUp,
            tr("Show the filter before"), [step] { step(-1); });

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  addAction(help, QStringLiteral("actionGuide"), tr("&Getting started"), QKeySequence::HelpContents,
            tr("How to begin, and where the documentation is"), [this] { showGuide(0); });
  addAction(help, QStringLiteral("actionKeys"), tr("&Keyboard"), {},
            tr("All keys of the menus and the panes"), [this] { showGuide(1); });
  addAction(help, QStringLiteral("actionPalette"), tr("&All commands…"), QKeySequence(tr("Ctrl+Shift+P")),
            tr("Find commands, parameters, banks, recipes and pictures by a few letters"),
            [this] { showPalette(); });
  addAction(help, QStringLiteral("actionAbout"), tr("A&bout Bankside"), {},
            tr("Versions, engines and licence"), [this] { showAbout(); });
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  addAction(file, QStringLiteral("actionOpen"), tr("&Open…"), QKeySequence::Open, tr("Open an image"),
            [this] { chooseImage(); });
  addAction(file, QStringLiteral("actionOpenFolder"), tr("Open a &folder…"), QKeySequence(tr("Ctrl+Shift+D")),
            tr("Open the first picture of a folder; Alt+Right is the next one"), [this] { chooseFolder(); });
  addAction(file, QStringLiteral("actionSample"), tr("Sample p&hotograph"), {},
            tr("The fundus photograph that comes with the program, and the recipe that finds its vessels"),
            [this] { showSample(); });
  addAction(file, QStringLiteral("actionStartPage"), tr("Start p&age"), {},
            tr("Close the picture: what can be opened, and the sample with recipes of three kinds"),
            [this] { showStartPage(); });
  recent_ = file->addMenu(tr("Open &recent"));
  recent_->setObjectName(QStringLiteral("recentMenu"));
  pages_ = file->addMenu(tr("Pa&ge"));
  pages_->setObjectName(QStringLiteral("pageMenu"));
  connect(pages_, &QMenu::aboutToShow, this, [this] {
    pages_->clear();
    if (!session_.picture()) return;
    for (int i = 0; i < session_.picture()->info.pages; ++i) {
      QAction* action = pages_->addAction(tr("Page %1").arg(i + 1));
      action->setCheckable(true);
      action->setChecked(i == session_.state().page);
      connect(action, &QAction::triggered, this,
              [this, i] { workflow_.open(session_.state().imagePath, i); });
    }
  });
  addAction(file, QStringLiteral("actionNextImage"), tr("Ne&xt image"), QKeySequence(tr("Alt+Right")),
            tr("Open the next image of the folder"), [this] { openBesides(1); });
  addAction(file, QStringLiteral("actionPreviousImage"), tr("Pre&vious image"), QKeySequence(tr("Alt+Left")),
            tr("Open the image before in the folder"), [this] { openBesides(-1); });
  const auto turn = [this](int by) {
    if (!session_.picture()) return;
    const int page = session_.state().page + by;
    if (page >= 0 && page < session_.picture()->info.pages) workflow_.open(session_.state().imagePath, page);
  };
  addAction(file, QStringLiteral("actionNextPage"), tr("Next page"), QKeySequence(tr("Ctrl+PgDown")),
            tr("Show the next page of the file"), [turn] { turn(1); });
  addAction(file, QStringLiteral("actionPreviousPage"), tr("Previous page"), QKeySequence(tr("Ctrl+PgUp")),
            tr("Show the page before"), [turn] { turn(-1); });
  addAction(file, QStringLiteral("actionReload"), tr("Re&load"), QKeySequence(tr("Ctrl+R")),
            tr("Read the file again"), [this] { workflow_.reload(); });
  file->addSeparator();
  addAction(file, QStringLiteral("actionOpenBank"), tr("Open &bank…"), {},
            tr("Take the filters from a bank file"), [this] { bank_->askForBankToOpen(); });
  addAction(file, QStringLiteral("actionSaveBank"), tr("Save ba&nk…"), {},
            tr("Write the filters as a bank file"), [this] { bank_->askWhereToSave(); });
  addAction(file, QStringLiteral("actionOpenRecipe"), tr("Open rec&ipe…"), {},
            tr("Take all settings from a recipe"), [this] { chooseRecipe(); });
  QMenu* recipes = file->addMenu(tr("Recipes that come &with it"));
  recipes->setToolTipsVisible(true);
  for (const RecipeFile& recipe : recipeFiles()) {
    QAction* action = recipes->addAction(QFileInfo(recipe.path).completeBaseName());
    action->setObjectName(QStringLiteral("actionRecipe-") + action->text());
    action->setToolTip(recipe.title);
    action->setStatusTip(recipe.title);
    connect(action, &QAction::triggered, this, [this, path = recipe.path] { takeRecipe(path); });
  }
  recipes->setEnabled(!recipes->isEmpty());
  addAction(file, QStringLiteral("actionSaveRecipe"), tr("&Save recipe…"), QKeySequence::Save,
            tr("Write all settings as a file that this window and the command line run"),
            [this] { saveRecipe(); });
  addAction(file, QStringLiteral("actionCopyCommand"), tr("&Copy as command"),
            QKeySequence(tr("Ctrl+Shift+C")),
            tr("Copy the command that computes what is shown, for a terminal or a script"),
            [this] { copyCommand(); });
  addAction(file, QStringLiteral("actionCopyMeasurement"), tr("Copy &measurement as command"), {},
            tr("Copy the command that measures the same engines in the same way"),
            [this] { copyMeasurement(); });
  file->addSeparator();
  addAction(file, QStringLiteral("actionExport"), tr("&Export responses…"), QKeySequence(tr("Ctrl+E")),
            tr("Write the responses as files, with the bytes that the command line gives"),
            [this] { exportResponses(); });
  addAction(file, QStringLiteral("actionSavePicture"), tr("Save side-by-side &picture…"), {},
            tr("Write the panes as they are shown as a PNG picture"), [this] { savePicture(); });
  addAction(file, QStringLiteral("actionSaveReport"), tr("Save &timing report…"), {},
            tr("Write the last measurement as JSON, CSV or Markdown"), [this] { saveReport(); });
  file->addSeparator();
  addAction(file, QStringLiteral("actionQuit"), tr("&Quit"), QKeySequence(tr("Ctrl+Q")),
            tr("Close the window"), [this] { close(); });
}

void MainWindow::makeViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  addAction(view, QStringLiteral("actionFit"), tr("&Fit"), QKeySequence(tr("Ctrl+0")),
            tr("Show the whole image"), [this] { canvas_->fit(); });
  addAction(view, QStringLiteral("actionFullSize"), tr("100 &%"), QKeySequence(tr("Ctrl+1")),
            tr("One screen pixel an image pixel"), [this] { canvas_->zoomTo(1.0 / devicePixelRatioF()); });
  addAction(view, QStringLiteral("actionZoomIn"), tr("Zoom in"), QKeySequence::ZoomIn, tr("Larger"), [this] {
    canvas_->zoomBy(1.25);
  })->setIconText(QStringLiteral("+"));
  addAction(view, QStringLiteral("actionZoomOut"), tr("Zoom out"), QKeySequence::ZoomOut, tr("Smaller"),
            [this] { canvas_->zoomBy(0.8); })
      ->setIconText(QStringLiteral("−"));
  view->addSeparator();
  layouts_ = new QActionGroup(this);
  for (int panes = 1; panes <= mostPanes; ++panes) {
    QAction* action = addAction(view, QStringLiteral("actionPanes%1").arg(panes), tr("%n pane(s)", "", panes),
                                QKeySequence(QStringLiteral("Alt+%1").arg(panes)),
                                tr("Show so many panes at once"), [this, panes] { layOut(panes); });
    action->setText(panes == 1 ? tr("1 pane") : tr("%1 panes").arg(panes));
    action->setIconText(QString::number(panes));
    action->setCheckable(true);
    action->setData(panes);
    layouts_->addAction(action);
  }
  layouts_->setExclusive(false);
  swipe_ = addAction(
      view, QStringLiteral("actionSwipe"), tr("&Swipe"), QKeySequence(tr("Ctrl+T")),
      tr("The two that are compared in one pane, parted by a line to drag; hold space to blink between them"),
      [this] {
        session_.setMode(session_.state().mode == CanvasMode::Swipe ? CanvasMode::Grid : CanvasMode::Swipe);
      });
  swipe_->setCheckable(true);
  makeCompareActions(view);
  makeInputActions(view);
  view->addSeparator();
  QMenu* appearance = view->addMenu(tr("&Appearance"));
  auto* choices = new QActionGroup(this);
  const std::pair<Appearance, QString> titles[] = {{Appearance::System, tr("Colours of the desktop")},
                                                   {Appearance::Light, tr("Light colours")},
                                                   {Appearance::Dark, tr("Dark colours")}};
  for (const auto& [choice, title] : titles) {
    QAction* action = addAction(appearance, QStringLiteral("actionAppearance-") + toString(choice), title, {},
                                tr("Colours of the window; images keep theirs"),
                                [choice = choice] { applyAppearance(choice); });
    action->setCheckable(true);
    action->setChecked(choice == currentAppearance());
    choices->addAction(action);
  }
  QMenu* hidden = view->addMenu(tr("&Panels"));
  view->addSeparator();
  int number = 0;
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    hidden->addAction(dock->toggleViewAction());
    const QKeySequence keys(++number > 10 ? QString() : QStringLiteral("Ctrl+Alt+%1").arg(number % 10));
    addAction(view, QStringLiteral("actionShow-") + dock->objectName(),
              tr("Go to %1").arg(dock->windowTitle()), keys,
              tr("Bring the panel to the front, for the keyboard too"), [this, dock] {
                const bool first = dock->isHidden();
                dock->show();
                // It is a form, a table and a curve: as high as they need, if there is that much.
                if (first && dock->objectName() == QLatin1String("evaluationDock"))
                  resizeDocks({dock}, {height() * 37 / 100}, Qt::Vertical);
                dock->raise();
                for (QWidget* child : dock->widget()->findChildren<QWidget*>()) {
                  if (!child->isVisible() || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus))
                    continue;
                  return child->setFocus(Qt::ShortcutFocusReason);
                }
                dock->widget()->setFocus(Qt::ShortcutFocusReason);
              });
  }
}

void MainWindow::makeInputActions(QMenu* menu) {
  constexpr double half = 0.5;
  QAction* colors = addAction(
      menu, QStringLiteral("actionColors"), tr("Input in c&olour"), QKeySequence(tr("Ctrl+Shift+O")),
      tr("Show the photograph in its colours; what is filtered stays the channel chosen"),
      [this] { session_.setColors(!session_.state().colors); });
  QAction* over = addAction(
      menu, QStringLiteral("actionOverlay"), tr("&Response over the input"), QKeySequence(tr("Ctrl+Shift+L")),
      tr("Lay the selected response over the input; its opacity is in the Levels panel"),
      [this] { session_.setOverlay(session_.state().overlay > 0 ? 0 : half); });
  colors->setCheckable(true);
  over->setCheckable(true);
  const auto read = [this, colors, over] {
    colors->setChecked(session_.state().colors);
    over->setChecked(session_.state().overlay > 0);
  };
  connect(&session_, &Session::panesChanged, colors, read);
  read();
}

void MainWindow::rebuildRecent() {
  recent_->clear();
  for (const QString& path : session_.state().recent) {
    QAction* action = recent_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    action->setStatusTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
  }
  recent_->setEnabled(!recent_->isEmpty());
  if (recent_->isEmpty()) return;
  recent_->addSeparator();
  connect(recent_->addAction(tr("Forget these")), &QAction::triggered, this,
          [this] { session_.clearRecent(); });
}

}  // namespace bankside::window
