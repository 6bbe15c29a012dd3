/// Everything the engines can be told: engine, border, mode, combine, channel, output.
#pragma once

#include <QWidget>

#include "gui/window/session/workflow.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QDoubleSpinBox;
class QSpinBox;

namespace bankside::window {

class SettingsPanel : public QWidget {
  Q_OBJECT
 public:
  SettingsPanel(Session& session, Workflow& workflow, QWidget* parent = nullptr);

 private:
  QComboBox* addChoice(QFormLayout* form, const QString& title, const QString& name, const QString& hint);
  void readSession();
  void writeSession();
  void updateRefusals();

  Session& session_;
  Workflow& workflow_;
  QComboBox* engine_;
  QComboBox* precision_;
  QComboBox* channel_;
  QComboBox* border_;
  QDoubleSpinBox* borderValue_;
  QComboBox* mode_;
  QComboBox* combine_;
  QComboBox* map_;
  QComboBox* verify_;
  QComboBox* format_;
  QCheckBox* responses_;
  QSpinBox* threads_;
  QLabel* note_;
  QFormLayout* form_;
};

}  // namespace bankside::window
