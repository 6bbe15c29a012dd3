/// Which page of a file is shown, and of how many; or all of them as one. Hidden where a file has one page.
#pragma once

#include <QWidget>

#include "gui/window/session/session.h"

class QCheckBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace bankside::window {

class PageBar : public QWidget {
  Q_OBJECT
 public:
  explicit PageBar(Session& session, QWidget* parent = nullptr);
  /// Back to what is open, where what was asked for could not be had.
  void readSession();

 Q_SIGNALS:
  void pageWanted(int page);  ///< from 0

 private:
  Session& session_;
  QSlider* slider_;
  QSpinBox* number_;
  QLabel* all_;
  QCheckBox* largest_;
};

}  // namespace bankside::window
