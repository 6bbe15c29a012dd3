/// Explain this pixel: taps times pixels, and the sum as it grows.
#pragma once

#include <QWidget>

#include "gui/window/models/explanation_model.h"
#include "gui/window/session/session.h"

class QLabel;
class QTableView;

namespace bankside::window {

class ExplainPanel : public QWidget {
  Q_OBJECT
 public:
  ExplainPanel(Session& session, SelectEngine select, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void readSession();
  /// What tells the panes' value at the pixel from the one that is explained; empty where nothing does.
  QString ofPanes(float value) const;
  /// In a narrow panel as many columns as it has room for.
  void fitColumns();

  Session& session_;
  SelectEngine select_;
  ExplanationModel* model_;
  QLabel* text_;
  QTableView* table_;
};

}  // namespace bankside::window
