/// Our output against manual vessels: the ROC curve, the area under it, and one threshold.
#pragma once

#include <QWidget>

#include "gui/window/session/truth.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSlider;

namespace bankside::window {

class RocView;

class TruthPanel : public QWidget {
  Q_OBJECT
 public:
  TruthPanel(Session& session, Truth& truth, QWidget* parent = nullptr);

 Q_SIGNALS:
  void truthWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void readTruth();
  template <class Member, class Value>
  void set(Member member, const Value& value);

  Session& session_;
  Truth& truth_;
  QPushButton* open_;
  QPushButton* none_;
  QLabel* file_;
  QPushButton* inside_;
  QPushButton* resume_;
  RocView* roc_;
  QLabel* area_;
  QSlider* threshold_;
  QCheckBox* best_;
  QLabel* found_;
  QCheckBox* shown_;
  QLabel* legend_;
  QSlider* opacity_;
};

}  // namespace bankside::window
