/// The bank as a whole: how much its filters repeat each other, and what each answers at the pixel.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "gui/window/models/bank_answers_model.h"
#include "gui/window/session/session.h"

class QLabel;
class QTableView;

namespace bankside::window {

class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  explicit AnalysisPanel(Session& session, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void readSession();

  Session& session_;
  QTimer soon_;                                 ///< one look for all that changes at once
  std::shared_ptr<const FilterBank> analyzed_;  ///< what the sentence is about
  BankAnswersModel* model_;
  QLabel* redundancy_;
  QLabel* text_;
  QTableView* table_;
};

}  // namespace bankside::window
