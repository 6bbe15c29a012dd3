#include "gui/window/panels/planes_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

namespace bankside::window {
namespace {

void choose(QComboBox* box, const char* word) {
  const QSignalBlocker quiet(box);
  box->setCurrentIndex(std::max(0, box->findData(QLatin1String(word))));
}

}  // namespace

PlanesForm::PlanesForm(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("planesForm"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(9, 4, 9, 4);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  channel_ =
      addChoice(tr("C&hannel"), QStringLiteral("channel"),
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
  combine_ =
      addChoice(tr("C&ombine"), QStringLiteral("combine"), tr("One map made of all responses at a pixel"));
  const std::pair<const char*, QString> combines[] = {{"none", tr("Nothing")},
                                                      {"max", tr("Maximum")},
                                                      {"absmax", tr("Largest magnitude, with its sign")},
                                                      {"argmax", tr("Maximum and which filter")},
                                                      {"mean", tr("Mean")},
                                                      {"sum", tr("Sum")},
                                                      {"magnitude", tr("Magnitude (root of squares)")}};
  for (const auto& [name, title] : combines) combine_->addItem(title, QLatin1String(name));
  for (QComboBox* box : {channel_, combine_}) {
    connect(box, &QComboBox::activated, this, &PlanesForm::writeSession);
  }
  connect(&session_, &Session::recipeChanged, this, &PlanesForm::readSession);
  readSession();
}

QComboBox* PlanesForm::addChoice(const QString& title, const QString& name, const QString& hint) {
  auto* box = new QComboBox(this);
  box->setObjectName(name);
  box->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  box->setToolTip(hint);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  form_->addRow(title, box);
  return box;
}

void PlanesForm::readSession() {
  const Recipe& recipe = session_.recipe();
  choose(channel_, toString(recipe.channel));
  choose(combine_, toString(recipe.stages.front().combine));
  // The number of a filter is nothing that a second bank could filter.
  auto* combines = qobject_cast<QStandardItemModel*>(combine_->model());
  combines->item(combine_->findData(QStringLiteral("argmax")))->setEnabled(recipe.stages.size() < 2);
  combine_->setVisible(!recipe.ofMaps());  // steps have their own
  form_->labelForField(combine_)->setVisible(!recipe.ofMaps());
}

void PlanesForm::writeSession() {
  const auto word = [](const QComboBox* box) { return box->currentData().toString().toStdString(); };
  Recipe recipe = session_.recipe();
  recipe.channel = parseChannelChoice(word(channel_)).value_or(recipe.channel);
  Stage& stage = recipe.stages.front();
  stage.combine = parseCombine(word(combine_)).value_or(stage.combine);
  if (recipe.stages.back().combine == Combine::None && !recipe.ofMaps()) recipe.responses = true;
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
