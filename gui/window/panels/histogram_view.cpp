#include "gui/window/panels/histogram_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace bankside::window {
namespace {

constexpr double margin = 8;
constexpr double stripHeight = 12;
constexpr double gripReach = 6;

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("histogram"));
  setAccessibleName(tr("Histogram with levels"));
  setAccessibleDescription(tr(
      "Drag a handle to set a level, drag between them to move both. Left and right move both, up and down "
      "narrow and widen."));
  setToolTip(tr("Drag a handle to set a level; drag between them to move both. Heights are logarithmic."));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void HistogramView::show(const Histogram& histogram, const RenderStyle& style) {
  histogram_ = histogram;
  style_ = style;
  empty_ = histogram.total == 0;
  if (grip_ == Grip::None) {
    axisFrom_ = std::min<double>(histogram.low, std::min(style.levels.low, style.levels.high));
    axisTo_ = std::max<double>(histogram.high, std::max(style.levels.low, style.levels.high));
    if (axisTo_ <= axisFrom_) axisTo_ = axisFrom_ + 1;
  }
  update();
}

void HistogramView::clear() {
  empty_ = true;
  update();
}

double HistogramView::from() const { return axisFrom_; }
double HistogramView::to() const { return axisTo_; }

double HistogramView::positionOf(double value) const {
  return margin + (value - from()) / (to() - from()) * (width() - 2 * margin);
}

double HistogramView::valueAt(double x) const {
  return from() + (x - margin) / std::max(1.0, width() - 2 * margin) * (to() - from());
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double bottom = height() - stripHeight - 6;
  painter.fillRect(QRectF(margin, 2, width() - 2 * margin, bottom - 2), palette().color(QPalette::Base));
  if (empty_) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter, tr("no values"));
    return;
  }
  const auto most = *std::max_element(histogram_.counts.begin(), histogram_.counts.end());
  const double scale = (bottom - 6) / std::log1p(static_cast<double>(most));
  QPainterPath path(QPointF(positionOf(histogram_.low), bottom));
  const double step = (static_cast<double>(histogram_.high) - histogram_.low) / (Histogram::bins - 1);
  for (int i = 0; i < Histogram::bins; ++i) {
    const double x = positionOf(histogram_.low + i * step);
    path.lineTo(
        x, bottom - scale * std::log1p(static_cast<double>(histogram_.counts[static_cast<std::size_t>(i)])));
  }
  path.lineTo(positionOf(histogram_.high), bottom);
  QColor fill = palette().color(QPalette::Text);
  fill.setAlpha(150);
  painter.fillPath(path, fill);

  const double low = positionOf(style_.levels.low);
  const double high = positionOf(style_.levels.high);
  QColor window = palette().color(QPalette::Highlight);
  window.setAlpha(38);
  painter.fillRect(QRectF(QPointF(low, 2), QPointF(high, bottom)).normalized(), window);
  for (int x = static_cast<int>(margin); x < width() - margin; ++x) {
    painter.fillRect(QRectF(x, bottom + 4, 1.5, stripHeight - 2),
                     QColor::fromRgb(colorOf(static_cast<float>(valueAt(x)), style_)));
  }
  for (const double x : {low, high}) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawLine(QPointF(x, 2), QPointF(x, bottom + 2));
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.drawEllipse(QPointF(x, bottom + 2), 5, 5);
  }
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

HistogramView::Grip HistogramView::gripAt(double x) const {
  if (empty_) return Grip::None;
  const double low = positionOf(style_.levels.low);
  const double high = positionOf(style_.levels.high);
  const bool nearLow = std::abs(x - low) <= gripReach;
  const bool nearHigh = std::abs(x - high) <= gripReach;
  if (nearLow && nearHigh) return std::abs(x - low) < std::abs(x - high) ? Grip::Low : Grip::High;
  if (nearLow) return Grip::Low;
  if (nearHigh) return Grip::High;
  return x > std::min(low, high) && x < std::max(low, high) ? Grip::Both : Grip::None;
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  grip_ = gripAt(event->position().x());
  pressedAt_ = event->position().x();
  pressedLevels_ = style_.levels;
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (grip_ == Grip::None) {
    const Grip grip = gripAt(x);
    setCursor(grip == Grip::Both   ? Qt::SizeAllCursor
              : grip == Grip::None ? Qt::ArrowCursor
                                   : Qt::SizeHorCursor);
    return;
  }
  const auto shift = static_cast<float>(valueAt(x) - valueAt(pressedAt_));
  Levels levels = pressedLevels_;
  if (grip_ != Grip::High) levels.low += shift;
  if (grip_ != Grip::Low) levels.high += shift;
  Q_EMIT levelsDragged(levels);
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) {
  grip_ = Grip::None;
  show(histogram_, style_);  // the axis may grow now
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
  const float step = (style_.levels.high - style_.levels.low) / 20;
  Levels levels = style_.levels;
  switch (event->key()) {
    case Qt::Key_Left: levels = {levels.low - step, levels.high - step}; break;
    case Qt::Key_Right: levels = {levels.low + step, levels.high + step}; break;
    case Qt::Key_Up: levels = {levels.low + step, levels.high - step}; break;
    case Qt::Key_Down: levels = {levels.low - step, levels.high + step}; break;
    default: return QWidget::keyPressEvent(event);
  }
  if (!empty_) Q_EMIT levelsDragged(levels);
}

}  // namespace bankside::window
