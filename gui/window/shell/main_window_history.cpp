/// Undo, redo, and the list of what was done.
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QSlider>

#include "gui/window/canvas/canvas.h"
#include "gui/window/panels/bank_panel.h"
#include "gui/window/panels/history_panel.h"
#include "gui/window/session/history.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

void MainWindow::makeEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = addAction(edit, QStringLiteral("actionUndo"), tr("&Undo"), QKeySequence::Undo,
                            tr("Take back what was done last"), [this] { history_->undo(); });
  QAction* redo = addAction(edit, QStringLiteral("actionRedo"), tr("&Redo"), QKeySequence::Redo,
                            tr("Do again what was taken back"), [this] { history_->redo(); });
  // Platforms disagree about Redo; both of its usual keys work on all of them.
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  bank_->undoElsewhere({undo, redo});
  const auto read = [this, undo, redo] {
    undo->setEnabled(history_->canUndo());
    redo->setEnabled(history_->canRedo());
  };
  connect(history_, &History::changed, undo, read);
  read();
  // A drag that draws a region is an action of its own.
  connect(canvas_, &Canvas::drawingEnded, history_, &History::endAction);
  qApp->installEventFilter(this);
}

void MainWindow::addHistoryDock() {
  auto* panel = new HistoryPanel(
      *history_,
      {findChild<QAction*>(QStringLiteral("actionUndo")), findChild<QAction*>(QStringLiteral("actionRedo")),
       findChild<QAction*>(QStringLiteral("actionSaveRecipe"))},
      this);
  auto* dock = new QDockWidget(tr("History"), this);
  dock->setObjectName(QStringLiteral("historyDock"));
  dock->setWidget(panel);
  tabifyDockWidget(findChild<QDockWidget*>(QStringLiteral("exportDock")), dock);
}

namespace {

/// Whether Page up and Page down move something in it.
bool turnsPages(const QObject* widget) {
  return qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QAbstractScrollArea*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr;
}

/// Fields that a wheel turns.
bool turnsByWheel(const QWidget* widget) {
  return qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr || qobject_cast<const QSlider*>(widget) != nullptr;
}

/// Keys that move in a line of text on some platforms, and that menus of the window name.
bool isOfMenus(const QKeyEvent& key) {
  return key.modifiers() == Qt::ControlModifier && (key.key() == Qt::Key_E || key.key() == Qt::Key_K);
}

}  // namespace

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // The wheel rolls a panel; it sets what somebody went to, not what lies under it by chance.
  if (event->type() == QEvent::Polish || event->type() == QEvent::Wheel) {
    auto* field = qobject_cast<QWidget*>(watched);
    if (field != nullptr && turnsByWheel(field)) {
      if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
      if (event->type() == QEvent::Wheel && !field->hasFocus()) {
        event->ignore();
        return true;
      }
    }
  }
  if (event->type() == QEvent::ShortcutOverride) {
    // Text fields keep undo for what is typed in them; where nothing is, it is the window's.
    const auto* key = static_cast<QKeyEvent*>(event);
    auto* line = qobject_cast<QLineEdit*>(watched);
    if (line == nullptr && watched->isWidgetType()) line = watched->findChild<QLineEdit*>();
    const bool undo = key->matches(QKeySequence::Undo) && line != nullptr && !line->isUndoAvailable();
    const bool redo = key->matches(QKeySequence::Redo) && line != nullptr && !line->isRedoAvailable();
    if (undo || redo || isOfMenus(*key)) {
      event->ignore();
      return true;
    }
    const bool page = key->key() == Qt::Key_PageDown || key->key() == Qt::Key_PageUp;
    if (page && key->modifiers() == Qt::NoModifier && turnsPages(watched)) {
      event->accept();  // elsewhere they turn to the next filter
      return true;
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace bankside::window
