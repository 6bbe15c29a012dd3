#include "gui/window/panels/parameter_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/text.h"

namespace bankside::window {
namespace {

/// Shows 1.5 where QDoubleSpinBox would show 1.500000.
class ShortNumberBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  QString textFromValue(double value) const override {
    return QString::number(value, 'g', std::numeric_limits<double>::digits10);
  }
};

QString description(const BankParameter& parameter) {
  const auto text = [](const std::string& words) { return QString::fromStdString(words); };
  return text(parameter.description) + QLatin1Char('\n') +
         ParameterForm::tr("Takes %1; default %2.")
             .arg(text(describeRange(parameter)), text(parameter.defaultValue));
}

bool isWhole(ParameterKind kind) {
  return kind == ParameterKind::Integer || kind == ParameterKind::OddInteger;
}

/// "auto" has no place in a spin box of arbitrary range: those parameters, and lists, are typed.
bool isTyped(const BankParameter& p) {
  return p.kind == ParameterKind::NumberList || (p.takesAuto && p.kind != ParameterKind::Choice);
}

int bounded(double value) { return static_cast<int>(std::clamp(value, -1e9, 1e9)); }

}  // namespace

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), form_(new QFormLayout) {
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  reset_ = new QPushButton(tr("&Reset to defaults"), this);
  reset_->setObjectName("resetParameters");
  reset_->setToolTip(tr("Sets every parameter to the catalogue's default"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(form_);
  layout->addWidget(reset_, 0, Qt::AlignLeft);
  connect(reset_, &QPushButton::clicked, this, [this] {
    setValues({});
    emit changed(false);
  });
  hide();
}

void ParameterForm::setEntry(const CatalogEntry* entry) {
  if (entry != entry_) {
    while (form_->rowCount() > 0) form_->removeRow(0);
    controls_.clear();
    entry_ = entry;
    if (entry) {
      for (const BankParameter& parameter : entry->parameters) {
        QWidget* control = makeControl(parameter);
        const QString name = QString::fromStdString(parameter.name);
        control->setObjectName("parameter." + name);
        control->setAccessibleName(name);
        control->setAccessibleDescription(description(parameter));
        control->setToolTip(description(parameter));
        auto* label = new QLabel(name, this);
        label->setToolTip(control->toolTip());
        label->setBuddy(control);
        form_->addRow(label, control);
        controls_.push_back({&parameter, control});
      }
    }
  }
  setVisible(!controls_.empty());
  setValues({});
}

void ParameterForm::setValues(const std::map<std::string, std::string>& values) {
  setting_ = true;
  for (const Control& control : controls_) {
    const auto found = values.find(control.parameter->name);
    setText(control,
            QString::fromStdString(found == values.end() ? control.parameter->defaultValue : found->second));
  }
  setting_ = false;
}

QList<QWidget*> ParameterForm::controls() const {
  QList<QWidget*> all;
  for (const Control& control : controls_) all.append(control.widget);
  return all;
}

QString ParameterForm::specification() const {
  if (!entry_) return {};
  QString text = QString::fromStdString(entry_->name);
  QChar separator = ':';
  for (const Control& control : controls_) {
    const QString value = textOf(control);
    if (value == QString::fromStdString(control.parameter->defaultValue)) continue;
    text += separator + QString::fromStdString(control.parameter->name) + "=" + value;
    separator = ',';
  }
  return text;
}

QWidget* ParameterForm::makeControl(const BankParameter& parameter) {
  if (parameter.kind == ParameterKind::Choice) {
    auto* box = new QComboBox(this);
    if (parameter.takesAuto) box->addItem("auto");
    for (const std::string& choice : parameter.choices) box->addItem(QString::fromStdString(choice));
    connect(box, &QComboBox::currentIndexChanged, this, &ParameterForm::tellChange);
    return box;
  }
  if (isTyped(parameter)) {
    auto* line = new QLineEdit(this);
    connect(line, &QLineEdit::textChanged, this, &ParameterForm::tellChange);
    return line;
  }
  if (isWhole(parameter.kind)) {
    auto* box = new QSpinBox(this);
    box->setLocale(QLocale::c());
    box->setRange(bounded(std::ceil(parameter.min)), bounded(std::floor(parameter.max)));
    box->setSingleStep(parameter.kind == ParameterKind::OddInteger ? 2 : 1);
    connect(box, &QSpinBox::valueChanged, this, &ParameterForm::tellChange);
    return box;
  }
  auto* box = new ShortNumberBox(this);
  box->setLocale(QLocale::c());
  box->setDecimals(6);
  box->setRange(std::max(parameter.min, -1e9), std::min(parameter.max, 1e9));
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  connect(box, &QDoubleSpinBox::valueChanged, this, &ParameterForm::tellChange);
  return box;
}

QString ParameterForm::textOf(const Control& control) {
  if (const auto* box = qobject_cast<QComboBox*>(control.widget)) return box->currentText();
  if (const auto* box = qobject_cast<QSpinBox*>(control.widget)) return QString::number(box->value());
  if (const auto* box = qobject_cast<QDoubleSpinBox*>(control.widget))
    return box->textFromValue(box->value());  // steps add up to 1.7, not to 1.7000000000000002
  return qobject_cast<QLineEdit*>(control.widget)->text().trimmed();
}

void ParameterForm::setText(const Control& control, const QString& text) {
  if (auto* box = qobject_cast<QComboBox*>(control.widget)) return box->setCurrentText(text);
  if (auto* box = qobject_cast<QSpinBox*>(control.widget)) return box->setValue(text.toInt());
  if (auto* box = qobject_cast<QDoubleSpinBox*>(control.widget)) return box->setValue(text.toDouble());
  auto* line = qobject_cast<QLineEdit*>(control.widget);
  // Left alone while it says the same, so that the cursor stays where the person types.
  if (line->text().trimmed() != text) line->setText(text);
}

void ParameterForm::tellChange() {
  if (setting_) return;
  const auto* line = qobject_cast<QLineEdit*>(sender());
  if (const auto* box = qobject_cast<QAbstractSpinBox*>(sender())) line = box->findChild<QLineEdit*>();
  emit changed(line != nullptr && line->isModified());
}

}  // namespace bankside::window
