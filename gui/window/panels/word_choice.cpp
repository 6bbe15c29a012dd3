#include "gui/window/panels/word_choice.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <algorithm>

#include "gui/window/canvas/eliding_box.h"

namespace bankside::window {

QComboBox* addWordChoice(QFormLayout* form, const QString& title, const QString& name, const QString& hint) {
  auto* box = new ElidingBox(Qt::ElideRight, 10, 10, form->parentWidget());
  box->setObjectName(name);
  box->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  box->setToolTip(hint);
  form->addRow(title, box);
  return box;
}

void chooseWord(QComboBox* box, const QString& word) {
  const QSignalBlocker quiet(box);
  box->setCurrentIndex(std::max(0, box->findData(word)));
}

std::string chosenWord(const QComboBox* box) { return box->currentData().toString().toStdString(); }

}  // namespace bankside::window
