/// The bank as a whole: how much its filters repeat each other, and what each answers at the pixel.
#pragma once

#include <QWidget>

#include "gui/window/models/bank_answers_model.h"
#include "gui/window/session/analysis.h"

class QLabel;
class QPushButton;
class QTableView;

namespace bankside::window {

class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  explicit AnalysisPanel(Analysis& analysis, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void readAnalysis();
  QString redundancyText() const;

  Analysis& analysis_;
  BankAnswersModel* model_;
  QLabel* redundancy_;
  QLabel* text_;
  QPushButton* resume_;
  QTableView* table_;
};

}  // namespace bankside::window
