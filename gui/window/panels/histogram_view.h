/// A histogram with the two levels as handles: drag one, or what lies between them.
#pragma once

#include <QWidget>

#include "gui/window/compute/plane_renderer.h"

namespace bankside::window {

class HistogramView : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramView(QWidget* parent = nullptr);

  /// The histogram is copied; `style` colours the strip below it.
  void show(const Histogram& histogram, const RenderStyle& style);
  void clear();
  QSize sizeHint() const override { return {260, 130}; }
  QSize minimumSizeHint() const override { return {160, 90}; }

  /// Where a value lies, in device-independent pixels from the left.
  double positionOf(double value) const;

 Q_SIGNALS:
  void levelsDragged(bankside::window::Levels levels);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Grip { None, Low, High, Both };
  Grip gripAt(double x) const;
  double valueAt(double x) const;
  double from() const;  ///< the axis: the histogram, and the levels where they lie outside it
  double to() const;

  Histogram histogram_;
  RenderStyle style_;
  bool empty_ = true;
  Grip grip_ = Grip::None;
  double pressedAt_ = 0;
  Levels pressedLevels_;
  double axisFrom_ = 0;  // does not move under the mouse
  double axisTo_ = 1;
};

}  // namespace bankside::window
