#include "gui/window/panels/roc_view.h"

#include <QPainter>
#include <algorithm>
#include <utility>

namespace bankside::window {

RocView::RocView(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(90);
  setAccessibleName(tr("Receiver operating characteristic"));
}

void RocView::setCurve(std::vector<RocCurve::Point> points, std::vector<Dot> dots) {
  points_ = std::move(points);
  dots_ = std::move(dots);
  update();
}

void RocView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!isEnabled()) painter.setOpacity(0.5);
  const int line = fontMetrics().height();
  const int side = std::min(width() - 2 * (line + 4), height() - line - 8);
  const QRectF box((width() - side) / 2.0, 6 + (height() - line - 8 - side) / 2, side, side);
  painter.fillRect(box, palette().color(QPalette::Base));
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(box);
  painter.drawLine(box.bottomLeft(), box.topRight());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(0, box.bottom(), width(), line), Qt::AlignCenter, tr("background called vessel"));
  painter.save();
  painter.translate(box.left() - 3, box.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-box.height() / 2, -line, box.height(), line), Qt::AlignCenter, tr("vessel found"));
  painter.restore();
  if (points_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const auto at = [&](double falsePositives, double recall) {
    return QPointF(box.left() + falsePositives * side, box.bottom() - recall * side);
  };
  QPolygonF curve{at(0, 0)};
  for (const RocCurve::Point& point : points_) curve << at(point.falsePositiveRate, point.recall);
  const QColor own = palette().color(QPalette::Highlight);
  painter.setPen(QPen(own, 2));
  painter.drawPolyline(curve);
  for (const Dot& dot : dots_) {
    const QColor color = dot.color.isValid() ? dot.color : own;
    painter.setPen(QPen(color, 2));
    painter.setBrush(color);
    painter.drawEllipse(at(1 - dot.at.specificity(), dot.at.sensitivity()), 4, 4);
  }
}

}  // namespace bankside::window
