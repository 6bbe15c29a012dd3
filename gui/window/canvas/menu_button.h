/// A button that opens a menu says so. The mark that styles draw is a few pixels that look like a comma, and
/// one that a style sheet leaves out keeps its colours when light turns to dark.
#pragma once

#include <QStyleOptionToolButton>
#include <QToolButton>

namespace bankside::window {

class MenuButton final : public QToolButton {
 public:
  MenuButton(const QString& title, QWidget* parent) : QToolButton(parent) {
    setText(marked(title));
    setAccessibleName(title);
    setPopupMode(QToolButton::InstantPopup);
  }

  static QString mark() { return QStringLiteral("▾"); }
  static QString marked(const QString& title) { return title + QLatin1Char(' ') + mark(); }

 protected:
  void initStyleOption(QStyleOptionToolButton* option) const override {
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::HasMenu;
  }
};

}  // namespace bankside::window
