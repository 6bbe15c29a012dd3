#include "gui/window/panels/word_choice.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QSignalBlocker>
#include <algorithm>

#include "core/problem.h"
#include "gui/window/canvas/eliding_box.h"

namespace bankside::window {

QComboBox* addWordChoice(QFormLayout* form, const QString& title, const QString& name, const QString& hint,
                         Qt::TextElideMode mode) {
  auto* box = new ElidingBox(mode, 10, 10, form->parentWidget());
  box->setObjectName(name);
  box->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  box->setToolTip(hint);
  form->addRow(title, box);
  return box;
}

void addWord(QComboBox* box, const QString& title, const QString& word, const QString& shorter) {
  box->addItem(title, word);
  box->setItemData(box->count() - 1, shorter, ElidingBox::shortRole);
}

void addCombines(QComboBox* box) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("Combine", text); };
  const std::pair<QString, QString> titles[] = {
      {tr("Nothing"), {}},
      {tr("Maximum"), {}},
      {tr("Largest magnitude, with its sign"), tr("Largest magnitude")},
      {tr("Maximum and which filter"), tr("Which filter")},
      {tr("Mean"), {}},
      {tr("Sum"), {}},
      {tr("Magnitude (root of squares)"), tr("Magnitude")}};
  for (const Combine combine : allCombines) {
    const auto& [title, shorter] = titles[static_cast<int>(combine)];
    addWord(box, title, QLatin1String(toString(combine)), shorter);
  }
}

void chooseWord(QComboBox* box, const QString& word) {
  const QSignalBlocker quiet(box);
  box->setCurrentIndex(std::max(0, box->findData(word)));
}

std::string chosenWord(const QComboBox* box) { return box->currentData().toString().toStdString(); }

}  // namespace bankside::window
