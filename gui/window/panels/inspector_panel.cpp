#include "gui/window/panels/inspector_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/panels/small_font.h"

namespace bankside::window {
namespace {

/// More panes and channels are scrolled.
constexpr int mostValues = 8;

}  // namespace

InspectorPanel::InspectorPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("inspectorPanel"));
  model_ = new InspectorModel(session, this);
  const auto spin = [this](const QString& name, const QString& title) {
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAccessibleName(title);
    box->setKeyboardTracking(false);
    return box;
  };
  x_ = spin(QStringLiteral("pixelX"), tr("Column of the pixel"));
  y_ = spin(QStringLiteral("pixelY"), tr("Row of the pixel"));
  auto* copy = new QPushButton(tr("Copy"), this);
  copy->setObjectName(QStringLiteral("copyPixel"));
  copy->setToolTip(tr("Copy the values, parted by tabs"));
  copy->setMaximumWidth(fontMetrics().horizontalAdvance(copy->text()) + 24);
  hint_ = new QLabel(tr("Click a pixel to see its value everywhere."), this);
  hint_->setWordWrap(true);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("inspectorTable"));
  table_->setAccessibleName(tr("Values of the pixel"));
  table_->setModel(model_);
  table_->setTabKeyNavigation(false);  // the arrows move within it, Tab goes on
  table_->verticalHeader()->hide();
  useSmallFont(table_);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 4);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);  // gives way to the values
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);

  auto* row = new QHBoxLayout;
  row->setSpacing(3);  // the panel's bar has room beside it
  auto* xLabel = new QLabel(tr("x"), this);
  auto* yLabel = new QLabel(tr("y"), this);
  xLabel->setBuddy(x_);
  yLabel->setBuddy(y_);
  row->addWidget(xLabel);
  row->addWidget(x_);
  row->addWidget(yLabel);
  row->addWidget(y_);
  row->addStretch(1);
  row->addWidget(copy);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addLayout(row);
  column->addWidget(hint_);
  column->addWidget(table_);

  const auto write = [this] { session_.setPixel(QPoint(x_->value(), y_->value())); };
  connect(x_, &QSpinBox::valueChanged, this, write);
  connect(y_, &QSpinBox::valueChanged, this, write);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(model_->asText()); });
  connect(&session_, &Session::pixelChanged, this, &InspectorPanel::readSession);
  connect(&session_, &Session::pictureChanged, this, &InspectorPanel::readSession);
  connect(model_, &InspectorModel::modelReset, this, &InspectorPanel::fitTable);
  readSession();
}

void InspectorPanel::fitTable() {
  table_->resizeColumnsToContents();
  const int rows = std::clamp(model_->rowCount(), 1, mostValues);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() + 2 * table_->frameWidth());
}

void InspectorPanel::readSession() {
  const QSignalBlocker quietX(x_);
  const QSignalBlocker quietY(y_);
  const auto& picture = session_.picture();
  x_->setRange(0, picture ? picture->info.width - 1 : 0);
  y_->setRange(0, picture ? picture->info.height - 1 : 0);
  x_->setEnabled(picture != nullptr);
  y_->setEnabled(picture != nullptr);
  const auto& pixel = session_.state().pixel;
  hint_->setVisible(!pixel);
  table_->setVisible(pixel.has_value());
  if (!pixel) return;
  x_->setValue(pixel->x());
  y_->setValue(pixel->y());
}

}  // namespace bankside::window
