#include "gui/window/panels/filter_editor.h"

#include <cmath>
#include <optional>

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolBar>
#include <QVBoxLayout>

#include "core/error.h"
#include "core/text.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/models/bank_edit.h"
#include "gui/window/models/filter_list_model.h"
#include "gui/window/models/filter_table_model.h"
#include "gui/window/panels/bank_document.h"
#include "gui/window/panels/filter_actions.h"
#include "gui/window/panels/filter_readout.h"
#include "gui/window/panels/message_line.h"
#include "gui/window/panels/tap_grid_view.h"
#include "gui/window/panels/tap_window.h"

namespace bankside::window {
namespace {

template <class Widget>
Widget* named(Widget* widget, const QString& name, const QString& accessible, const QString& tip) {
  widget->setObjectName(name);
  widget->setAccessibleName(accessible);
  widget->setToolTip(tip);
  return widget;
}

QString optionalText(const std::optional<double>& value) {
  return value ? QString::fromStdString(formatNumber(*value)) : QString();
}

/// An empty field means "none"; anything but a finite number is refused.
std::optional<double> optionalNumber(const QLineEdit& line) {
  const std::string text = line.text().trimmed().toStdString();
  if (text.empty()) return std::nullopt;
  const auto value = parseNumber(text);
  if (!value || !(std::abs(*value) < 1e9)) {
    throw Error(ErrorCode::BadInput, "The " + line.accessibleName().toLower().toStdString() + " is \"" +
                                         text + "\"; it must be a number with a decimal point, or empty.");
  }
  return value;
}

}  // namespace

FilterEditor::FilterEditor(BankDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new FilterTableModel(this)), taps_(new QWidget(this)) {
  table_ = named(new TapGridView(taps_), "tapTable", tr("Taps"), {});
  table_->setModel(model_);
  actions_ = new FilterActions(document_, *model_, *table_, taps_);
  readout_ = new FilterReadout(this);
  message_ = new MessageLine(taps_);
  message_->setObjectName("editorMessage");
  buildFields();
  buildLayout();

  const auto refuse = [this](const QString& sentence) { message_->showError(sentence); };
  connect(model_, &FilterTableModel::edited, this, [this](const Filter& filter) {
    message_->clearMessage();
    document_.replaceSelected(filter, tr("Edit a tap"));
  });
  connect(model_, &FilterTableModel::refused, this, refuse);
  connect(actions_, &FilterActions::refused, this, refuse);
  connect(actions_, &FilterActions::done, this, [this](const QString& note) { message_->showNote(note); });
  connect(&document_, &BankDocument::refused, this, refuse);
  connect(&document_, &BankDocument::bankChanged, this, &FilterEditor::follow);
  connect(&document_, &BankDocument::selectedFilterChanged, this, &FilterEditor::follow);
  connect(&document_, &BankDocument::selectedFilterChanged, message_, &MessageLine::clearMessage);
  follow();
}

void FilterEditor::buildFields() {
  label_ = named(new QLineEdit(this), "labelField", tr("Label"), tr("Names the filter's output file"));
  orientation_ = named(new QLineEdit(this), "orientationField", tr("Orientation"),
                       tr("Degrees, from the x axis towards the y axis (downwards); may be empty"));
  scale_ = named(new QLineEdit(this), "scaleField", tr("Scale"), tr("Pixels, e.g. a sigma; may be empty"));
  orientation_->setPlaceholderText(tr("none"));
  scale_->setPlaceholderText(tr("none"));
  const auto box = [this](const QString& name, const QString& accessible, const QString& tip) {
    auto* spin = named(new QSpinBox(this), name, accessible, tip);
    spin->setRange(1, maxFilterSide);
    spin->setKeyboardTracking(false);
    return spin;
  };
  rows_ = box("rowsField", tr("Rows"), tr("Height; taps keep their offset from the anchor"));
  columns_ = box("columnsField", tr("Columns"), tr("Width; taps keep their offset from the anchor"));
  anchorRow_ = box("anchorRowField", tr("Anchor row"), {});
  anchorColumn_ = box("anchorColumnField", tr("Anchor column"), {});
  channel_ = box("channelField", tr("Channel"), tr("Which channel of the filter the table shows"));
  title_ = named(new QLineEdit(this), "bankTitleField", tr("Bank title"),
                 tr("One line that says what the bank is"));
  mode_ = named(
      new QComboBox(this), "modeField", tr("Convention"),
      tr("The convention that the taps are written for: correlation slides them as they stand (filter2D), "
         "convolution turns them by 180° first (MATLAB's conv2)"));
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution})
    mode_->addItem(FilterListModel::modeText(mode), static_cast<int>(mode));

  connect(title_, &QLineEdit::editingFinished, this, &FilterEditor::takeInfo);
  connect(mode_, &QComboBox::activated, this, &FilterEditor::takeInfo);
  for (QLineEdit* line : {label_, orientation_, scale_})
    connect(line, &QLineEdit::editingFinished, this, &FilterEditor::takeTexts);
  for (QSpinBox* spin : {rows_, columns_, anchorRow_, anchorColumn_})
    connect(spin, &QSpinBox::valueChanged, this, &FilterEditor::takeShape);
  connect(channel_, &QSpinBox::valueChanged, this, &FilterEditor::follow);
}

