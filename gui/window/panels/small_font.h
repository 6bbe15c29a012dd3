/// For tables of many columns in a narrow panel.
#pragma once

#include <QFont>

namespace bankside::window {

inline QFont smallFont(QFont font) {
  font.setPointSizeF(font.pointSizeF() * 0.88);
  return font;
}

}  // namespace bankside::window
