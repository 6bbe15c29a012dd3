#include "gui/window/panels/recipe_panel.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/run/image_scale.h"
#include "core/text.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
namespace {

QString words(const std::string& name) {
  return QString::fromStdString(name).replace(QLatin1Char('-'), QLatin1Char(' '));
}

/// What people call an operation whose name says too little by itself.
QString called(const std::string& operation) {
  if (operation == "unit") return RecipePanel::tr("to the range 0 to 1");
  if (operation == "field") return RecipePanel::tr("field of view");
  if (operation == "fill") return RecipePanel::tr("fill outside the field of view");
  return words(operation);
}

/// 0.000001 and not 1e-06.
QString plain(double value) {
  QString text = QString::fromStdString(formatNumber(value));
  if (!text.contains(QLatin1Char('e'))) return text;
  text = QString::number(value, 'f', 12);
  while (text.endsWith(QLatin1Char('0'))) text.chop(1);
  if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  return text;
}

/// "quotient of ridge and contrast, floor 0.000001".
QString describe(const Operation& operation, const QString& of) {
  QString text = called(operation.entry->name) + of;
  for (const OperationParameter& parameter : operation.entry->parameters) {
    QStringList numbers;
    for (const double value : operation.numbers(parameter.name)) numbers << plain(value);
    text += QStringLiteral(", %1 %2").arg(words(parameter.name), numbers.join(QLatin1Char(' ')));
  }
  return text;
}

/// What it does, and what its numbers are.
QString inFull(const Operation& operation) {
  QString text = sentenceOf(operation.entry->description);
  for (const OperationParameter& parameter : operation.entry->parameters)
    text += QStringLiteral("\n%1: %2").arg(words(parameter.name), sentenceOf(parameter.description));
  return text;
}

QString describe(const RecipeStep& step) {
  const QString of = step.takes.empty()
                         ? QString()
                         : RecipePanel::tr(" of %1").arg(QString::fromStdString(joinWords(step.takes)));
  QStringList parts;
  if (!step.bank.empty()) parts << RecipePanel::tr("bank %1").arg(bankTitle(step.bank)) + of;
  if (step.operation) parts << describe(*step.operation, step.bank.empty() ? of : QString());
  for (const CombineOver& combine : step.combines)
    parts << QString::fromStdString(format(combine)).replace(QLatin1Char(':'), RecipePanel::tr(" over "));
  const QString text = parts.join(QStringLiteral(", "));
  return step.name.empty() ? text : QStringLiteral("%1 = %2").arg(QString::fromStdString(step.name), text);
}

QLabel* wrapped(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

RecipePanel::RecipePanel(Session& session, Workflow& workflow, QWidget* parent)
    : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("recipePanel"));
  title_ = wrapped(this);
  title_->setObjectName(QStringLiteral("recipeTitle"));
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  citation_ = wrapped(this);
  citation_->setAccessibleName(tr("Source of the recipe"));

  scaleRow_ = new QWidget(this);
  scale_ = new QDoubleSpinBox(this);
  scale_->setObjectName(QStringLiteral("recipeScale"));
  scale_->setRange(0, 10000);
  scale_->setDecimals(2);
  scale_->setKeyboardTracking(false);
  scale_->setSpecialValueText(tr("not known"));
  scale_->setAccessibleName(tr("Pixels per degree"));
  scale_->setToolTip(tr(
      "How many pixels of the picture a degree of the eye's visual angle has: the width of the field of view "
      "in pixels over its angle. Filters are fitted to it; a wrong scale finds fewer vessels."));
  auto* label = new QLabel(tr("&Pixels per degree"), this);
  label->setBuddy(scale_);
  auto* grid = new QGridLayout(scaleRow_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(label, 0, 0);
  grid->addWidget(scale_, 0, 1, 1, 3);
  grid->addWidget(new QLabel(tr("or the camera's angle"), this), 1, 0);
  for (int i = 0; i < 3; ++i) {
    const int degrees[] = {30, 45, 50};
    auto* button = new QPushButton(QStringLiteral("%1°").arg(degrees[i]), this);
    button->setObjectName(QStringLiteral("recipeAngle%1").arg(degrees[i]));
    button->setToolTip(tr("The width of the field of view in this picture, over %1°").arg(degrees[i]));
    button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + 16);
    connect(button, &QPushButton::clicked, &workflow,
            [&workflow, angle = degrees[i]] { workflow.takeAngle(angle); });
    grid->addWidget(button, 1, 1 + i);
  }
  width_ = new QDoubleSpinBox(this);
  width_->setObjectName(QStringLiteral("recipeVesselWidth"));
  width_->setRange(0, 4300);
  width_->setDecimals(1);
  width_->setSuffix(tr(" px"));
  width_->setSpecialValueText(tr("not known"));
  width_->setKeyboardTracking(false);
  width_->setAccessibleName(tr("Width of the widest vessels"));
  width_->setToolTip(
      tr("How many pixels wide the veins at the rim of the optic disc are, where nobody knows the "
         "camera's angle: they are taken for %1 degrees")
          .arg(widestVesselDegrees));
  auto* widest = new QLabel(tr("or the &widest vessels"), this);
  widest->setBuddy(width_);
  grid->addWidget(widest, 2, 0);
  grid->addWidget(width_, 2, 1, 1, 3);

  steps_ = new QListWidget(this);
  steps_->setObjectName(QStringLiteral("recipeSteps"));
  steps_->setAccessibleName(tr("Steps of the recipe"));
  steps_->setAlternatingRowColors(true);
  steps_->setTextElideMode(Qt::ElideRight);
  steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the hint has all of it
  steps_->setMinimumHeight(60);
  auto* back = new QPushButton(tr("Use a bank by itself"), this);
  back->setObjectName(QStringLiteral("leaveRecipe"));
  back->setToolTip(tr("Leave the recipe and choose among the filter banks"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(9, 6, 9, 4);
  column->addWidget(title_);
  column->addWidget(citation_);
  column->addWidget(scaleRow_);
  column->addWidget(steps_, 1);
  column->addWidget(back);

  connect(back, &QPushButton::clicked, this, &RecipePanel::bankWanted);
  connect(scale_, &QDoubleSpinBox::valueChanged, this, [this](double value) { session_.setScale(value); });
  connect(width_, &QDoubleSpinBox::valueChanged, this,
          [this](double value) { session_.setScale(pixelsPerDegreeOf(value)); });
  connect(&session_, &Session::recipeChanged, this, &RecipePanel::readSession);
  readSession();
}

void RecipePanel::readSession() {
  const Recipe& recipe = session_.recipe();
  if (!recipe.ofMaps()) return;  // nobody looks at it
  title_->setText(recipe.title.empty() ? tr("A recipe of %1 steps").arg(recipe.steps.size())
                                       : QString::fromStdString(recipe.title));
  citation_->setText(QString::fromStdString(recipe.citation));
  citation_->setVisible(!recipe.citation.empty());
  const double scale = session_.state().pixelsPerDegree;
  const QSignalBlocker quiet(scale_);
  scale_->setValue(scale);
  const QSignalBlocker quietToo(width_);
  width_->setValue(scale * widestVesselDegrees);
  scaleRow_->setVisible(session_.asksForScale());
  steps_->clear();
  int number = 0;
  for (const RecipeStep& step : recipe.steps) {
    const QString text = QStringLiteral("%1  %2").arg(++number).arg(describe(step));
    auto* item = new QListWidgetItem(text, steps_);
    item->setToolTip(step.operation ? text + QLatin1Char('\n') + inFull(*step.operation) : text);
  }
}

}  // namespace bankside::window
