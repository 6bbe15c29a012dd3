#include "gui/window/panels/settings_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <limits>

#include "core/parallel.h"
#include "gui/window/panels/second_bank_form.h"

namespace bankside::window {
namespace {

void choose(QComboBox* box, const QString& word) {
  const QSignalBlocker quiet(box);
  box->setCurrentIndex(std::max(0, box->findData(word)));
}

QString word(const QComboBox* box) { return box->currentData().toString(); }

}  // namespace

SettingsPanel::SettingsPanel(Session& session, Workflow& workflow, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow) {
  setObjectName(QStringLiteral("settingsPanel"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(8, 6, 8, 6);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

  engine_ = addChoice(form_, tr("&Engine"), QStringLiteral("engine"),
                      tr("Who computes our output. Automatic takes the first that accepts the problem."));
  engine_->addItem(tr("Automatic"), QStringLiteral("auto"));
  for (const Engine* engine : workflow_.engines()) {
    const QString name = QString::fromStdString(engine->name());
    engine_->addItem(QStringLiteral("%1  (%2)").arg(name, QString::fromStdString(engine->device())), name);
  }
  precision_ =
      addChoice(form_, tr("&Precision"), QStringLiteral("precision"),
                tr("What automatic, cuda and cpu may choose from. An engine by name is what it is."));
  precision_->addItem(tr("As f32 sums are"), QStringLiteral("fp32"));
  precision_->addItem(tr("Exact: f32 multiply-adds"), QStringLiteral("exact"));
  precision_->addItem(tr("Fp16: half precision too"), QStringLiteral("fp16"));
  channel_ =
      addChoice(form_, tr("C&hannel"), QStringLiteral("channel"),
                tr("Which planes of a colour image are filtered. Automatic takes grey as it is and makes "
                   "luma of colour; vessels show best in green. Pages make one image of a whole stack."));
  const std::pair<const char*, QString> channels[] = {{"auto", tr("Automatic")},
                                                      {"luma", tr("Luma")},
                                                      {"red", tr("Red")},
                                                      {"green", tr("Green")},
                                                      {"blue", tr("Blue")},
                                                      {"all", tr("All, each by itself")},
                                                      {"pages", tr("The file's pages, as channels")}};
  for (const auto& [name, title] : channels) channel_->addItem(title, QLatin1String(name));

  border_ = addChoice(form_, tr("&Border"), QStringLiteral("border"), tr("What lies outside the image"));
  const std::pair<const char*, QString> borders[] = {{"reflect101", tr("Reflect 101  (dcb|abcd|cba)")},
                                                     {"reflect", tr("Reflect  (cba|abcd|dcb)")},
                                                     {"replicate", tr("Replicate  (aaa|abcd|ddd)")},
                                                     {"constant", tr("Constant  (vvv|abcd|vvv)")},
                                                     {"wrap", tr("Wrap  (bcd|abcd|abc)")}};
  for (const auto& [name, title] : borders) border_->addItem(title, QLatin1String(name));
  borderValue_ = new QDoubleSpinBox(this);
  borderValue_->setObjectName(QStringLiteral("borderValue"));
  borderValue_->setAccessibleName(tr("Border value"));
  borderValue_->setToolTip(tr("The constant outside the image, in the image's own units"));
  borderValue_->setRange(-1e6, 1e6);
  borderValue_->setDecimals(3);
  borderValue_->setKeyboardTracking(false);
  form_->addRow(tr("Border &value"), borderValue_);

  mode_ = addChoice(
      form_, tr("&Mode"), QStringLiteral("mode"),
      tr("How taps are slid. Correlation as filter2D does; convolution turns them by 180° first, as "
         "MATLAB's conv2 does."));
  mode_->addItem(tr("As the bank says"), QStringLiteral(""));
  mode_->addItem(tr("Correlation"), QStringLiteral("correlation"));
  mode_->addItem(tr("Convolution"), QStringLiteral("convolution"));

  combine_ = addChoice(form_, tr("C&ombine"), QStringLiteral("combine"),
                       tr("One map made of all responses at a pixel"));
  const std::pair<const char*, QString> combines[] = {{"none", tr("Nothing")},
                                                      {"max", tr("Maximum")},
                                                      {"absmax", tr("Largest magnitude, with its sign")},
                                                      {"argmax", tr("Maximum and which filter")},
                                                      {"mean", tr("Mean")},
                                                      {"sum", tr("Sum")},
                                                      {"magnitude", tr("Magnitude (root of squares)")}};
  for (const auto& [name, title] : combines) combine_->addItem(title, QLatin1String(name));

  form_->addRow(new SecondBankForm(session_, workflow_, this));

  threads_ = new QSpinBox(this);
  threads_->setObjectName(QStringLiteral("threads"));
  threads_->setAccessibleName(tr("Threads"));
  threads_->setToolTip(tr("Threads of our output. The result does not depend on it."));
  threads_->setRange(0, availableThreads());
  threads_->setSpecialValueText(tr("all (%1)").arg(availableThreads()));
  threads_->setKeyboardTracking(false);
  form_->addRow(tr("&Threads"), threads_);

  map_ = addChoice(form_, tr("E&xport as"), QStringLiteral("map"),
                   tr("What becomes of float responses in files. The view is not touched by it."));
  map_->addItem(tr("Float, every value"), QStringLiteral("none"));
  map_->addItem(tr("Clipped to the input's range"), QStringLiteral("clip"));
  map_->addItem(tr("Stretched to 16 bit, to look at"), QStringLiteral("stretch"));
  format_ = addChoice(form_, tr("&Format"), QStringLiteral("format"), tr("File format of exported planes"));
  const std::pair<const char*, const char*> formats[] = {
      {"tiff", "TIFF"}, {"png", "PNG"}, {"npy", "NumPy"}, {"pfm", "PFM"}};
  for (const auto& [name, title] : formats) format_->addItem(QLatin1String(title), QLatin1String(name));
  verify_ =
      addChoice(form_, tr("Che&ck export"), QStringLiteral("verify"),
                tr("Judge every exported value; what is wrong is not written. Timings are always checked."));
  const std::pair<const char*, QString> levels[] = {{"off", tr("No")},
                                                    {"reference", tr("Against double precision")},
                                                    {"opencv", tr("Against OpenCV")},
                                                    {"all", tr("Against both")}};
  for (const auto& [name, title] : levels) verify_->addItem(title, QLatin1String(name));
  responses_ = new QCheckBox(tr("Every filter's response"), this);
  responses_->setObjectName(QStringLiteral("responses"));
  responses_->setToolTip(tr("Export every response beside the combined plane, or the combined plane alone"));
  form_->addRow(QString(), responses_);

  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("settingsNote"));
  note_->setWordWrap(true);
  form_->addRow(note_);

  for (QComboBox* box : {engine_, precision_, channel_, border_, mode_, combine_, map_, format_, verify_}) {
    connect(box, &QComboBox::activated, this, &SettingsPanel::writeSession);
  }
  connect(borderValue_, &QDoubleSpinBox::valueChanged, this, &SettingsPanel::writeSession);
  connect(responses_, &QCheckBox::toggled, this, &SettingsPanel::writeSession);
  connect(threads_, &QSpinBox::valueChanged, this, [this](int count) { session_.setThreads(count); });
  connect(&session_, &Session::recipeChanged, this, &SettingsPanel::readSession);
  connect(&session_, &Session::pictureChanged, this, &SettingsPanel::readSession);
  readSession();
}

QComboBox* SettingsPanel::addChoice(QFormLayout* form, const QString& title, const QString& name,
                                    const QString& hint) {
  auto* box = new QComboBox(this);
  box->setObjectName(name);
  box->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  box->setToolTip(hint);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(14);
  form->addRow(title, box);
  return box;
}

void SettingsPanel::readSession() {
  const Recipe& recipe = session_.recipe();
  const Stage& stage = recipe.stages.front();
  choose(engine_, QString::fromStdString(recipe.engine));
  choose(precision_, QLatin1String(toString(recipe.precision)));
  choose(channel_, QLatin1String(toString(recipe.channel)));
  choose(border_, QLatin1String(toString(recipe.border.kind)));
  choose(mode_, stage.mode ? QLatin1String(toString(*stage.mode)) : QLatin1String(""));
  choose(combine_, QLatin1String(toString(stage.combine)));
  choose(map_, QLatin1String(toString(recipe.map)));
  choose(format_, QLatin1String(toString(recipe.format)));
  choose(verify_, QLatin1String(toString(recipe.verify)));
  const QSignalBlocker quiet[] = {QSignalBlocker(borderValue_), QSignalBlocker(responses_),
                                  QSignalBlocker(threads_)};
  borderValue_->setValue(recipe.border.value);
  const bool constant = recipe.border.kind == BorderKind::Constant;
  borderValue_->setEnabled(constant);
  form_->labelForField(borderValue_)->setEnabled(constant);
  const bool combined = recipe.stages.back().combine != Combine::None;
  // The number of a filter is nothing that a second bank could filter.
  auto* combines = qobject_cast<QStandardItemModel*>(combine_->model());
  combines->item(combine_->findData(QStringLiteral("argmax")))->setEnabled(recipe.stages.size() < 2);
  responses_->setChecked(recipe.responses || !combined);
  responses_->setEnabled(combined);
  threads_->setValue(session_.state().threads);
  const QString& note = session_.channelError().isEmpty() ? session_.channelNote() : session_.channelError();
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  updateRefusals();
}

void SettingsPanel::updateRefusals() {
  auto* model = qobject_cast<QStandardItemModel*>(engine_->model());
  for (int i = 0; i < static_cast<int>(workflow_.engines().size()); ++i) {
    const Engine& engine = *workflow_.engines()[static_cast<std::size_t>(i)];
    const QString refusal = workflow_.refusal(engine);
    QStandardItem* item = model->item(i + 1);
    item->setToolTip(refusal.isEmpty() ? QString::fromStdString(engine.description()) : refusal);
    // Still to be chosen: the sentence then stands where the picture would.
    item->setData(refusal.isEmpty() ? QVariant() : palette().brush(QPalette::Disabled, QPalette::Text),
                  Qt::ForegroundRole);
  }
}

void SettingsPanel::writeSession() {
  Recipe recipe = session_.recipe();
  Stage& stage = recipe.stages.front();
  recipe.engine = word(engine_).toStdString();
  recipe.precision = parsePrecision(word(precision_).toStdString()).value_or(recipe.precision);
  recipe.channel = parseChannelChoice(word(channel_).toStdString()).value_or(recipe.channel);
  const auto border = parseBorder(word(border_).toStdString());
  if (border) recipe.border = *border;
  if (recipe.border.kind == BorderKind::Constant)
    recipe.border.value = static_cast<float>(borderValue_->value());
  stage.mode = parseFilterMode(word(mode_).toStdString());
  stage.combine = parseCombine(word(combine_).toStdString()).value_or(stage.combine);
  recipe.map = parseOutputMap(word(map_).toStdString()).value_or(recipe.map);
  recipe.format = parseFileFormat(word(format_).toStdString()).value_or(recipe.format);
  if (recipe.compression && !takes(recipe.format, *recipe.compression)) recipe.compression.reset();
  recipe.verify = parseVerifyLevel(word(verify_).toStdString()).value_or(recipe.verify);
  recipe.responses = recipe.stages.back().combine == Combine::None || responses_->isChecked();
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
