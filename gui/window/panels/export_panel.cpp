#include "gui/window/panels/export_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalBlocker>

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
  map_->addItem(tr("Floating point, every value"), QStringLiteral("none"));
  map_->addItem(tr("Clipped to the input's range"), QStringLiteral("clip"));
  map_->addItem(tr("Stretched to 16 bit, to look at"), QStringLiteral("stretch"));
  map_->addItem(tr("Black and white, by the recipe's threshold"), QStringLiteral("binary"));
  format_ =
      addWordChoice(form_, tr("&Format"), QStringLiteral("format"), tr("File format of exported planes"));
  for (const FileFormat format : fileFormats())
    format_->addItem(QString::fromUtf8(nameOf(format)), QLatin1String(toString(format)));
  verify_ = addWordChoice(
      form_, tr("Che&ck export"), QStringLiteral("verify"),
      tr("Check every exported value; what is wrong is not written. Timings are always checked."));
  const std::pair<const char*, QString> levels[] = {{"off", tr("No")},
                                                    {"reference", tr("Against double precision")},
                                                    {"opencv", tr("Against OpenCV")},
                                                    {"all", tr("Against both")}};
  for (const auto& [name, title] : levels) verify_->addItem(title, QLatin1String(name));
  responses_ = new QCheckBox(tr("Every filter's response"), this);
  responses_->setObjectName(QStringLiteral("responses"));
  responses_->setToolTip(tr("Export every response beside the combined plane, or the combined plane alone"));
  form_->addRow(QString(), responses_);
  auto* now = new QPushButton(tr("Export…"), this);
  now->setObjectName(QStringLiteral("exportNow"));
  now->setToolTip(tr("Write the results as files into a folder"));
  form_->addRow(QString(), now);
  for (QComboBox* box : {map_, format_, verify_}) {
    connect(box, &QComboBox::activated, this, &ExportPanel::writeSession);
  }
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
  const bool combined = recipe.stages.back().combine != Combine::None;
  const QSignalBlocker quiet(responses_);
  responses_->setChecked(recipe.responses || !combined);
  responses_->setEnabled(combined);
  responses_->setVisible(!recipe.ofMaps());
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
