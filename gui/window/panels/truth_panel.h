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
  /// Whether panes show what is found, missed and false.
  void shownChanged(bool shown);
  /// Of what is found, missed and false over what the panes show; 0..1.
  void opacityChanged(double opacity);

 private:
  void readTruth();

  Session& session_;
  Truth& truth_;
  QLabel* file_;
  QPushButton* inside_;
  RocView* roc_;
  QLabel* area_;
  QSlider* threshold_;
  QCheckBox* best_;
  QLabel* found_;
};

}  // namespace bankside::window
