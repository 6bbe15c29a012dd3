#include "gui/window/panels/planes_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QStandardItemModel>
#include <tuple>

#include "gui/window/panels/word_choice.h"

namespace bankside::window {
PlanesForm::PlanesForm(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("planesForm"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(9, 4, 9, 4);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  channel_ =
      addWordChoice(form_, tr("C&hannel"), QStringLiteral("channel"),
                    tr("Which channels of a colour image are filtered. Automatic takes grey as it is and the "
                       "brightness (luma) of colour; vessels show best in green. Pages make one image of a "
                       "whole stack."));
  const std::tuple<const char*, QString, QString> channels[] = {
      {"auto", tr("Automatic"), {}},
      {"luma", tr("Brightness (luma)"), {}},
      {"red", tr("Red"), {}},
      {"green", tr("Green"), {}},
      {"blue", tr("Blue"), {}},
      {"all", tr("All, each by itself"), {}},
      {"pages", tr("The file's pages, as channels"), tr("Pages as channels")},
      {"pages-max", tr("The maximum of the file's pages"), tr("Maximum of pages")}};
  for (const auto& [name, title, shorter] : channels) addWord(channel_, title, QLatin1String(name), shorter);
  combine_ = addWordChoice(form_, tr("C&ombine"), QStringLiteral("combine"),
                           tr("One map made of all responses at a pixel"));
  addCombines(combine_);
  for (QComboBox* box : {channel_, combine_}) {
    connect(box, &QComboBox::activated, this, &PlanesForm::writeSession);
  }
  connect(&session_, &Session::recipeChanged, this, &PlanesForm::readSession);
  readSession();
}

void PlanesForm::readSession() {
  const Recipe& recipe = session_.recipe();
  chooseWord(channel_, QLatin1String(toString(recipe.channel)));
  chooseWord(combine_, QLatin1String(toString(recipe.stages.front().combine)));
  // The number of a filter is nothing that a second bank could filter.
  auto* combines = qobject_cast<QStandardItemModel*>(combine_->model());
  combines->item(combine_->findData(QStringLiteral("argmax")))->setEnabled(recipe.stages.size() < 2);
  combine_->setVisible(!recipe.ofMaps());  // steps have their own
  form_->labelForField(combine_)->setVisible(!recipe.ofMaps());
}

void PlanesForm::writeSession() {
  Recipe recipe = session_.recipe();
  recipe.channel = parseChannelChoice(chosenWord(channel_)).value_or(recipe.channel);
  Stage& stage = recipe.stages.front();
  stage.combine = parseCombine(chosenWord(combine_)).value_or(stage.combine);
  if (recipe.stages.back().combine == Combine::None && !recipe.ofMaps()) recipe.responses = true;
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
