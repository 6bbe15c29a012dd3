#include "gui/window/canvas/eliding_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace bankside::window {

ElidingBox::ElidingBox(Qt::TextElideMode mode, int least, int wanted, QWidget* parent)
    : QComboBox(parent), mode_(mode) {
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(least);
  setMinimumWidth(minimumSizeHint().width() - iconSize().width());  // there are none
  setMinimumContentsLength(wanted);
}

void ElidingBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  const QRect room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  const QString shorter = itemData(currentIndex(), shortRole).toString();
  if (!shorter.isEmpty() && option.fontMetrics.horizontalAdvance(option.currentText) > room.width() - 4)
    option.currentText = shorter;
  option.currentText = option.fontMetrics.elidedText(option.currentText, mode_, room.width() - 4);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace bankside::window
