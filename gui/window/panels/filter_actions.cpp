#include "gui/window/panels/filter_actions.h"

#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/error.h"
#include "core/text.h"
#include "gui/window/canvas/menu_button.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/models/bank_edit.h"
#include "gui/window/models/filter_table_model.h"
#include "gui/window/models/tap_text.h"
#include "gui/window/panels/bank_document.h"
#include "gui/window/panels/tap_grid_view.h"

namespace bankside::window {

FilterActions::FilterActions(BankDocument& document, FilterTableModel& model, TapGridView& view,
                             QWidget* scope)
    : QObject(scope), document_(document), model_(model), view_(view), scope_(scope) {
  QUndoStack& stack = document_.history();
  QAction* undo = add(tr("Undo"), "undo", tr("Take back the last change"), QKeySequence::Undo,
                      [&stack] { stack.undo(); });
  QAction* redo =
      add(tr("Redo"), "redo", tr("Make the change again"), QKeySequence::Redo, [&stack] { stack.redo(); });
  // Platforms disagree about Redo; both of its usual keys work on all of them.
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  undo->setEnabled(stack.canUndo());
  redo->setEnabled(stack.canRedo());
  connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  history_ = {undo, redo};
  clipboard_ = {add(tr("Copy"), "copyTaps", tr("Copies the selected taps as a spreadsheet takes them"),
                    QKeySequence::Copy, [this] { copy(); }),
                add(tr("Paste"), "pasteTaps",
                    tr("Pastes rows of numbers at the current cell; the filter grows if they need more room"),
                    QKeySequence::Paste, [this] { paste(); }),
                add(tr("Replace by clipboard"), "replaceByClipboard",
                    tr("Makes the whole filter what the clipboard holds, with the anchor in the middle"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V), [this] { pasteAll(); })};
  cells_ = {
      add(tr("Fill with the current tap"), "fillTaps",
          tr("Sets every selected tap to the current cell's value"), QKeySequence(Qt::CTRL | Qt::Key_D),
          [this] { fill(); }),
      add(tr("Set to zero"), "zeroTaps", tr("Sets every selected tap to 0"), QKeySequence(Qt::Key_Delete),
          [this] {
            const QRect cells = view_.selectedCells();
            if (cells.isNull()) return;
            const auto count = static_cast<std::size_t>(cells.width()) * cells.height();
            const TapBlock zeros{cells.height(), cells.width(), std::vector<float>(count)};
            change(tr("Set to zero"), [&](const Filter& f) {
              return withBlock(f, model_.channel(), cells.top(), cells.left(), zeros);
            });
          }),
      add(tr("Make this the anchor"), "setAnchor",
          tr("The current cell becomes the tap that lies on the output pixel"),
          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H), [this] { setAnchor(); })};
  normalise_ = {addChange(tr("Sum to 1"), "unitSum", tr("Divides every tap by the sum of all"), withUnitSum),
                addChange(tr("Zero mean"), "zeroMean", tr("Takes the mean from every tap"), withZeroMean)};
  turn_ = {addChange(tr("Transpose"), "transpose", tr("Rows become columns"), transposed),
           addChange(tr("Rotate by 180°"), "rotate180",
                     tr("Half a turn, anchor and all: correlation becomes convolution"), halfTurned),
           addChange(tr("Mirror left-right"), "mirrorLeftRight", tr("Reverses every row"), mirroredLeftRight),
           addChange(tr("Mirror top-bottom"), "mirrorTopBottom", tr("Reverses the order of the rows"),
                     mirroredTopBottom)};
}

