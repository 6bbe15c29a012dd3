/// A recipe of steps: what it is, what it does, and the scale of the pictures that it asks for.
#pragma once

#include <QWidget>

#include "gui/window/session/workflow.h"

class QDoubleSpinBox;
class QLabel;
class QListWidget;

namespace bankside::window {

class RecipePanel : public QWidget {
  Q_OBJECT
 public:
  RecipePanel(Session& session, Workflow& workflow, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Back to banks by themselves.
  void bankWanted();

 private:
  void readSession();

  Session& session_;
  QLabel* title_;
  QLabel* citation_;
  QDoubleSpinBox* scale_;
  QDoubleSpinBox* width_;  ///< of the widest vessels, which says the same
  QWidget* scaleRow_;
  QListWidget* steps_;
};

}  // namespace bankside::window
