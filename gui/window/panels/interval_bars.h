/// Medians with their intervals and every sample, one bar an engine and thread count, on one time axis.
#pragma once

#include <QWidget>
#include <memory>

#include "gui/window/session/workflow.h"

namespace bankside::window {

class IntervalBars : public QWidget {
  Q_OBJECT
 public:
  explicit IntervalBars(QWidget* parent = nullptr);
  void setMeasurement(std::shared_ptr<const Measurement> measurement);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double rowHeight() const;
  void paintLegend(QPainter& painter, QPointF at);
  std::shared_ptr<const Measurement> measurement_;
};

}  // namespace bankside::window
