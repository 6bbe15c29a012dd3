#include "gui/window/canvas/image_pane.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "gui/window/canvas/layer_title.h"
#include "gui/window/canvas/mask_outline.h"
#include "gui/window/value_text.h"

namespace bankside::window {
namespace {

constexpr double wheelStep = 1.25;
constexpr double dividerReach = 7;
constexpr std::uint32_t outlineColor = 0xff00c8ff;

bool isDark(std::uint32_t color) {
  return 0.299 * qRed(color) + 0.587 * qGreen(color) + 0.114 * qBlue(color) < 128;
}

}  // namespace

ImagePane::ImagePane(Session& session, int pane, QWidget* parent)
    : QWidget(parent), session_(session), pane_(pane) {
  setObjectName(QStringLiteral("imagePane%1").arg(pane));
  setAccessibleName(tr("Image pane %1").arg(pane + 1));
  setAccessibleDescription(tr("Arrow keys move, plus and minus zoom, Home fits, space blinks."));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAttribute(Qt::WA_OpaquePaintEvent);
  for (const auto signal :
       {&Session::viewChanged, &Session::levelsChanged, &Session::resultsChanged, &Session::pixelChanged,
        &Session::panesChanged, &Session::regionChanged, &Session::regionMeasured}) {
    connect(&session_, signal, this, qOverload<>(&QWidget::update));
  }
}

void ImagePane::setBlink(std::optional<int> other) {
  if (other == blink_) return;
  blink_ = other;
  update();
}

void ImagePane::setDrawing(std::optional<RegionKind> kind) {
  drawing_ = kind;
  setCursor(Qt::CrossCursor);
}

PaneGeometry ImagePane::geometryNow() const {
  const PicturePtr& picture = session_.picture();
  const QSize image = picture ? QSize(picture->info.width, picture->info.height) : QSize();
  return {size(), devicePixelRatioF(), image, session_.state().view};
}

bool ImagePane::swiping() const { return session_.state().mode == CanvasMode::Swipe && pane_ == 0; }

double ImagePane::dividerX() const { return std::round(session_.state().swipe * width()); }

PlaneKey ImagePane::keyOfPane(int pane) const {
  const auto& panes = session_.state().panes;
  const auto last = static_cast<int>(panes.size()) - 1;
  return session_.keyOf(panes[static_cast<std::size_t>(std::min(pane, last))]);
}

bool ImagePane::inImage(QPoint pixel) const {
  const PicturePtr& picture = session_.picture();
  return picture && pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() < picture->info.width &&
         pixel.y() < picture->info.height;
}

bool ImagePane::render(const PlaneKey& key, const PaneGeometry& geometry, int first, int last) {
  const PlaneResult* held = session_.result(key);
  if (last <= first) return held != nullptr && held->plane != nullptr;
  RenderStyle style = session_.styleFor(key);
  style.outside = palette().color(QPalette::Mid).darker(110).rgb();
  Viewport viewport = geometry.viewport();
  viewport.originX += first / viewport.zoom;
  const Screen screen{reinterpret_cast<std::uint32_t*>(buffer_.bits()) + first, last - first,
                      buffer_.height(), buffer_.bytesPerLine() / 4};
  if (held == nullptr || held->plane == nullptr) {
    for (int y = 0; y < screen.height; ++y) {
      std::fill_n(screen.pixels + y * screen.stride, screen.width, style.outside);
    }
    return false;
  }
  renderPlane(*held->plane, viewport, style, screen);
  return true;
}

void ImagePane::paintEvent(QPaintEvent*) {
  const PaneGeometry geometry = geometryNow();
  if (buffer_.size() != geometry.deviceSize()) {
    buffer_ = QImage(geometry.deviceSize(), QImage::Format_RGB32);
  }
  const PlaneKey mine = keyOfPane(blink_.value_or(pane_));
  const bool two = swiping() && !blink_;
  const int divider = two ? static_cast<int>(std::lround(dividerX() * devicePixelRatioF())) : buffer_.width();
  render(mine, geometry, 0, std::min(divider, buffer_.width()));
  if (two) render(keyOfPane(1), geometry, std::max(0, divider), buffer_.width());
  if (const MaskPtr& mask = session_.mask(); mask && session_.picture()) {
    renderOutline(*mask, geometry.viewport(), outlineColor,
                  {reinterpret_cast<std::uint32_t*>(buffer_.bits()), buffer_.width(), buffer_.height(),
                   buffer_.bytesPerLine() / 4});
  }

  QPainter painter(this);
  buffer_.setDevicePixelRatio(devicePixelRatioF());
  painter.drawImage(QPointF(0, 0), buffer_);
  buffer_.setDevicePixelRatio(1);  // `render` counts in device pixels
  if (!session_.picture()) {
    paintMessage(painter, tr("Open an image, or drop one here."), rect());
    return;
  }
  const double split = two ? dividerX() : width();
  paintPlane(painter, mine, geometry, QRectF(0, 0, split, height()));
  if (two) {
    paintPlane(painter, keyOfPane(1), geometry, QRectF(split, 0, width() - split, height()));
    paintDivider(painter);
    paintCaption(painter, layerTitle(mine.layer), false);
    paintCaption(painter, layerTitle(keyOfPane(1).layer), true);
  } else if (blink_) {
    paintCaption(painter, layerTitle(mine.layer), false);
  }
  if (!session_.mask()) paintRegion(painter, geometry);
  paintSelection(painter, geometry);
  if (hasFocus() && session_.state().panes.size() > 1) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void ImagePane::paintPlane(QPainter& painter, const PlaneKey& key, const PaneGeometry& geometry,
                           const QRectF& part) {
  const PlaneResult* held = session_.result(key);
  if (held == nullptr) {
    const QString& refusal = session_.channelError();
    paintMessage(painter, refusal.isEmpty() ? tr("Computing…") : refusal, part);
    return;
  }
  if (held->plane == nullptr) {
    paintMessage(painter, QString::fromStdString(held->error), part);
    return;
  }
  painter.save();
  painter.setClipRect(part);
  if (geometry.zoom() >= valueZoom) paintValues(painter, key, *held->plane, geometry);
  if (!session_.fresh(key)) paintCaption(painter, tr("updating…"), false);
  painter.restore();
}

void ImagePane::paintValues(QPainter& painter, const PlaneKey& key, const Plane& plane,
                            const PaneGeometry& geometry) {
  const RenderStyle style = session_.styleFor(key);
  const QRect visible = geometry.visible();
  QFont font = painter.font();
  font.setPointSizeF(std::clamp(geometry.zoom() / 7.0, 6.5, 11.0));
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  for (int y = visible.top(); y <= visible.bottom(); ++y) {
    for (int x = visible.left(); x <= visible.right(); ++x) {
      const QRectF cell = geometry.rectOf({x, y});
      const float value = plane.value(x, y);
      QString text = valueText(value, plane.type());
      for (int digits = 5; digits >= 2 && metrics.horizontalAdvance(text) > cell.width() - 4; --digits) {
        text = shortValueText(value, digits);
      }
      painter.setPen(isDark(colorOf(value, style)) ? Qt::white : Qt::black);
      if (metrics.horizontalAdvance(text) <= cell.width() - 2) painter.drawText(cell, Qt::AlignCenter, text);
    }
  }
  painter.setPen(QPen(QColor(0, 0, 0, 120), 1.0 / devicePixelRatioF()));
  for (int x = visible.left(); x <= visible.right() + 1; ++x) {
    const double at = geometry.rectOf({x, 0}).left();
    painter.drawLine(QPointF(at, 0), QPointF(at, height()));
  }
  for (int y = visible.top(); y <= visible.bottom() + 1; ++y) {
    const double at = geometry.rectOf({0, y}).top();
    painter.drawLine(QPointF(0, at), QPointF(width(), at));
  }
}

void ImagePane::paintSelection(QPainter& painter, const PaneGeometry& geometry) {
  const auto& pixel = session_.state().pixel;
  if (!pixel || !inImage(*pixel)) return;
  QRectF box = geometry.rectOf(*pixel);
  constexpr double smallest = 9;
  if (box.width() < smallest) {
    const QPointF center = box.center();
    box = QRectF(center.x() - smallest / 2, center.y() - smallest / 2, smallest, smallest);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 3));
  painter.drawRect(box);
  painter.setPen(QPen(QColor(255, 214, 10), 1.4));
  painter.drawRect(box);
}

void ImagePane::paintRegion(QPainter& painter, const PaneGeometry& geometry) {
  // Until the worker has made the mask: the shape itself.
  const RegionSpec& spec = session_.state().region;
  if (spec.kind != RegionKind::Rectangle && spec.kind != RegionKind::Ellipse) return;
  const QRectF box(geometry.widgetAt(QPointF(spec.x, spec.y)),
                   geometry.widgetAt(QPointF(spec.x + spec.width, spec.y + spec.height)));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor::fromRgb(outlineColor), 2));
  if (spec.kind == RegionKind::Rectangle) {
    painter.drawRect(box);
  } else {
    painter.drawEllipse(box);
  }
}

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

