/// A choice whose closed text is the short one, or ends in dots, where there is no room for all of it.
#pragma once

#include <QComboBox>

namespace bankside::window {

class ElidingBox : public QComboBox {
  Q_OBJECT
 public:
  /// Of an item's data: a shorter text for the closed box.
  static constexpr int shortRole = Qt::UserRole + 1;
  /// No layout makes it narrower than `least` characters; `wanted` is what it asks for.
  ElidingBox(Qt::TextElideMode mode, int least, int wanted, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode mode_;
};

}  // namespace bankside::window
