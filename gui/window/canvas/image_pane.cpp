#include "gui/window/canvas/image_pane.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "gui/window/canvas/caption_lines.h"
#include "gui/window/canvas/pane_notice.h"
#include "gui/window/compute/plane_summary.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

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
  for (PaneNotice*& notice : notices_) {
    notice = new PaneNotice(this);
    connect(notice, &PaneNotice::chosen, this, &ImagePane::offerChosen);
  }
  patience_.setSingleShot(true);
  patience_.setInterval(patience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    dim_ = true;
    update();
  });
  for (const auto signal :
       {&Session::viewChanged, &Session::levelsChanged, &Session::resultsChanged, &Session::pixelChanged,
        &Session::panesChanged, &Session::regionChanged, &Session::regionMeasured}) {
    connect(&session_, signal, this, &ImagePane::readSession);
  }
  readSession();
}

void ImagePane::setBlink(std::optional<int> other) {
  if (other == blink_) return;
  blink_ = other;
  readSession();
}

void ImagePane::setDrawing(std::optional<RegionKind> kind) {
  drawing_ = kind;
  setCursor(Qt::CrossCursor);
}

PaneGeometry ImagePane::geometryOf(const Session::Shown& shown) const {
  const PicturePtr& picture = session_.picture();
  const QSize image = shown.plane ? QSize(shown.plane->width(), shown.plane->height())
                      : picture   ? QSize(picture->info.width, picture->info.height)
                                  : QSize();
  return {size(), devicePixelRatioF(), image, session_.state().view};
}

PaneGeometry ImagePane::geometryNow() const { return geometryOf(session_.shown(parts().front().pane)); }

bool ImagePane::showsThePicture() const {
  const PicturePtr& picture = session_.picture();
  const PlanePtr plane = session_.shown(parts().front().pane).plane;
  return picture &&
         (!plane || (plane->width() == picture->info.width && plane->height() == picture->info.height));
}

QRegion ImagePane::showsTheSelected() const {
  const PlaneKey selected = session_.keyOf({Layer::Output});
  QRegion all;
  for (const Part& part : parts()) {
    const PlaneKey key = keyOfPane(part.pane);
    const bool ofIt = key.layer == Layer::Input || (key.layer != Layer::Kept && key.index == selected.index);
    if (key.branch == 0 && ofIt) all += part.area;
  }
  return all;
}

bool ImagePane::swiping() const { return session_.state().mode == CanvasMode::Swipe && pane_ == 0; }

double ImagePane::dividerX() const { return std::round(session_.state().swipe * width()); }

int ImagePane::inRange(int pane) const {
  return std::min(pane, static_cast<int>(session_.state().panes.size()) - 1);
}

PlaneKey ImagePane::keyOfPane(int pane) const {
  return session_.keyOf(session_.state().panes[static_cast<std::size_t>(inRange(pane))]);
}

std::vector<ImagePane::Part> ImagePane::parts() const {
  const auto [first, second] = session_.comparedPanes();
  if (!swiping() || blink_) return {{inRange(blink_.value_or(swiping() ? first : pane_)), rect()}};
  const int split = std::clamp(static_cast<int>(dividerX()), 0, width());
  return {{first, QRect(0, 0, split, height())}, {second, QRect(split, 0, width() - split, height())}};
}

bool ImagePane::dimmed(const Session::Shown& shown, std::size_t part) const {
  switch (shown.age) {
    case Session::Shown::Age::Present: return false;
    case Session::Shown::Age::Earlier: return dim_ || !notices_[part]->isHidden();
    case Session::Shown::Age::Instead: return true;
  }
  return false;
}

void ImagePane::readSession() {
  const auto all = parts();
  bool old = false;
  for (std::size_t i = 0; i < notices_.size(); ++i) {
    PaneMessage message;
    if (i < all.size()) {
      const PlaneKey key = keyOfPane(all[i].pane);
      const Session::Shown shown = session_.shown(all[i].pane);
      old = old || shown.age == Session::Shown::Age::Earlier;
      message = messageFor(session_, key);
      // Over what is shown, or will be at once, a caption is enough.
      if (message.pending && (shown.plane || session_.patch(key) != nullptr)) message = {};
      if (!session_.picture() && pane_ > 0) message = {};
    }
    notices_[i]->say(message, i < all.size() ? all[i].area : rect());
  }
  if (!old) {
    patience_.stop();
    dim_ = false;
  } else if (!patience_.isActive() && !dim_) {
    patience_.start();
  }
  update();
}

