#include "gui/window/panels/message_line.h"

#include <QAccessible>
#include <QAccessibleEvent>
#include <QEvent>
#include <QPalette>

namespace bankside::window {

MessageLine::MessageLine(QWidget* parent) : QLabel(parent) {
  setObjectName("message");
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setAccessibleName(tr("Message"));
  hide();
}

void MessageLine::showError(const QString& sentence) { show(sentence, Tone::Error); }
void MessageLine::showNote(const QString& sentence) { show(sentence, Tone::Note); }
void MessageLine::clearMessage() { show({}, Tone::Quiet); }

void MessageLine::show(const QString& sentence, Tone tone) {
  QString text = sentence.trimmed();
  if (!text.isEmpty()) {
    text[0] = text[0].toUpper();
    if (!text.endsWith('.') && !text.endsWith('?')) text += '.';
  }
  tone_ = tone;
  recolor();
  setText(text);
  setVisible(!text.isEmpty());
  if (text.isEmpty()) return;
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void MessageLine::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ThemeChange) recolor();
}

void MessageLine::recolor() {
  QPalette colors;
  if (tone_ == Tone::Error) {
    const bool dark = colors.color(QPalette::Window).lightness() < 128;
    colors.setColor(QPalette::WindowText, dark ? QColor(0xff, 0x9a, 0x8f) : QColor(0xa8, 0x1c, 0x14));
  }
  setPalette(colors);
}

}  // namespace bankside::window