void ImagePane::paintMessage(QPainter& painter, const QString& text, const QRectF& part) {
  painter.save();
  const QRectF room = part.adjusted(16, 16, -16, -16);
  const int flags = Qt::AlignCenter | Qt::TextWordWrap;
  const QRectF bounds = painter.boundingRect(room, flags, text).adjusted(-10, -7, 10, 7);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::ToolTipBase));
  painter.drawRoundedRect(bounds, 5, 5);
  painter.setPen(palette().color(QPalette::ToolTipText));
  painter.drawText(room, flags, text);
  painter.restore();
}

void ImagePane::paintCaption(QPainter& painter, const QString& text, bool right) {
  painter.save();
  painter.setClipping(false);
  const QFontMetricsF metrics(painter.font());
  QRectF box(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
  box.moveTo(right ? width() - box.width() - 6 : 6, 6);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 170));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(Qt::white);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
}

void ImagePane::paintDivider(QPainter& painter) {
  painter.save();
  const double x = dividerX();
  painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  painter.setPen(QPen(Qt::white, 1));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF grip(x, height() / 2.0);
  painter.setBrush(Qt::white);
  painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
  painter.drawEllipse(grip, 9, 9);
  painter.setPen(QPen(QColor(60, 60, 60), 1.5));
  for (const double side : {-1.0, 1.0}) {
    painter.drawLine(grip + QPointF(2 * side, -4), grip + QPointF(5 * side, 0));
    painter.drawLine(grip + QPointF(2 * side, 4), grip + QPointF(5 * side, 0));
  }
  painter.restore();
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
