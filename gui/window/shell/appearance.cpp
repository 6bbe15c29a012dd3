#include "gui/window/shell/appearance.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

namespace bankside::window {
namespace {

Appearance current = Appearance::System;

QPalette darkPalette() {
  QPalette colors(QColor(45, 47, 50), QColor(45, 47, 50));
  const QColor text(225, 227, 230);
  const QColor faint(130, 133, 138);
  colors.setColor(QPalette::Base, QColor(30, 31, 34));
  colors.setColor(QPalette::AlternateBase, QColor(37, 39, 42));
  colors.setColor(QPalette::Mid, QColor(60, 62, 66));
  colors.setColor(QPalette::Highlight, QColor(47, 129, 207));
  colors.setColor(QPalette::HighlightedText, Qt::white);
  colors.setColor(QPalette::Link, QColor(108, 177, 240));
  colors.setColor(QPalette::ToolTipBase, QColor(60, 62, 66));
  colors.setColor(QPalette::ToolTipText, text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    colors.setColor(role, text);
    colors.setColor(QPalette::Disabled, role, faint);
  }
  colors.setColor(QPalette::PlaceholderText, faint);
  return colors;
}

}  // namespace

QString toString(Appearance appearance) {
  switch (appearance) {
    case Appearance::System: return QStringLiteral("system");
    case Appearance::Light: return QStringLiteral("light");
    case Appearance::Dark: return QStringLiteral("dark");
  }
  return {};
}

Appearance parseAppearance(const QString& text) {
  for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
    if (text == toString(appearance)) return appearance;
  }
  return Appearance::System;
}

void applyAppearance(Appearance appearance) {
  static const QString systemStyle = QApplication::style()->objectName();
  if (appearance == current) return;
  current = appearance;
  // Fusion alone follows a palette everywhere.
  QApplication::setStyle(appearance == Appearance::System ? systemStyle : QStringLiteral("fusion"));
  switch (appearance) {
    case Appearance::System: QApplication::setPalette(QPalette()); break;
    case Appearance::Light:
      QApplication::setPalette(QStyleFactory::create(QStringLiteral("fusion"))->standardPalette());
      break;
    case Appearance::Dark: QApplication::setPalette(darkPalette()); break;
  }
}

Appearance currentAppearance() { return current; }

}  // namespace bankside::window
