#include "gui/window/panels/export_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <cmath>

#include "core/text.h"
#include "gui/window/panels/word_choice.h"

namespace bankside::window {
ExportPanel::ExportPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("exportPanel"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(8, 6, 8, 6);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  map_ = addWordChoice(form_, tr("E&xport as"), QStringLiteral("map"),
                       tr("How responses are written to files. What the panes show does not change."));
  addWord(map_, tr("Every value, as floating point"), QStringLiteral("none"), tr("Floating point"));
  addWord(map_, tr("Clipped to the input's range"), QStringLiteral("clip"), tr("Clipped"));
  addWord(map_, tr("Stretched to 16 bit, to look at"), QStringLiteral("stretch"), tr("Stretched"));
  addWord(map_, tr("Black and white, by the threshold"), QStringLiteral("binary"), tr("Black and white"));
  threshold_ = new QLineEdit(this);
  threshold_->setObjectName(QStringLiteral("exportThreshold"));
  threshold_->setAccessibleName(tr("Threshold"));
  threshold_->setToolTip(
      tr("A value that is as high or higher is white, else black. It goes with the recipe: evaluations judge "
         "it too."));
  threshold_->setPlaceholderText(tr("none"));
  form_->addRow(tr("&Threshold"), threshold_);
  format_ = addWordChoice(form_, tr("&Format"), QStringLiteral("format"), tr("File format of the results"));
  for (const FileFormat format : fileFormats())
    format_->addItem(QString::fromUtf8(nameOf(format)), QLatin1String(toString(format)));
  verify_ = addWordChoice(
      form_, tr("Che&ck values"), QStringLiteral("verify"),
      tr("Check every exported value; what is wrong is not written. Timings are always checked."));
  addWord(verify_, tr("Not checked"), QStringLiteral("off"), tr("Not checked"));
  addWord(verify_, tr("Against double precision"), QStringLiteral("reference"), tr("Double precision"));
  addWord(verify_, tr("Against OpenCV"), QStringLiteral("opencv"), tr("OpenCV"));
  addWord(verify_, tr("Against both"), QStringLiteral("all"), tr("Both"));
  responses_ = new QCheckBox(tr("Every filter's response"), this);
  responses_->setObjectName(QStringLiteral("responses"));
  responses_->setToolTip(tr("Export every response beside the combined one, or the combined one alone"));
  form_->addRow(QString(), responses_);
  auto* now = new QPushButton(tr("Export…"), this);
  now->setObjectName(QStringLiteral("exportNow"));
  now->setToolTip(tr("Write the results as files into a folder"));
  form_->addRow(QString(), now);
  for (QComboBox* box : {map_, format_, verify_}) {
    connect(box, &QComboBox::activated, this, &ExportPanel::writeSession);
  }
  connect(threshold_, &QLineEdit::editingFinished, this, &ExportPanel::takeThreshold);
  connect(responses_, &QCheckBox::toggled, this, &ExportPanel::writeSession);
  connect(now, &QPushButton::clicked, this, &ExportPanel::exportWanted);
  connect(&session_, &Session::recipeChanged, this, &ExportPanel::readSession);
  readSession();
}

void ExportPanel::readSession() {
  const Recipe& recipe = session_.recipe();
  chooseWord(map_, QLatin1String(toString(recipe.map)));
  chooseWord(format_, QLatin1String(toString(recipe.format)));
  chooseWord(verify_, QLatin1String(toString(recipe.verify)));
  const bool asked = recipe.threshold || recipe.map == OutputMap::Binary;
  threshold_->setText(recipe.threshold ? QString::fromStdString(formatNumber(*recipe.threshold)) : QString());
  threshold_->setVisible(asked);
  form_->labelForField(threshold_)->setVisible(asked);
  const bool combined = recipe.stages.back().combine != Combine::None;
  const QSignalBlocker quiet(responses_);
  responses_->setChecked(recipe.responses || !combined);
  responses_->setEnabled(combined);
  responses_->setVisible(!recipe.ofMaps());
}

void ExportPanel::takeThreshold() {
  bool number = false;
  const double value = threshold_->text().trimmed().toDouble(&number);
  Recipe recipe = session_.recipe();
  recipe.threshold = number && std::isfinite(static_cast<float>(value)) ? std::optional(value) : std::nullopt;
  session_.setRecipe(recipe);
  readSession();  // what is no number is none
}

void ExportPanel::writeSession() {
  Recipe recipe = session_.recipe();
  recipe.map = parseOutputMap(chosenWord(map_)).value_or(recipe.map);
  recipe.format = parseFileFormat(chosenWord(format_)).value_or(recipe.format);
  if (recipe.compression && !takes(recipe.format, *recipe.compression)) recipe.compression.reset();
  recipe.verify = parseVerifyLevel(chosenWord(verify_)).value_or(recipe.verify);
  if (!recipe.ofMaps())
    recipe.responses = recipe.stages.back().combine == Combine::None || responses_->isChecked();
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
