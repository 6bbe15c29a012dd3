/// Where image pixels lie in a pane: the arithmetic behind zoom, pan and picking, without a widget.
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <QSize>

#include "gui/window/compute/plane_renderer.h"
#include "gui/window/session/session_state.h"

namespace bankside::window {

inline constexpr double smallestZoom = 1.0 / 512;
inline constexpr double largestZoom = 160;

/// From this zoom on, pixels show a grid and their values.
inline constexpr double valueZoom = 44;

class PaneGeometry {
 public:
  /// `pane` in device-independent pixels. From four device pixels an image pixel up the zoom is whole, and
  /// the image's pixels always begin on device pixels, so that the grid is even at 1.25 or 1.5 times scaling
  /// as well.
  PaneGeometry(QSize pane, double devicePixelRatio, QSize image, const View& view);

  double zoom() const { return viewport_.zoom / ratio_; }  ///< device-independent pixels an image pixel
  const Viewport& viewport() const { return viewport_; }   ///< in device pixels
  QSize deviceSize() const { return device_; }

  QPointF imageAt(QPointF widget) const;
  QPointF widgetAt(QPointF image) const;
  QPoint pixelAt(QPointF widget) const;  ///< may lie outside the image
  QRectF rectOf(QPoint pixel) const;     ///< in the widget
  /// Image pixels that are at least partly visible, clipped to the image.
  QRect visible() const;

  /// The view after zooming by `factor` so that what is under `fixed` stays there.
  View zoomed(double factor, QPointF fixed) const;
  /// The view after moving the image by `offset` device-independent pixels.
  View moved(QPointF offset) const;

 private:
  QSize pane_;
  double ratio_;
  QSize image_;
  QSize device_;
  Viewport viewport_;
};

}  // namespace bankside::window
