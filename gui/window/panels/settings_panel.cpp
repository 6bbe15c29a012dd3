#include "gui/window/panels/settings_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <limits>
#include <tuple>

#include "core/parallel.h"
#include "gui/window/panels/second_bank_form.h"
#include "gui/window/panels/word_choice.h"

namespace bankside::window {
namespace {
/// Of the entry that is no engine: a name that none has.
constexpr QLatin1String moreEngines("more");
}  // namespace

SettingsPanel::SettingsPanel(Session& session, Workflow& workflow, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow) {
  setObjectName(QStringLiteral("settingsPanel"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(8, 6, 8, 6);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

  engine_ = addWordChoice(form_, tr("&Engine"), QStringLiteral("engine"),
                          tr("Who computes our output. Automatic takes the first one that can."),
                          Qt::ElideMiddle);  // both ends tell one from another
  fillEngines(false);
  precision_ = addWordChoice(
      form_, tr("&Precision"), QStringLiteral("precision"),
      tr("How accurate the sums must be that Automatic, cuda and cpu choose. An engine chosen by its full "
         "name sums in its own way."));
  addWord(precision_, tr("Normal: single precision (f32)"), QStringLiteral("fp32"), tr("Normal"));
  addWord(precision_, tr("Exact: every sum in one order"), QStringLiteral("exact"), tr("Exact"));
  addWord(precision_, tr("Fast: half precision (fp16) too"), QStringLiteral("fp16"), tr("Fast"));
  border_ = addWordChoice(form_, tr("&Border"), QStringLiteral("border"), tr("What lies outside the image"));
  // The row of pixels abcd, and what stands beside it.
  const std::tuple<const char*, QString, QString> borders[] = {
      {"reflect101", tr("Mirror at the rim pixel  (dcb|abcd|cba)"), tr("Mirror at the pixel")},
      {"reflect", tr("Mirror at the edge  (cba|abcd|dcb)"), tr("Mirror at the edge")},
      {"replicate", tr("Repeat the rim pixel  (aaa|abcd|ddd)"), tr("Repeat the rim")},
      {"constant", tr("A constant value  (vvv|abcd|vvv)"), tr("Constant")},
      {"wrap", tr("The opposite side  (bcd|abcd|abc)"), tr("Opposite side")}};
  for (const auto& [name, title, shorter] : borders) addWord(border_, title, QLatin1String(name), shorter);
  borderValue_ = new QDoubleSpinBox(this);
  borderValue_->setObjectName(QStringLiteral("borderValue"));
  borderValue_->setAccessibleName(tr("Border value"));
  borderValue_->setToolTip(tr("The constant outside the image, in the image's own units"));
  borderValue_->setRange(-1e6, 1e6);
  borderValue_->setDecimals(3);
  borderValue_->setKeyboardTracking(false);
  form_->addRow(tr("Border &value"), borderValue_);

  mode_ = addWordChoice(
      form_, tr("&Mode"), QStringLiteral("mode"),
      tr("How taps are slid. Correlation as filter2D does; convolution turns them by 180° first, as "
         "MATLAB's conv2 does."));
  mode_->addItem(tr("As the bank says"), QStringLiteral(""));
  mode_->addItem(tr("Correlation"), QStringLiteral("correlation"));
  mode_->addItem(tr("Convolution"), QStringLiteral("convolution"));

  second_ = new SecondBankForm(session_, workflow_, this);
  form_->addRow(second_);

  threads_ = new QSpinBox(this);
  threads_->setObjectName(QStringLiteral("threads"));
  threads_->setAccessibleName(tr("Threads"));
  threads_->setToolTip(tr("Threads of our output. The result does not depend on it."));
  threads_->setRange(0, availableThreads());
  threads_->setSpecialValueText(tr("all (%1)").arg(availableThreads()));
  threads_->setKeyboardTracking(false);
  form_->addRow(tr("&Threads"), threads_);

  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("settingsNote"));
  note_->setWordWrap(true);
  form_->addRow(note_);

  connect(engine_, &QComboBox::activated, this, [this] {
    if (engine_->currentData().toString() != moreEngines) return writeSession();
    fillEngines(true);
    readSession();
    engine_->showPopup();
  });
  for (QComboBox* box : {precision_, border_, mode_}) {
    connect(box, &QComboBox::activated, this, &SettingsPanel::writeSession);
  }
  connect(borderValue_, &QDoubleSpinBox::valueChanged, this, &SettingsPanel::writeSession);
  connect(threads_, &QSpinBox::valueChanged, this, [this](int count) { session_.setThreads(count); });
  connect(&session_, &Session::recipeChanged, this, &SettingsPanel::readSession);
  connect(&session_, &Session::pictureChanged, this, &SettingsPanel::readSession);
  readSession();
}

void SettingsPanel::fillEngines(bool all) {
  const QSignalBlocker quiet(engine_);
  engine_->clear();
  engine_->addItem(tr("Automatic"), QStringLiteral("auto"));
  int missing = 0;
  // Those that cannot run here come last, apart, for who asks for them.
  for (const bool available : {true, false}) {
    for (const Engine* engine : workflow_.engines()) {
      if (static_cast<bool>(engine->available()) != available) continue;
      if (!available && missing++ == 0) engine_->insertSeparator(engine_->count());
      if (!available && !all) continue;
      const QString name = QString::fromStdString(engine->name());
      addWord(engine_,
              available ? QStringLiteral("%1  (%2)").arg(name, QString::fromStdString(engine->device()))
                        : tr("%1  (not here)").arg(name),
              name, name);
    }
  }
  if (missing > 0 && !all)
    engine_->addItem(tr("%1 that cannot run here…").arg(missing), QString(moreEngines));
}

void SettingsPanel::readSession() {
  const Recipe& recipe = session_.recipe();
  if (engine_->findData(QString::fromStdString(recipe.engine)) < 0) fillEngines(true);
  const Stage& stage = recipe.stages.front();
  chooseWord(engine_, QString::fromStdString(recipe.engine));
  chooseWord(precision_, QLatin1String(toString(recipe.precision)));
  chooseWord(border_, QLatin1String(toString(recipe.border.kind)));
  chooseWord(mode_, stage.mode ? QLatin1String(toString(*stage.mode)) : QLatin1String(""));
  const QSignalBlocker quiet[] = {QSignalBlocker(borderValue_), QSignalBlocker(threads_)};
  borderValue_->setValue(recipe.border.value);
  const bool constant = recipe.border.isConstant();
  borderValue_->setEnabled(constant);
  form_->labelForField(borderValue_)->setEnabled(constant);
  mode_->setVisible(!recipe.ofMaps());  // steps have their own
  form_->labelForField(mode_)->setVisible(!recipe.ofMaps());
  second_->setVisible(!recipe.ofMaps());
  threads_->setValue(session_.state().threads);
  const QString note =
      session_.scaleMissing()
          ? tr("The recipe must know how many pixels a degree has: answer in the pane, or in Bank.")
      : session_.channelError().isEmpty() ? session_.channelNote()
                                          : session_.channelError();
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  updateRefusals();
}

void SettingsPanel::updateRefusals() {
  auto* model = qobject_cast<QStandardItemModel*>(engine_->model());
  for (const Engine* each : workflow_.engines()) {
    const Engine& engine = *each;
    const QString refusal = workflow_.refusal(engine);
    QStandardItem* item = model->item(engine_->findData(QString::fromStdString(engine.name())));
    if (item == nullptr) continue;
    item->setToolTip(refusal.isEmpty() ? QString::fromStdString(engine.description()) : refusal);
    // Still to be chosen: the sentence then stands where the picture would.
    item->setData(refusal.isEmpty() ? QVariant() : palette().brush(QPalette::Disabled, QPalette::Text),
                  Qt::ForegroundRole);
  }
}

void SettingsPanel::writeSession() {
  Recipe recipe = session_.recipe();
  Stage& stage = recipe.stages.front();
  recipe.engine = chosenWord(engine_);
  recipe.precision = parsePrecision(chosenWord(precision_)).value_or(recipe.precision);
  const auto border = parseBorder(chosenWord(border_));
  if (border) recipe.border = *border;
  if (recipe.border.isConstant()) recipe.border.value = static_cast<float>(borderValue_->value());
  stage.mode = parseFilterMode(chosenWord(mode_));
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
