/// What becomes of results in files.
#pragma once

#include <QWidget>

#include "gui/window/session/session.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace bankside::window {

class ExportPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ExportPanel(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  void exportWanted();

 private:
  void readSession();
  void writeSession();
  void takeThreshold();

  Session& session_;
  QFormLayout* form_;
  QComboBox* map_;
  QLineEdit* threshold_;
  QComboBox* format_;
  QComboBox* verify_;
  QCheckBox* responses_;
};

}  // namespace bankside::window
