#include "gui/window/panels/history_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace bankside::window {

HistoryPanel::HistoryPanel(History& history, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), history_(history) {
  setObjectName(QStringLiteral("historyPanel"));
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("historyList"));
  list_->setAccessibleName(tr("What was done"));
  list_->setToolTip(tr("A click goes back, or forth again, to after that step"));
  auto* row = new QHBoxLayout;
  for (QAction* action : actions) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(button);
  }
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addWidget(list_, 1);
  column->addLayout(row);
  connect(list_, &QListWidget::itemClicked, this, [this] { history_.goTo(list_->currentRow()); });
  connect(list_, &QListWidget::itemActivated, this, [this] { history_.goTo(list_->currentRow()); });
  connect(&history_, &History::changed, this, &HistoryPanel::read);
  read();
}

void HistoryPanel::read() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  int number = 0;
  for (const History::Step& step : history_.steps()) {
    auto* item = new QListWidgetItem(step.title, list_);
    // What was taken back is there, and greyed, until something else is done.
    if (number++ > history_.present()) item->setForeground(palette().color(QPalette::PlaceholderText));
  }
  list_->setCurrentRow(history_.present());
  list_->scrollToItem(list_->currentItem());
}

}  // namespace bankside::window