void ImagePane::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  content_ = {};  // whose planes others may let go
}

void ImagePane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  readSession();
}

bool ImagePane::inImage(QPoint pixel) const {
  const PicturePtr& picture = session_.picture();
  return picture && pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() < picture->info.width &&
         pixel.y() < picture->info.height;
}

PartContent ImagePane::contentOf(std::size_t part, int pane, int first, int last) const {
  const Session::Shown shown = session_.shown(pane);
  const PlaneKey key = keyOfPane(pane);
  PartContent content;
  content.first = std::max(0, first);
  content.last = std::min(last, buffer_.width());
  content.viewport = geometryOf(shown).viewport();
  content.ground = palette().color(QPalette::Mid).darker(110).rgb();
  if (shown.plane) {
    content.plane = shown.plane;
    content.style = shown.style;
    content.style.outside = content.ground;
    content.dim = dimmed(shown, part);
    if (key.layer == Layer::Input && key.branch == 0) {
      content.photograph = session_.photograph();
      const Session::Overlay over = session_.overlay();
      content.over = over.plane;
      content.overStyle = over.style;
      content.cover = over.cover;
    }
  }
  if (const PlanePatch* patch = session_.patch(key)) {
    content.patch = patch->plane;
    content.patchArea = patch->area;
    content.patchStyle = session_.styleFor(key);
  }
  return content;
}

