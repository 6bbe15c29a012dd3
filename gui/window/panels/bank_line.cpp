#include "gui/window/panels/bank_line.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "filters/catalog.h"

namespace bankside::window {

BankLine::BankLine(Session& session, Workflow& workflow, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow) {
  spec_ = new QComboBox(this);
  spec_->setObjectName(QStringLiteral("bankSpec"));
  spec_->setAccessibleName(tr("Filter bank"));
  spec_->setEditable(true);
  spec_->setInsertPolicy(QComboBox::NoInsert);
  spec_->setToolTip(
      tr("A bank of the catalogue, with parameters like vessel-matched:sigma=2, or a bank file"));
  for (const CatalogEntry& entry : catalog()) {
    spec_->addItem(QString::fromStdString(entry.name));
    spec_->setItemData(spec_->count() - 1, QString::fromStdString(entry.title), Qt::ToolTipRole);
  }
  title_ = new QLabel(this);
  title_->setObjectName(QStringLiteral("bankTitle"));
  title_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(spec_);
  column->addWidget(title_);
  connect(spec_, &QComboBox::activated, this, [this] { workflow_.chooseBank(spec_->currentText()); });
  connect(spec_->lineEdit(), &QLineEdit::returnPressed, this,
          [this] { workflow_.chooseBank(spec_->currentText()); });
  connect(&session_, &Session::bankChanged, this, &BankLine::readSession);
  readSession();
}

void BankLine::readSession() {
  if (!session_.bank()) return;
  spec_->setEditText(QString::fromStdString(session_.recipe().stages.front().bank));
  title_->setText(tr("%1. %n filter(s).", "", session_.bank()->size())
                      .arg(QString::fromStdString(session_.bank()->info().title)));
  title_->setToolTip(QString::fromStdString(session_.bank()->info().citation));
}

}  // namespace bankside::window
