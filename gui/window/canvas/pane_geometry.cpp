#include "gui/window/canvas/pane_geometry.h"

#include <algorithm>
#include <cmath>

namespace bankside::window {
namespace {
constexpr double fitMargin = 4;  // device-independent pixels around a fitted image
constexpr double wholeZoomFrom = 4;
}  // namespace

PaneGeometry::PaneGeometry(QSize pane, double devicePixelRatio, QSize image, const View& view)
    : pane_(pane),
      ratio_(devicePixelRatio),
      image_(image.isEmpty() ? QSize(1, 1) : image),
      device_(static_cast<int>(std::lround(pane.width() * devicePixelRatio)),
              static_cast<int>(std::lround(pane.height() * devicePixelRatio))) {
  double zoom = view.zoom;
  double centerX = view.centerX;
  double centerY = view.centerY;
  if (view.fit) {
    const double room = std::min((pane.width() - 2 * fitMargin) / image_.width(),
                                 (pane.height() - 2 * fitMargin) / image_.height());
    zoom = std::clamp(room, smallestZoom, largestZoom);
    centerX = image_.width() / 2.0;
    centerY = image_.height() / 2.0;
  }
  viewport_.zoom = zoom * ratio_;
  if (viewport_.zoom >= wholeZoomFrom) viewport_.zoom = std::round(viewport_.zoom);
  const auto origin = [&](double center, int side) {
    return std::round(center * viewport_.zoom - side / 2.0) / viewport_.zoom;
  };
  viewport_.originX = origin(centerX, device_.width());
  viewport_.originY = origin(centerY, device_.height());
}

QPointF PaneGeometry::imageAt(QPointF widget) const {
  return {viewport_.originX + widget.x() * ratio_ / viewport_.zoom,
          viewport_.originY + widget.y() * ratio_ / viewport_.zoom};
}

QPointF PaneGeometry::widgetAt(QPointF image) const {
  return {(image.x() - viewport_.originX) * viewport_.zoom / ratio_,
          (image.y() - viewport_.originY) * viewport_.zoom / ratio_};
}

QPoint PaneGeometry::pixelAt(QPointF widget) const {
  const QPointF at = imageAt(widget);
  return {static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y()))};
}

QRectF PaneGeometry::rectOf(QPoint pixel) const {
  return {widgetAt(QPointF(pixel)), widgetAt(QPointF(pixel + QPoint(1, 1)))};
}

QRect PaneGeometry::visible() const {
  const QRect all(pixelAt({0, 0}), pixelAt(QPointF(pane_.width(), pane_.height())));
  return all.intersected(QRect(QPoint(0, 0), image_));
}

View PaneGeometry::zoomed(double factor, QPointF fixed) const {
  const QPointF at = imageAt(fixed);
  View view;
  view.fit = false;
  view.zoom = std::clamp(zoom() * factor, smallestZoom, largestZoom);
  double device = view.zoom * ratio_;
  if (device >= wholeZoomFrom) {
    // What is drawn is the whole zoom; and it must change by a step of the wheel, however small that is.
    device = std::round(device);
    if (device == viewport_.zoom && factor != 1) device += factor > 1 ? 1 : -1;
    view.zoom = std::clamp(device / ratio_, smallestZoom, largestZoom);
  }
  view.centerX = at.x() + (pane_.width() / 2.0 - fixed.x()) / view.zoom;
  view.centerY = at.y() + (pane_.height() / 2.0 - fixed.y()) / view.zoom;
  view.centerX = std::clamp(view.centerX, 0.0, static_cast<double>(image_.width()));
  view.centerY = std::clamp(view.centerY, 0.0, static_cast<double>(image_.height()));
  return view;
}

View PaneGeometry::moved(QPointF offset) const {
  const QPointF center = imageAt(QPointF(pane_.width() / 2.0, pane_.height() / 2.0)) - offset / zoom();
  View view;
  view.fit = false;
  view.zoom = zoom();
  view.centerX = std::clamp(center.x(), 0.0, static_cast<double>(image_.width()));
  view.centerY = std::clamp(center.y(), 0.0, static_cast<double>(image_.height()));
  return view;
}

}  // namespace bankside::window
