/// The second bank of a recipe: which, what it sees of the first one's maps, and what becomes of its
/// responses.
#pragma once

#include <QWidget>

#include "gui/window/session/workflow.h"

class QComboBox;
class QFormLayout;
class QLabel;

namespace bankside::window {

class SecondBankForm : public QWidget {
  Q_OBJECT
 public:
  SecondBankForm(Session& session, Workflow& workflow, QWidget* parent = nullptr);

 private:
  void chooseBank();
  void readSession();
  void writeSession();

  Session& session_;
  Workflow& workflow_;
  QFormLayout* form_;
  QComboBox* bank_;
  QComboBox* activation_;
  QComboBox* mode_;
  QComboBox* combine_;
};

}  // namespace bankside::window
