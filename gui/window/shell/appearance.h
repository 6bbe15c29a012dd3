/// Light, dark, or whatever the desktop says.
#pragma once

#include <QString>

namespace bankside::window {

enum class Appearance { System, Light, Dark };

QString toString(Appearance appearance);          ///< "system", "light", "dark"
Appearance parseAppearance(const QString& text);  ///< System for what is none of them

/// Sets the whole program's colours. Everything painted here takes its colours from the palette.
void applyAppearance(Appearance appearance);
Appearance currentAppearance();

}  // namespace bankside::window
