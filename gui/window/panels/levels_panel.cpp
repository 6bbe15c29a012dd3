#include "gui/window/panels/levels_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/value_text.h"
#include "gui/window/panels/histogram_view.h"

namespace bankside::window {
namespace {

/// Shows any float with as many digits as it needs.
class ValueBox final : public QDoubleSpinBox {
 public:
  ValueBox(const QString& name, const QString& title, QWidget* parent) : QDoubleSpinBox(parent) {
    setObjectName(name);
    setAccessibleName(title);
    setRange(-3e38, 3e38);
    setDecimals(9);
    setKeyboardTracking(false);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setMinimumWidth(narrow);
  }
  QString textFromValue(double value) const override { return shortValueText(value, 6); }
  /// Room for "-0.34656" and the arrows.
  static constexpr int narrow = 88;
  QSize minimumSizeHint() const override { return {narrow, QDoubleSpinBox::minimumSizeHint().height()}; }
  QSize sizeHint() const override { return {96, QDoubleSpinBox::sizeHint().height()}; }
};

}  // namespace

LevelsPanel::LevelsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("levelsPanel"));
  group_ = new QComboBox(this);
  group_->setObjectName(QStringLiteral("levelGroup"));
  group_->setAccessibleName(tr("Levels of"));
  group_->setToolTip(tr("Pictures of one kind share their levels, in every pane"));
  group_->addItem(tr("Input"));
  group_->addItem(tr("Responses"));
  group_->addItem(tr("Index of the maximum"));
  group_->addItem(tr("Difference"));
  group_->setCurrentIndex(static_cast<int>(LevelGroup::Response));
  histogram_ = new HistogramView(this);
  low_ = new ValueBox(QStringLiteral("levelLow"), tr("Low level"), this);
  high_ = new ValueBox(QStringLiteral("levelHigh"), tr("High level"), this);
  low_->setToolTip(tr("This value and lower ones get the map's first colour"));
  high_->setToolTip(tr("This value and higher ones get the map's last colour"));
  automatic_ = new QCheckBox(tr("Automatic"), this);
  automatic_->setObjectName(QStringLiteral("levelAutomatic"));
  own_ = new QCheckBox(tr("Each pane its own"), this);
  own_->setObjectName(QStringLiteral("levelOwn"));
  own_->setToolTip(
      tr("Automatic levels of each pane's own values. Else one contrast is of all panes that show responses, "
         "so that what looks brighter is larger"));
  map_ = new QComboBox(this);
  map_->setObjectName(QStringLiteral("colorMap"));
  map_->setAccessibleName(tr("Colour map"));
  map_->setToolTip(tr("Viridis and cividis look alike to readers with and without colour blindness"));
  const QString titles[] = {tr("Grey"), tr("Viridis"), tr("Cividis"), tr("Blue, white, red")};
  for (const ColorMap map : allColorMaps) map_->addItem(titles[static_cast<int>(map)]);
  tolerance_ = new ValueBox(QStringLiteral("tolerance"), tr("Tolerance"), this);
  tolerance_->setMinimum(0);
  tolerance_->setToolTip(tr("Differences no larger than this are shown white"));
  note_ = new QLabel(this);
  note_->setWordWrap(true);

  auto* window = new QHBoxLayout;
  window->addWidget(low_, 1);
  window->setSpacing(3);
  window->addWidget(new QLabel(tr("to"), this));
  window->addWidget(high_, 1);
  form_ = new QFormLayout;
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->setVerticalSpacing(5);
  form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form_->addRow(tr("&Levels of"), group_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2, 6, 2, 6);
  column->addLayout(form_);
  column->addWidget(histogram_, 1);
  auto* lower = new QFormLayout;
  lower->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  lower->setVerticalSpacing(5);
  lower->setRowWrapPolicy(QFormLayout::WrapLongRows);
  lower->addRow(tr("From"), window);
  lower->addRow(QString(), automatic_);
  lower->addRow(QString(), own_);
  lower->addRow(tr("Co&lours"), map_);
  lower->addRow(tr("&Tolerance"), tolerance_);
  column->addLayout(lower);
  column->addWidget(note_);
  column->addWidget(makeOverInput());
  form_ = lower;

  connect(group_, &QComboBox::activated, this, &LevelsPanel::readSession);
  connect(histogram_, &HistogramView::levelsDragged, this, [this](Levels levels) {
    LevelSetting setting = manualSetting();
    setting.manual = levels;
    write(setting);
  });
  const auto typed = [this] {
    LevelSetting setting = manualSetting();
    setting.manual = {static_cast<float>(low_->value()), static_cast<float>(high_->value())};
    write(setting);
  };
  connect(low_, &QDoubleSpinBox::valueChanged, this, typed);
  connect(high_, &QDoubleSpinBox::valueChanged, this, typed);
  connect(automatic_, &QCheckBox::toggled, this, [this](bool on) {
    LevelSetting setting = manualSetting();  // what was automatic is where one begins by hand
    setting.automatic = on;
    write(setting);
  });
  connect(own_, &QCheckBox::toggled, this, [this](bool on) {
    LevelSetting setting = session_.levels(group());
    setting.own = on;
    write(setting);
  });
  connect(map_, &QComboBox::activated, this, [this](int index) {
    LevelSetting setting = session_.levels(group());
    setting.map = allColorMaps[index];
    write(setting);
  });
  connect(tolerance_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    LevelSetting setting = session_.levels(group());
    setting.tolerance = static_cast<float>(value);
    write(setting);
  });
  for (const auto signal : {&Session::regionMeasured, &Session::levelsChanged, &Session::resultsChanged,
                            &Session::panesChanged}) {
    connect(&session_, signal, this, &LevelsPanel::readSession);
  }
  readSession();
}

