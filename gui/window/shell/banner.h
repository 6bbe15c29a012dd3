/// One sentence above the canvas, with a button that sends it away.
#pragma once

#include <QFrame>

class QLabel;

namespace bankside::window {

class Banner : public QFrame {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  void showSentence(const QString& sentence);
  QString sentence() const;

 private:
  QLabel* text_;
};

}  // namespace bankside::window