QWidget* FilterActions::makeToolBars(QAction* last, QWidget* parent) const {
  auto* bars = new QWidget(parent);
  auto* column = new QVBoxLayout(bars);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  QToolBar* bar = nullptr;
  const auto row = [&](const QString& name) {
    bar = new QToolBar(bars);
    bar->setObjectName(name);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    column->addWidget(bar);
  };
  const auto menu = [&](const QString& text, const QString& name, const QList<QAction*>& actions) {
    auto* button = new MenuButton(text, bar);
    button->setObjectName(name);
    button->setFocusPolicy(Qt::TabFocus);
    auto* list = new QMenu(button);
    list->setToolTipsVisible(true);
    list->addActions(actions);
    button->setMenu(list);
    bar->addWidget(button);
  };
  row("filterToolBar");
  bar->addActions(history_);
  bar->addAction(last);
  row("filterMenus");
  menu(tr("Clipboard"), "clipboardMenu", clipboard_);
  menu(tr("Taps"), "tapsMenu", cells_);
  auto* line = new QAction(bars);
  line->setSeparator(true);
  menu(tr("Filter"), "filterMenu", normalise_ + QList<QAction*>{line} + turn_);
  return bars;
}

QAction* FilterActions::add(const QString& text, const QString& name, const QString& tip,
                            const QKeySequence& keys, std::function<void()> run) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  // Shortcuts of single keys and of the clipboard belong to the table, not to the text fields beside it.
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(keys.isEmpty() ? tip : tip + " (" + keys.toString(QKeySequence::NativeText) + ")");
  connect(action, &QAction::triggered, this, std::move(run));
  const bool wide = name == "undo" || name == "redo";
  (wide ? scope_ : static_cast<QWidget*>(&view_))->addAction(action);
  return action;
}

QAction* FilterActions::addChange(const QString& text, const QString& name, const QString& tip,
                                  Change change) {
  return add(text, name, tip, {}, [this, text, change = std::move(change)] { this->change(text, change); });
}

void FilterActions::change(const QString& what, const Change& change) {
  if (document_.bank().size() == 0) return;
  try {
    const Filter result = change(document_.selectedFilter());
    if (document_.replaceSelected(result, what)) emit done({});
  } catch (const Error& error) {
    emit refused(sentenceOf(error));
  }
}

void FilterActions::copy() {
  const QRect cells = view_.selectedCells();
  if (cells.isNull()) return;
  const TapBlock block =
      blockOf(model_.filter(), model_.channel(), cells.top(), cells.left(), cells.height(), cells.width());
  QGuiApplication::clipboard()->setText(QString::fromStdString(formatTapText(block)));
  emit done(tr("Copied %1 × %2 taps").arg(block.rows).arg(block.columns));
}

void FilterActions::paste() {
  const QRect cells = view_.selectedCells();
  const QPoint corner = cells.isNull() ? QPoint(0, 0) : cells.topLeft();
  QString note;
  change(tr("Paste"), [&](const Filter& f) {
    const TapBlock block = parseTapText(clipboardText().toStdString());
    Filter result = withBlock(f, model_.channel(), corner.y(), corner.x(), block);
    note = tr("Pasted %1 × %2 taps").arg(block.rows).arg(block.columns);
    if (result.height != f.height || result.width != f.width)
      note += tr("; the filter grew to %1 × %2").arg(result.height).arg(result.width);
    return result;
  });
  if (!note.isEmpty()) emit done(note);
}

void FilterActions::pasteAll() {
  change(tr("Replace by clipboard"), [&](const Filter& f) {
    return replacedByBlock(f, model_.channel(), parseTapText(clipboardText().toStdString()));
  });
}

void FilterActions::fill() {
  const QRect cells = view_.selectedCells();
  const QModelIndex current = view_.currentIndex();
  if (cells.isNull() || !current.isValid()) return;
  const float tap = model_.filter().tap(model_.channel(), current.row(), current.column());
  const auto count = static_cast<std::size_t>(cells.width()) * cells.height();
  const TapBlock block{cells.height(), cells.width(), std::vector<float>(count, tap)};
  change(tr("Fill"),
         [&](const Filter& f) { return withBlock(f, model_.channel(), cells.top(), cells.left(), block); });
}

void FilterActions::setAnchor() {
  const QModelIndex current = view_.currentIndex();
  if (!current.isValid()) return;
  change(tr("Set the anchor"), [&](Filter f) {
    f.anchorX = current.column();
    f.anchorY = current.row();
    return f;
  });
}

QString FilterActions::clipboardText() const { return QGuiApplication::clipboard()->text(); }

}  // namespace bankside::window
