/// A receiver operating characteristic, with dots where thresholds and people are.
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "core/evaluate/roc_curve.h"

namespace bankside::window {

class RocView : public QWidget {
  Q_OBJECT
 public:
  struct Dot {
    Confusion at;
    QColor color;  ///< none: the curve's own
  };

  explicit RocView(QWidget* parent = nullptr);
  void setCurve(std::vector<RocCurve::Point> points, std::vector<Dot> dots);
  QSize sizeHint() const override { return {200, 180}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<RocCurve::Point> points_;
  std::vector<Dot> dots_;
};

}  // namespace bankside::window
