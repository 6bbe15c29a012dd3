/// A button that opens a menu says so. The mark that styles draw is a few pixels that look like a comma.
#pragma once

#include <QToolButton>

namespace bankside::window {

inline void showMenuArrow(QToolButton* button) {
  if (button->accessibleName().isEmpty()) button->setAccessibleName(button->text());
  button->setText(QStringLiteral("%1 ▾").arg(button->text()));
  button->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; width: 0px; }"));
}

}  // namespace bankside::window
