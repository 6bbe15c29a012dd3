/// What goes into the bank and what comes out: the channel, and the combine. Beside the bank's parameters.
#pragma once

#include <QWidget>

#include "gui/window/session/session.h"

class QComboBox;
class QFormLayout;

namespace bankside::window {

class PlanesForm : public QWidget {
  Q_OBJECT
 public:
  explicit PlanesForm(Session& session, QWidget* parent = nullptr);

 private:
  void readSession();
  void writeSession();

  Session& session_;
  QFormLayout* form_;
  QComboBox* channel_;
  QComboBox* combine_;
};

}  // namespace bankside::window
