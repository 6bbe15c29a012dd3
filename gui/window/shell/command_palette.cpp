#include "gui/window/shell/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace bankside::window {
namespace {

constexpr int keysRole = Qt::UserRole + 1;

/// The keys stand in a column of their own, at the right.
class CommandDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    painter->setPen(
        option.palette.color(enabled ? QPalette::Active : QPalette::Disabled,
                             selected && enabled ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(keysRole).toString());
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 6);
  }
};

}  // namespace

int fuzzyDistance(const QString& text, const QString& title) {
  int distance = 0;
  int at = -1;
  for (const QChar letter : text) {
    if (letter.isSpace()) continue;
    const int next = static_cast<int>(title.indexOf(letter, at + 1, Qt::CaseInsensitive));
    if (next < 0) return -1;
    const bool wordStart = next == 0 || title[next - 1].isSpace();
    distance += at < 0 ? (wordStart ? 0 : 4 + next) : next - at - 1 - (wordStart ? next - at - 1 : 0);
    at = next;
  }
  return distance;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), actions_(actions) {
  setObjectName(QStringLiteral("commandPalette"));
  setWindowTitle(tr("Commands"));
  resize(520, 420);
  text_ = new QLineEdit(this);
  text_->setObjectName(QStringLiteral("paletteText"));
  text_->setPlaceholderText(tr("A few letters of a command, parameter, bank, recipe or picture"));
  text_->setAccessibleName(tr("Command to look for"));
  text_->setClearButtonEnabled(true);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("paletteList"));
  list_->setAccessibleName(tr("Commands"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setItemDelegate(new CommandDelegate(list_));
  nothing_ = new QLabel(this);
  nothing_->setObjectName(QStringLiteral("paletteNothing"));
  nothing_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  nothing_->setTextFormat(Qt::PlainText);
  nothing_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(text_);
  column->addWidget(nothing_, 1);
  column->addWidget(list_, 1);
  text_->installEventFilter(this);
  connect(text_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(text_, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(list_, &QListWidget::itemActivated, this, &CommandPalette::run);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
  filter({});
}

void CommandPalette::filter(const QString& text) {
  std::vector<std::pair<int, int>> hits;
  for (int i = 0; i < actions_.size(); ++i) {
    const int distance = fuzzyDistance(text, actions_[i]->text().remove(QLatin1Char('&')));
    if (distance >= 0) hits.emplace_back(distance, i);
  }
  std::stable_sort(hits.begin(), hits.end());
  list_->clear();
  for (const auto& [distance, i] : hits) {
    const QAction* action = actions_[i];
    auto* item = new QListWidgetItem(action->text().remove(QLatin1Char('&')), list_);
    item->setData(Qt::UserRole, i);
    item->setData(keysRole, action->shortcut().toString(QKeySequence::NativeText));
    item->setToolTip(action->toolTip());
    if (!action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
  }
  const bool any = list_->count() > 0;
  if (any) list_->setCurrentRow(0);
  nothing_->setText(
      tr("Nothing found for “%1”. The letters must stand in a name in this order; fewer of them find "
         "more, and “bank”, “recipe” or “picture” list all of a kind.")
          .arg(text));
  nothing_->setVisible(!any);
  list_->setVisible(any);
}

void CommandPalette::run() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr || !(item->flags() & Qt::ItemIsEnabled)) return;
  QAction* action = actions_[item->data(Qt::UserRole).toInt()];
  accept();
  // After the dialog is gone: the action may open one of its own.
  QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      const int rows = list_->count();
      if (rows > 0) list_->setCurrentRow((list_->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace bankside::window
