#include "gui/window/panels/tap_window.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QTableView>
#include <QVBoxLayout>

namespace bankside::window {

TapWindow::TapWindow(QWidget* taps, QTableView* table, QVBoxLayout* home, QWidget* parent)
    : QDialog(parent), taps_(taps), table_(table), home_(home) {
  setObjectName("tapWindow");
  setWindowTitle(tr("Taps"));
  setLayout(new QVBoxLayout);
  action_ = new QAction(tr("Enlarge"), this);
  action_->setObjectName("enlargeTaps");
  action_->setToolTip(tr("Show the taps in a window of their own; Escape brings them back"));
  action_->setCheckable(true);
  gone_ = new QWidget(parent);
  auto* column = new QVBoxLayout(gone_);
  auto* where = new QLabel(tr("The taps are in a window of their own."), gone_);
  where->setWordWrap(true);
  auto* back = new QPushButton(tr("Bring them back"), gone_);
  back->setObjectName("tapsBack");
  column->addWidget(where);
  column->addWidget(back, 0, Qt::AlignLeft);
  column->addStretch(1);
  gone_->hide();
  connect(action_, &QAction::toggled, this, &TapWindow::letOut);
  connect(back, &QPushButton::clicked, action_, [this] { action_->setChecked(false); });
  connect(this, &QDialog::finished, action_, [this] { action_->setChecked(false); });
}

void TapWindow::letOut(bool out) {
  QWidget* const goes = out ? taps_ : gone_;
  QWidget* const comes = out ? gone_ : taps_;
  const int place = home_->indexOf(goes);
  home_->removeWidget(goes);
  home_->insertWidget(place, comes, 1);
  gone_->setVisible(out);
  if (!out) {
    taps_->show();
    hide();
    return;
  }
  layout()->addWidget(taps_);
  const QSize around(table_->verticalHeader()->sizeHint().width() + 48,
                     table_->horizontalHeader()->sizeHint().height() + 110);
  const QSize all(table_->horizontalHeader()->length(), table_->verticalHeader()->length());
  resize((all + around).expandedTo({420, 320}).boundedTo(screen()->availableSize() * 0.95));
  taps_->show();
  show();
  table_->setFocus();
}

}  // namespace bankside::window
