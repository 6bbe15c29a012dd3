/// Shows one plane, or two parted by a line. All panes share the session's view, so that they move as one.
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "gui/window/canvas/pane_geometry.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class ImagePane : public QWidget {
  Q_OBJECT
 public:
  ImagePane(Session& session, int pane, QWidget* parent = nullptr);

  /// Shows `other`'s plane instead while on: blinking between two.
  void setBlink(std::optional<int> other);
  /// While set, the next drag draws a region of that kind; holding shift draws one at any time.
  void setDrawing(std::optional<RegionKind> kind);
  PaneGeometry geometryNow() const;
  QSize sizeHint() const override { return {360, 320}; }
  QSize minimumSizeHint() const override { return {140, 120}; }

 Q_SIGNALS:
  /// Nothing when the mouse leaves.
  void hovered(std::optional<QPoint> pixel);
  /// A region was drawn, or given up.
  void drawn();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  bool swiping() const;
  double dividerX() const;
  PlaneKey keyOfPane(int pane) const;
  /// Renders a plane into columns [first, last) of the buffer; says whether there was one.
  bool render(const PlaneKey& key, const PaneGeometry& geometry, int first, int last);
  void renderPatch(const PlanePatch& part, const Viewport& viewport, const RenderStyle& style,
                   const Screen& screen);
  void paintPlane(QPainter& painter, const PlaneKey& key, const PaneGeometry& geometry, const QRectF& part);
  void paintValues(QPainter& painter, const PlaneKey& key, const Plane& plane, const PaneGeometry& geometry);
  void paintSelection(QPainter& painter, const PaneGeometry& geometry);
  void paintMessage(QPainter& painter, const QString& text, const QRectF& part);
  void paintCaption(QPainter& painter, const QString& text, bool right);
  void paintDivider(QPainter& painter);
  void paintRegion(QPainter& painter, const PaneGeometry& geometry);
  void drawTo(QPointF at);
  bool inImage(QPoint pixel) const;

  Session& session_;
  int pane_;
  std::optional<int> blink_;
  QImage buffer_;
  QPointF pressed_;
  QPointF last_;
  enum class Drag { None, Undecided, Pan, Divider, Region } drag_ = Drag::None;
  std::optional<RegionKind> drawing_;
};

}  // namespace bankside::window
