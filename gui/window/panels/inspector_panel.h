/// The selected pixel in every pane, and where it is.
#pragma once

#include <QWidget>

#include "gui/window/models/inspector_model.h"

class QLabel;
class QSpinBox;
class QTableView;

namespace bankside::window {

class InspectorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorPanel(Session& session, QWidget* parent = nullptr);

 private:
  void readSession();
  /// As high as its rows: none of them is scrolled for, and what explains the pixel has the rest.
  void fitTable();

  Session& session_;
  InspectorModel* model_;
  QTableView* table_;
  QSpinBox* x_;
  QSpinBox* y_;
  QLabel* hint_;
};

}  // namespace bankside::window
