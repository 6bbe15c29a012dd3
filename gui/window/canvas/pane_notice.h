/// A sentence in the middle of a pane, with a button for everything that would help.
#pragma once

#include <QFrame>

#include "gui/window/session/pane_message.h"

class QGridLayout;
class QLabel;

namespace bankside::window {

class PaneNotice : public QFrame {
  Q_OBJECT
 public:
  explicit PaneNotice(QWidget* parent = nullptr);
  /// Within `part` of the parent; hidden where there is nothing to say.
  void say(const PaneMessage& message, const QRect& part);

 Q_SIGNALS:
  void chosen(const bankside::window::Offer& offer);

 private:
  /// In rows of at most three, as many as fit; how wide they are together.
  int arrange(int most);

  QLabel* text_;
  QGridLayout* buttons_;
};

}  // namespace bankside::window
