#include "gui/window/panels/region_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QTransposeProxyModel>
#include <QVBoxLayout>

namespace bankside::window {

RegionPanel::RegionPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("regionPanel"));
  model_ = new RegionModel(session, this);
  kind_ = new QComboBox(this);
  kind_->setObjectName(QStringLiteral("regionKind"));
  kind_->setAccessibleName(tr("Region"));
  kind_->setToolTip(
      tr("Statistics, histogram and automatic levels are of what lies inside. Results do not depend on it. "
         "Shift and drag in a pane draws one."));
  const QString titles[] = {tr("Whole image"), tr("Rectangle"), tr("Ellipse"), tr("Field of view, found"),
                            tr("Mask from a file…")};
  for (const RegionKind kind : allRegionKinds) {
    kind_->addItem(titles[static_cast<int>(kind)], QLatin1String(toString(kind)));
  }
  kind_->setItemData(static_cast<int>(RegionKind::FieldOfView),
                     tr("The round image of a fundus photograph, without the dark frame"), Qt::ToolTipRole);

  boundsRow_ = new QWidget(this);
  auto* grid = new QGridLayout(boundsRow_);
  grid->setContentsMargins(0, 0, 0, 0);
  const std::pair<const char*, QString> fields[] = {
      {"regionX", tr("x")}, {"regionY", tr("y")}, {"regionWidth", tr("wide")}, {"regionHeight", tr("high")}};
  const QString names[] = {tr("Left edge of the region"), tr("Top edge of the region"),
                           tr("Width of the region"), tr("Height of the region")};
  for (int i = 0; i < 4; ++i) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(fields[i].first));
    box->setAccessibleName(names[i]);
    box->setToolTip(tr("%1, in image pixels").arg(names[i]));
    box->setKeyboardTracking(false);
    auto* label = new QLabel(fields[i].second, this);
    label->setBuddy(box);
    grid->addWidget(label, i / 2, i % 2 * 2);
    grid->addWidget(box, i / 2, i % 2 * 2 + 1);
    grid->setColumnStretch(i % 2 * 2 + 1, 1);
    connect(box, &QSpinBox::valueChanged, this, &RegionPanel::writeBounds);
    bounds_[i] = box;
  }
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("regionNote"));
  note_->setWordWrap(true);
  again_ = new QPushButton(tr("Compute"), this);
  again_->setObjectName(QStringLiteral("regionAgain"));
  again_->setToolTip(tr("Find the region after all"));
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("regionTable"));
  table_->setAccessibleName(tr("Statistics inside the region"));
  auto* turned = new QTransposeProxyModel(this);  // a panel is higher than wide
  turned->setSourceModel(model_);
  table_->setModel(turned);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);  // the arrows move within it, Tab goes on
  table_->horizontalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  table_->verticalHeader()->setHighlightSections(false);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);

  auto* copy = new QPushButton(tr("Copy"), this);
  copy->setObjectName(QStringLiteral("copyStatistics"));
  copy->setToolTip(tr("Copy the statistics, parted by tabs, for a spreadsheet"));
  saveStatistics_ = new QPushButton(tr("Save…"), this);
  saveStatistics_->setObjectName(QStringLiteral("saveStatistics"));
  saveStatistics_->setToolTip(tr("Write the statistics as CSV"));
  saveMask_ = new QPushButton(tr("Save mask…"), this);
  saveMask_->setObjectName(QStringLiteral("saveMask"));
  saveMask_->setToolTip(tr("Write the region as a picture: white inside, black outside"));
  auto* buttons = new QGridLayout;
  buttons->addWidget(copy, 0, 0);
  buttons->addWidget(saveStatistics_, 0, 1);
  buttons->addWidget(saveMask_, 1, 0, 1, 2);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addWidget(kind_);
  column->addWidget(boundsRow_);
  column->addWidget(note_);
  column->addWidget(again_);
  column->addWidget(table_, 1);
  column->addLayout(buttons);

  connect(kind_, &QComboBox::activated, this, &RegionPanel::chooseKind);
  connect(again_, &QPushButton::clicked, this, [this] { session_.setRegion(session_.state().region); });
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(model_->asText('\t')); });
  connect(saveStatistics_, &QPushButton::clicked, this, &RegionPanel::saveStatisticsWanted);
  connect(saveMask_, &QPushButton::clicked, this, &RegionPanel::saveMaskWanted);
  connect(turned, &QAbstractItemModel::modelReset, table_, &QTableView::resizeColumnsToContents);
  for (const auto signal : {&Session::regionChanged, &Session::regionMeasured, &Session::pictureChanged}) {
    connect(&session_, signal, this, &RegionPanel::readSession);
  }
  readSession();
}

void RegionPanel::chooseKind() {
  const RegionKind kind = allRegionKinds[std::max(0, kind_->currentIndex())];
  if (kind == RegionKind::File) return Q_EMIT maskFileWanted();
  RegionSpec spec = session_.state().region;
  spec.kind = kind;
  const bool shape = kind == RegionKind::Rectangle || kind == RegionKind::Ellipse;
  if (shape && (spec.width <= 0 || spec.height <= 0) && session_.picture()) {
    // The middle half: seen at once, and a start for both mouse and keyboard.
    const ImageInfo& info = session_.picture()->info;
    spec.x = info.width / 4;
    spec.y = info.height / 4;
    spec.width = std::max(1, info.width / 2);
    spec.height = std::max(1, info.height / 2);
  }
  session_.setRegion(spec);
  if (shape) Q_EMIT drawWanted(kind);
}

void RegionPanel::writeBounds() {
  RegionSpec spec = session_.state().region;
  spec.x = bounds_[0]->value();
  spec.y = bounds_[1]->value();
  spec.width = bounds_[2]->value();
  spec.height = bounds_[3]->value();
  session_.setRegion(spec);
}

void RegionPanel::readSession() {
  const RegionSpec& spec = session_.state().region;
  const QSignalBlocker quiet[] = {QSignalBlocker(bounds_[0]), QSignalBlocker(bounds_[1]),
                                  QSignalBlocker(bounds_[2]), QSignalBlocker(bounds_[3])};
  kind_->setCurrentIndex(static_cast<int>(spec.kind));
  const bool shape = spec.kind == RegionKind::Rectangle || spec.kind == RegionKind::Ellipse;
  boundsRow_->setVisible(shape);
  const auto& picture = session_.picture();
  const int width = picture ? picture->info.width : std::max(1, spec.x + spec.width);
  const int height = picture ? picture->info.height : std::max(1, spec.y + spec.height);
  bounds_[0]->setRange(0, width - 1);
  bounds_[1]->setRange(0, height - 1);
  bounds_[2]->setRange(1, width);
  bounds_[3]->setRange(1, height);
  const int values[] = {spec.x, spec.y, spec.width, spec.height};
  for (int i = 0; i < 4; ++i) bounds_[i]->setValue(values[i]);
  QString note;
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) {
    note = trouble;
  } else if (spec.kind == RegionKind::File) {
    note = QFileInfo(QString::fromStdString(spec.file)).fileName();
  } else if (shape) {
    note = tr("Shift and drag in a pane to draw another.");
  }
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  again_->setVisible(session_.maskStopped());
  saveMask_->setEnabled(session_.mask() != nullptr);
  saveStatistics_->setEnabled(model_->rowCount() > 0);
}

}  // namespace bankside::window