QWidget* LevelsPanel::makeOverInput() {
  auto* box = new QGroupBox(tr("Where the input is shown"), this);
  colors_ = new QCheckBox(tr("&Photograph in colour"), box);
  colors_->setObjectName(QStringLiteral("inputColors"));
  colors_->setToolTip(tr("For the eye alone: what is filtered stays the channel chosen"));
  overlay_ = new QSlider(Qt::Horizontal, box);
  overlay_->setObjectName(QStringLiteral("overlayOpacity"));
  overlay_->setAccessibleName(tr("Opacity of the response over the input"));
  overlay_->setToolTip(
      tr("Lays the selected response over the input: the stronger it is, the more it covers. With manual "
         "vessels, found, missed and false ones have an opacity of their own in the Truth panel"));
  overlay_->setRange(0, 100);
  overlay_->setSingleStep(5);
  overlay_->setMinimumWidth(40);
  overlayText_ = new QLabel(box);
  overlayText_->setObjectName(QStringLiteral("overlayText"));
  overlayText_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("100 %")));
  overlayText_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* title = new QLabel(tr("&Response"), box);
  title->setBuddy(overlay_);
  auto* row = new QHBoxLayout;
  row->addWidget(title);
  row->addWidget(overlay_, 1);
  row->addWidget(overlayText_);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(8, 4, 8, 4);
  column->addWidget(colors_);
  column->addLayout(row);
  connect(colors_, &QCheckBox::toggled, &session_, &Session::setColors);
  connect(overlay_, &QSlider::valueChanged, this,
          [this](int percent) { session_.setOverlay(percent / 100.0); });
  return box;
}

LevelGroup LevelsPanel::group() const { return static_cast<LevelGroup>(group_->currentIndex()); }

const PlaneResult* LevelsPanel::plane() const {
  for (const PaneSpec& pane : session_.state().panes) {
    const PlaneKey key = session_.keyOf(pane);
    const PlaneResult* held = session_.result(key);
    if (held != nullptr && held->plane && session_.groupOf(key, *held->plane) == group()) return held;
  }
  return nullptr;
}

LevelSetting LevelsPanel::manualSetting() const {
  LevelSetting setting = session_.levels(group());
  if (const PlaneResult* held = plane(); held != nullptr && setting.automatic) {
    setting.manual = session_.styleFor(held->key).levels;
  }
  setting.automatic = false;
  return setting;
}

void LevelsPanel::write(const LevelSetting& setting) { session_.setLevels(group(), setting); }

void LevelsPanel::readSession() {
  const QSignalBlocker quiet[] = {QSignalBlocker(low_), QSignalBlocker(high_), QSignalBlocker(automatic_),
                                  QSignalBlocker(own_), QSignalBlocker(map_),  QSignalBlocker(tolerance_)};
  const QSignalBlocker quietInput[] = {QSignalBlocker(colors_), QSignalBlocker(overlay_)};
  colors_->setChecked(session_.state().colors);
  colors_->setEnabled(session_.picture() && isColored(*session_.picture()));
  overlay_->setValue(static_cast<int>(std::lround(100 * session_.state().overlay)));
  overlayText_->setText(overlay_->value() == 0 ? tr("off") : tr("%1 %").arg(overlay_->value()));
  const LevelSetting& setting = session_.levels(group());
  const bool difference = group() == LevelGroup::Difference;
  automatic_->setChecked(setting.automatic);
  own_->setChecked(setting.own);
  own_->setVisible(group() == LevelGroup::Response);
  own_->setEnabled(setting.automatic);
  map_->setCurrentIndex(static_cast<int>(setting.map));
  tolerance_->setValue(setting.tolerance);
  tolerance_->setVisible(difference);
  form_->labelForField(tolerance_)->setVisible(difference);
  switch (group()) {
    case LevelGroup::Input:
      automatic_->setToolTip(tr("8 bit: 0 to 255. Else the 0.1 and 99.9 percentiles"));
      break;
    case LevelGroup::Response:
      automatic_->setToolTip(tr("From the 0.2 percentile to the 99.8 percentile"));
      break;
    case LevelGroup::Index: automatic_->setToolTip(tr("The first filter to the last")); break;
    case LevelGroup::Difference:
      automatic_->setToolTip(tr("Even on both sides of zero, to the largest difference"));
      break;
  }
  const PlaneResult* held = plane();
  if (held == nullptr) {
    const bool coming = session_.picture() && !session_.missingPlanes().empty() && !session_.stopped();
    histogram_->clear();
    if (coming) return note_->setText(tr("Computing…"));
    note_->setText(group() == LevelGroup::Input        ? tr("No pane shows the input.")
                   : group() == LevelGroup::Response   ? tr("No pane shows a response.")
                   : group() == LevelGroup::Difference ? tr("No pane shows a difference.")
                                                       : tr("No pane shows which filter is the largest."));
    return;
  }
  const RenderStyle style = session_.styleFor(held->key);
  low_->setValue(style.levels.low);
  high_->setValue(style.levels.high);
  const bool region = session_.state().region.kind != RegionKind::Whole;
  const RegionStatistics* inside = region ? session_.statistics(held->key) : nullptr;
  histogram_->show(inside != nullptr ? inside->histogram : held->plane->histogram, style);
  const ValueRange& range = inside != nullptr ? inside->range : held->plane->range;
  QString text =
      (inside != nullptr ? tr("Inside the region values from %1 to %2") : tr("Values from %1 to %2"))
          .arg(shortValueText(range.low, 6), shortValueText(range.high, 6));
  if (range.nonFinite > 0) text += tr(", %1 not finite (magenta)").arg(range.nonFinite);
  note_->setText(text + QLatin1Char('.'));
}

}  // namespace bankside::window
