/// What mouse and keyboard do in a pane.
#include <QApplication>
#include <QMouseEvent>
#include <cmath>

#include "gui/window/canvas/image_pane.h"

namespace bankside::window {
namespace {

constexpr double wheelStep = 1.25;
constexpr double dividerReach = 7;

}  // namespace

void ImagePane::drawTo(QPointF at) {
  const PicturePtr& picture = session_.picture();
  if (!picture) return;
  const PaneGeometry geometry = geometryNow();
  const QPoint a = geometry.pixelAt(pressed_);
  const QPoint b = geometry.pixelAt(at);
  const QRect box = QRect(QPoint(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                          QPoint(std::max(a.x(), b.x()), std::max(a.y(), b.y())))
                        .intersected(QRect(0, 0, picture->info.width, picture->info.height));
  if (box.isEmpty()) return;
  RegionSpec spec = session_.state().region;
  const bool ellipse = drawing_ ? drawing_ == RegionKind::Ellipse : spec.kind == RegionKind::Ellipse;
  spec = {ellipse ? RegionKind::Ellipse : RegionKind::Rectangle,
          box.x(),
          box.y(),
          box.width(),
          box.height(),
          spec.file};
  session_.setRegion(spec);
}

void ImagePane::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  if (event->button() == Qt::MiddleButton) drag_ = Drag::Pan;
  if (event->button() != Qt::LeftButton) return;
  if (drawing_ || event->modifiers() & Qt::ShiftModifier) {
    drag_ = Drag::Region;
    return;
  }
  const bool divider = swiping() && std::abs(event->position().x() - dividerX()) <= dividerReach;
  drag_ = divider ? Drag::Divider : Drag::Undecided;
}

void ImagePane::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_ == Drag::Undecided && (at - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
    drag_ = Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
  }
  if (drag_ == Drag::Region) drawTo(at);
  if (drag_ == Drag::Divider) session_.setSwipe(at.x() / std::max(1, width()));
  if (drag_ == Drag::Pan) {
    session_.setView(geometryNow().moved(at - last_));
    last_ = at;
  }
  if (drag_ == Drag::None) {
    const bool divider = swiping() && std::abs(at.x() - dividerX()) <= dividerReach;
    setCursor(divider ? Qt::SplitHCursor : Qt::CrossCursor);
  }
  const QPoint pixel = geometryNow().pixelAt(at);
  Q_EMIT hovered(inImage(pixel) ? std::optional(pixel) : std::nullopt);
}

void ImagePane::mouseReleaseEvent(QMouseEvent* event) {
  if (drag_ == Drag::Undecided) {
    const QPoint pixel = geometryNow().pixelAt(event->position());
    if (inImage(pixel)) session_.setPixel(pixel);
  }
  if (drag_ == Drag::Region) {
    drawTo(event->position());
    drawing_.reset();
    Q_EMIT drawn();
  }
  drag_ = Drag::None;
  setCursor(Qt::CrossCursor);
}

void ImagePane::mouseDoubleClickEvent(QMouseEvent* event) {
  View view = session_.state().view;
  if (view.fit) {
    view = geometryNow().zoomed(1.0 / geometryNow().zoom(), event->position());
  } else {
    view.fit = true;
  }
  session_.setView(view);
}

void ImagePane::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() == 0) return event->ignore();
  const double factor = std::pow(wheelStep, event->angleDelta().y() / 120.0);
  session_.setView(geometryNow().zoomed(factor, event->position()));
  event->accept();
}

void ImagePane::keyPressEvent(QKeyEvent* event) {
  const double step = event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.08;
  const QPointF middle(width() / 2.0, height() / 2.0);
  auto pixel = session_.state().pixel;
  const bool movePixel = event->modifiers() & Qt::ControlModifier && pixel.has_value();
  const auto arrow = [&](int dx, int dy) {
    if (movePixel) {
      const QPoint next = *pixel + QPoint(dx, dy);
      if (inImage(next)) session_.setPixel(next);
    } else {
      session_.setView(geometryNow().moved({-dx * step * width(), -dy * step * height()}));
    }
  };
  switch (event->key()) {
    case Qt::Key_Left: return arrow(-1, 0);
    case Qt::Key_Right: return arrow(1, 0);
    case Qt::Key_Up: return arrow(0, -1);
    case Qt::Key_Down: return arrow(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return session_.setView(geometryNow().zoomed(wheelStep, middle));
    case Qt::Key_Minus: return session_.setView(geometryNow().zoomed(1 / wheelStep, middle));
    case Qt::Key_Home: {
      View view = session_.state().view;
      view.fit = true;
      return session_.setView(view);
    }
    default: QWidget::keyPressEvent(event);
  }
}

void ImagePane::leaveEvent(QEvent*) { Q_EMIT hovered(std::nullopt); }

}  // namespace bankside::window