void FilterEditor::buildLayout() {
  const auto pair = [this](QWidget* first, const QString& between, QWidget* second) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(first, 1);
    auto* label = new QLabel(between, this);
    label->setBuddy(second);
    row->addWidget(label);
    row->addWidget(second, 1);
    return row;
  };
  const auto newForm = [] {
    auto* form = new QFormLayout;
    form->setVerticalSpacing(4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
  };
  // The filter comes first, then its taps; what is the whole bank's stands with its files.
  auto* form = newForm();
  form->addRow(tr("Filter"), label_);
  form->addRow(tr("Orientation"), pair(orientation_, tr("°     scale"), scale_));
  form->addRow(tr("Size"), pair(rows_, tr("×"), columns_));
  form->addRow(tr("Anchor"), pair(anchorRow_, tr(","), anchorColumn_));
  channelLabel_ = new QLabel(tr("Channel"), this);
  form->addRow(channelLabel_, channel_);

  auto* save = named(new QPushButton(tr("&Save bank…"), this), "saveBank", tr("Save bank"),
                     tr("Saves the whole bank as JSON"));
  auto* open = named(new QPushButton(tr("&Open bank…"), this), "openBankInEditor", tr("Open bank"),
                     tr("Opens a bank saved as JSON"));
  connect(save, &QPushButton::clicked, this, &FilterEditor::saveWanted);
  connect(open, &QPushButton::clicked, this, &FilterEditor::openWanted);
  auto* ofBank = newForm();
  ofBank->addRow(tr("Bank"), title_);
  ofBank->addRow(tr("Written for"), mode_);
  auto* files = new QHBoxLayout;
  files->addWidget(open);
  files->addStretch(1);
  files->addWidget(save);

  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(5);
  layout->addLayout(form);
  layout->addWidget(taps_, 1);
  auto* enlarged = new TapWindow(taps_, table_, layout, this);
  auto* taps = new QVBoxLayout(taps_);
  taps->setContentsMargins(0, 0, 0, 0);
  taps->setSpacing(3);
  taps->addWidget(actions_->makeToolBars(enlarged->action(), taps_));
  taps->addWidget(table_, 1);
  taps->addWidget(message_);
  layout->addWidget(readout_);
  layout->addLayout(ofBank);
  layout->addLayout(files);
}

void FilterEditor::follow() {
  const bool any = document_.bank().size() > 0;
  setEnabled(any);
  if (!any) return;
  following_ = true;
  const Filter& f = document_.selectedFilter();
  title_->setText(QString::fromStdString(document_.bank().info().title));
  title_->setCursorPosition(0);
  mode_->setCurrentIndex(mode_->findData(static_cast<int>(document_.bank().info().mode)));
  label_->setText(QString::fromStdString(f.label));
  orientation_->setText(optionalText(f.orientation));
  scale_->setText(optionalText(f.scale));
  rows_->setValue(f.height);
  columns_->setValue(f.width);
  anchorRow_->setMaximum(f.height);
  anchorColumn_->setMaximum(f.width);
  anchorRow_->setValue(f.anchorY + 1);
  anchorColumn_->setValue(f.anchorX + 1);
  const QString anchor =
      tr("The tap that lies on the output pixel, counted from 1; OpenCV's anchor is (%1, %2)")
          .arg(f.anchorX)
          .arg(f.anchorY);
  anchorRow_->setToolTip(anchor);
  anchorColumn_->setToolTip(anchor);
  channel_->setMaximum(f.channels);
  channel_->setVisible(f.channels > 1);
  channelLabel_->setVisible(f.channels > 1);
  const int channel = channel_->value() - 1;
  model_->setFilter(f, channel);
  readout_->setFilter(f, channel);
  following_ = false;
}

void FilterEditor::takeTexts() {
  if (following_ || document_.bank().size() == 0) return;
  try {
    Filter f = document_.selectedFilter();
    f.label = label_->text().trimmed().toStdString();
    f.orientation = optionalNumber(*orientation_);
    f.scale = optionalNumber(*scale_);
    if (document_.replaceSelected(f, tr("Edit the description"))) message_->clearMessage();
  } catch (const Error& error) {
    message_->showError(sentenceOf(error));
  }
}

void FilterEditor::takeShape() {
  if (following_ || document_.bank().size() == 0) return;
  const Filter& old = document_.selectedFilter();
  Filter f = old;
  if (rows_->value() != old.height || columns_->value() != old.width) {
    f = resized(old, rows_->value(), columns_->value());
  } else {
    f.anchorY = anchorRow_->value() - 1;
    f.anchorX = anchorColumn_->value() - 1;
  }
  if (document_.replaceSelected(f, tr("Change the shape"))) message_->clearMessage();
}

void FilterEditor::takeInfo() {
  if (following_ || document_.bank().size() == 0) return;
  BankInfo info = document_.bank().info();
  info.title = title_->text().trimmed().toStdString();
  info.mode = static_cast<FilterMode>(mode_->currentData().toInt());
  document_.editInfo(info, tr("Edit the bank's description"));
}

}  // namespace bankside::window
