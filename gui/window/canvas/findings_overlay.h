/// What is found, missed and false, in colours over a pane. The mouse does not see it.
#pragma once

#include <QImage>
#include <QWidget>

#include "gui/window/session/truth.h"

namespace bankside::window {

class ImagePane;

class FindingsOverlay : public QWidget {
  Q_OBJECT
 public:
  FindingsOverlay(Truth& truth, ImagePane* pane);
  void setOpacity(double opacity);  ///< 0..1

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Truth& truth_;
  ImagePane* pane_;
  QImage buffer_;
  double opacity_ = 1;
};

}  // namespace bankside::window
