#include "gui/window/panels/second_bank_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <tuple>

#include "filters/catalog.h"
#include "gui/window/panels/word_choice.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
namespace {

/// What a recipe brought along has no name that one could type.
QString shownName(const std::string& bank) {
  return isBankText(bank) ? bankTitle(bank) : QString::fromStdString(bank);
}

const QString fromFile = QStringLiteral("\nfile");  // no bank has such a name

}  // namespace

SecondBankForm::SecondBankForm(Session& session, Workflow& workflow, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow) {
  setObjectName(QStringLiteral("secondBankForm"));
  form_ = new QFormLayout(this);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  bank_ = addWordChoice(
      form_, tr("&Second bank"), QStringLiteral("thenBank"),
      tr("A bank over the maps of the first: filters with as many channels as there are maps sum "
         "over them, filters with one channel are applied to each. Type a name with parameters, "
         "such as gaussian:sigma=2."));
  bank_->setEditable(true);
  bank_->setInsertPolicy(QComboBox::NoInsert);
  bank_->addItem(tr("None"), QString());
  for (const CatalogEntry& entry : catalog()) {
    bank_->addItem(QString::fromStdString(entry.name), QString::fromStdString(entry.name));
  }
  bank_->addItem(tr("From a file…"), fromFile);
  activation_ = addWordChoice(form_, tr("In &between"), QStringLiteral("activation"),
                              tr("What the second bank sees of every map, after the first one's combine"));
  const std::tuple<Activation, QString, QString> activations[] = {
      {Activation::None, tr("The maps as they are"), tr("Nothing")},
      {Activation::Abs, tr("Magnitudes  |x|"), tr("Magnitudes")},
      {Activation::Relu, tr("Positive parts  max(x, 0)"), tr("Positive parts")},
      {Activation::Square, tr("Squares  x²"), tr("Squares")}};
  for (const auto& [activation, title, shorter] : activations)
    addWord(activation_, title, QLatin1String(toString(activation)), shorter);
  mode_ = addWordChoice(form_, tr("Its m&ode"), QStringLiteral("thenMode"),
                        tr("How the second bank's taps are slid"));
  mode_->addItem(tr("As the bank says"), QStringLiteral(""));
  mode_->addItem(tr("Correlation"), QStringLiteral("correlation"));
  mode_->addItem(tr("Convolution"), QStringLiteral("convolution"));
  combine_ = addWordChoice(form_, tr("Its com&bine"), QStringLiteral("thenCombine"),
                           tr("One map made of the second bank's responses at a pixel"));
  addCombines(combine_);
  connect(bank_, &QComboBox::activated, this, &SecondBankForm::chooseBank);
  connect(bank_->lineEdit(), &QLineEdit::returnPressed, this, &SecondBankForm::chooseBank);
  for (QComboBox* box : {activation_, mode_, combine_}) {
    connect(box, &QComboBox::activated, this, &SecondBankForm::writeSession);
  }
  connect(&session_, &Session::recipeChanged, this, &SecondBankForm::readSession);
  readSession();
}

void SecondBankForm::chooseBank() {
  // What is typed counts, unless it is the title of an entry.
  const int entry = bank_->findText(bank_->currentText());
  QString spec = entry >= 0 ? bank_->itemData(entry).toString() : bank_->currentText().trimmed();
  if (spec == fromFile) {
    spec = QFileDialog::getOpenFileName(this, tr("Open a second bank"), {},
                                        tr("Filter banks (*.json *.npy *.csv *.txt);;All files (*)"));
    if (spec.isEmpty()) return readSession();
  }
  const auto& stages = session_.recipe().stages;
  const QString held = stages.size() > 1 ? QString::fromStdString(stages[1].bank) : QString();
  if (spec != held && spec != shownName(held.toStdString())) workflow_.chooseSecondBank(spec);
}

void SecondBankForm::readSession() {
  const auto& stages = session_.recipe().stages;
  const bool second = stages.size() > 1;
  const QSignalBlocker quiet(bank_);
  const QString spec = second ? QString::fromStdString(stages[1].bank) : QString();
  const int entry = bank_->findData(spec);
  bank_->setCurrentIndex(entry);
  if (entry < 0) bank_->setEditText(second ? shownName(stages[1].bank) : spec);
  bank_->lineEdit()->setCursorPosition(0);  // where there is no room its beginning is seen
  chooseWord(activation_, QLatin1String(toString(stages[0].activation)));
  chooseWord(mode_, second && stages[1].mode ? QLatin1String(toString(*stages[1].mode)) : QLatin1String(""));
  chooseWord(combine_, QLatin1String(toString(second ? stages[1].combine : Combine::None)));
  for (QComboBox* box : {activation_, mode_, combine_}) {
    box->setVisible(second);
    form_->labelForField(box)->setVisible(second);
  }
}

void SecondBankForm::writeSession() {
  Recipe recipe = session_.recipe();
  if (recipe.stages.size() < 2) return;
  recipe.stages[0].activation = parseActivation(chosenWord(activation_)).value_or(Activation::None);
  recipe.stages[1].mode = parseFilterMode(chosenWord(mode_));
  recipe.stages[1].combine = parseCombine(chosenWord(combine_)).value_or(Combine::None);
  session_.setRecipe(recipe);
}

}  // namespace bankside::window
