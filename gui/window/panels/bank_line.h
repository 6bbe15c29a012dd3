/// The bank by name: the catalogue as a list, and a line for parameters or a file.
#pragma once

#include <QWidget>

#include "gui/window/workflow.h"

class QComboBox;
class QLabel;

namespace bankside::window {

class BankLine : public QWidget {
  Q_OBJECT
 public:
  BankLine(Session& session, Workflow& workflow, QWidget* parent = nullptr);

 private:
  void readSession();
  Session& session_;
  Workflow& workflow_;
  QComboBox* spec_;
  QLabel* title_;
};

}  // namespace bankside::window
