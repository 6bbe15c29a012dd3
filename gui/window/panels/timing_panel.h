/// The side-by-side of engines: measure on a button, then a table and bars.
#pragma once

#include <QWidget>

#include "gui/window/models/timing_model.h"

class QAction;
class QComboBox;
class QMenu;
class QLabel;
class QPushButton;
class QTableView;

namespace bankside::window {

class IntervalBars;

class TimingPanel : public QWidget {
  Q_OBJECT
 public:
  TimingPanel(Session& session, Workflow& workflow, RunController& controller, QWidget* parent = nullptr);
  void measure();
  /// The engines that are ticked in the list.
  std::vector<const Engine*> contenders() const;
  MeasureOptions options() const;
  /// The report that is shown, or null; `current` says whether it is of what the window shows.
  std::shared_ptr<const Measurement> measurement() const { return model_->measurement(); }

 Q_SIGNALS:
  void saveRequested();

 private:
  void showMeasurement();
  void showState();

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  TimingModel* model_;
  QPushButton* start_;
  QPushButton* save_;
  QComboBox* effort_;
  QMenu* engines_;
  std::vector<std::pair<const Engine*, QAction*>> choices_;
  QLabel* caption_;
  QLabel* last_;
  QTableView* table_;
  IntervalBars* bars_;
  QWidget* halves_;
  bool measuring_ = false;
};

}  // namespace bankside::window