void ImagePane::paintEvent(QPaintEvent*) {
  const PaneGeometry geometry = geometryNow();
  if (pane_ == 0 && showsThePicture()) {
    const QRect seen = geometry.visible();
    session_.setVisible({seen.x(), seen.y(), seen.width(), seen.height()},
                        levelFor(geometry.viewport().zoom));
  }
  if (buffer_.size() != geometry.deviceSize()) {
    buffer_ = QImage(geometry.deviceSize(), QImage::Format_RGB32);
    content_ = {};
  }
  const std::vector<Part> all = parts();
  const bool two = all.size() > 1;
  const int divider = two ? static_cast<int>(std::lround(dividerX() * devicePixelRatioF())) : buffer_.width();
  PaneContent content;
  content.parts.push_back(contentOf(0, all[0].pane, 0, divider));
  if (two) content.parts.push_back(contentOf(1, all[1].pane, divider, buffer_.width()));
  if (session_.mask() && showsThePicture()) {
    content.outline = session_.mask();
    content.outlineViewport = geometry.viewport();
  }
  if (content != content_) {
    colored_ += renderContent(content, {reinterpret_cast<std::uint32_t*>(buffer_.bits()), buffer_.width(),
                                        buffer_.height(), buffer_.bytesPerLine() / 4});
    content_ = std::move(content);
  }

  QPainter painter(this);
  buffer_.setDevicePixelRatio(devicePixelRatioF());
  painter.drawImage(QPointF(0, 0), buffer_);
  buffer_.setDevicePixelRatio(1);  // `renderContent` counts in device pixels
  if (!session_.picture()) return;
  for (std::size_t i = 0; i < all.size(); ++i) paintPart(painter, i, all[i]);
  if (two) paintDivider(painter);
  if (two || blink_) paintCaption(painter, session_.titleOf(keyOfPane(all[0].pane)), Qt::TopLeftCorner);
  if (two) paintCaption(painter, session_.titleOf(keyOfPane(all[1].pane)), Qt::TopRightCorner);
  if (!session_.mask() && showsThePicture()) paintRegion(painter, geometry);
  paintSelection(painter, geometry);
  if (hasFocus() && session_.state().panes.size() > 1) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void ImagePane::paintPart(QPainter& painter, std::size_t number, const Part& part) {
  const Session::Shown shown = session_.shown(part.pane);
  const PaneGeometry geometry = geometryOf(shown);
  if (shown.plane && geometry.zoom() >= valueZoom) {
    painter.save();
    painter.setClipRect(part.area);
    paintValues(painter, keyOfPane(part.pane), shown, geometry);
    painter.restore();
  }
  const PlanePatch* patch = session_.patch(keyOfPane(part.pane));
  if (patch != nullptr && shown.age != Session::Shown::Age::Present) {
    paintCaption(painter, partCaption(session_, *patch), Qt::TopLeftCorner);
  } else if (const PlaneResult* held = session_.result(keyOfPane(part.pane));
             shown.age == Session::Shown::Age::Present && held != nullptr && held->plane &&
             held->key.layer == Layer::Difference) {
    paintCaption(painter, planeSummary(*held, true), Qt::TopLeftCorner, 3);
  } else if (shown.plane && dimmed(shown, number) && notices_[number]->isHidden()) {
    paintCaption(painter,
                 shown.age == Session::Shown::Age::Instead ? tr("computing… this is the input")
                 : shown.of.isEmpty()                      ? tr("computing…")
                                                           : tr("computing… this is of %1").arg(shown.of),
                 Qt::TopLeftCorner, 2);
  }
  const PlaneKey key = keyOfPane(part.pane);
  const Qt::Corner below = number == 0 ? Qt::BottomLeftCorner : Qt::BottomRightCorner;
  if (const Branches::Entry* own = session_.branch(key.branch))
    paintCaption(painter, tr("keeps to %1").arg(branchTitle(own->branch)), below);
  if (key.layer == Layer::Kept && !blink_ && !swiping()) paintCaption(painter, session_.titleOf(key), below);
  if (key.layer != Layer::Input || key.branch != 0) return;
  if (const Session::Overlay over = session_.overlay(); over.plane) {
    paintCaption(painter,
                 tr("%1 over the input, %2 %").arg(over.title).arg(std::lround(100 * over.cover.opacity)),
                 below);
  }
}

void ImagePane::paintValues(QPainter& painter, const PlaneKey& key, const Session::Shown& shown,
                            const PaneGeometry& geometry) {
  const Plane& plane = *shown.plane;
  const QRect visible = geometry.visible();
  QFont font = painter.font();
  font.setPointSizeF(std::clamp(geometry.zoom() / 7.0, 6.5, 11.0));
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  // All of a pane with as many digits, but where a long exponent wants the room.
  const double room = geometry.rectOf(visible.topLeft()).width() - 4;
  const bool counts = plane.type() == ElementType::U8 || plane.type() == ElementType::U16;
  const bool exact = counts || metrics.horizontalAdvance(QStringLiteral("-0.000000000")) <= room;
  for (int y = visible.top(); y <= visible.bottom(); ++y) {
    for (int x = visible.left(); x <= visible.right(); ++x) {
      const QRectF cell = geometry.rectOf({x, y});
      const auto known = plane.whole() ? plane.value(x, y) : session_.valueAt(key, x, y);
      if (!known) continue;
      const float value = *known;
      QString text = exact ? valueText(value, plane.type()) : shortValueText(value, 5);
      for (int digits = exact ? 5 : 4; digits >= 2 && metrics.horizontalAdvance(text) > cell.width() - 4;
           --digits) {
        text = shortValueText(value, digits);
      }
      const QPoint middle = (cell.center() * devicePixelRatioF()).toPoint();
      const QRect screen = buffer_.rect();
      const QRgb below = buffer_.pixel(std::clamp(middle.x(), screen.left(), screen.right()),
                                       std::clamp(middle.y(), screen.top(), screen.bottom()));
      painter.setPen(isDark(below) ? Qt::white : Qt::black);
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

void ImagePane::paintCaption(QPainter& painter, const QString& whole, Qt::Corner corner, int mostLines) {
  painter.save();
  painter.setClipping(false);
  const QFontMetricsF metrics(painter.font());
  const QStringList lines = captionLines(whole, metrics, captionRoom(), mostLines);
  double widest = 0;
  for (const QString& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line));
  QRectF box(0, 0, widest + 14, static_cast<double>(lines.size()) * metrics.lineSpacing() + 6);
  const bool right = corner == Qt::TopRightCorner || corner == Qt::BottomRightCorner;
  const bool bottom = corner == Qt::BottomLeftCorner || corner == Qt::BottomRightCorner;
  box.moveTo(right ? width() - box.width() - 6 : 6, bottom ? height() - box.height() - 6 : 6);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 215));  // values lie below
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(Qt::white);
  painter.drawText(box, Qt::AlignCenter, lines.join(QLatin1Char('\n')));
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

}  // namespace bankside::window
