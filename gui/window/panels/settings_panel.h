/// How filters are computed: engine, precision, border, mode, a second bank, threads.
#pragma once

#include <QWidget>

#include "gui/window/session/workflow.h"

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
  /// `all`: with those that cannot run here.
  void fillEngines(bool all);
  void readSession();
  void writeSession();
  void updateRefusals();

  Session& session_;
  Workflow& workflow_;
  QComboBox* engine_;
  QComboBox* precision_;
  QComboBox* border_;
  QDoubleSpinBox* borderValue_;
  QComboBox* mode_;
  QWidget* second_;
  QSpinBox* threads_;
  QLabel* note_;
  QFormLayout* form_;
};

}  // namespace bankside::window
