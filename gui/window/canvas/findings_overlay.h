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
  FindingsOverlay(const Session& session, const Truth& truth, ImagePane* pane);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  const Session& session_;
  const Truth& truth_;
  ImagePane* pane_;
  QImage buffer_;
};

}  // namespace bankside::window
