#include "gui/window/canvas/canvas.h"

#include <QGridLayout>
#include <QKeyEvent>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/pane_frame.h"

namespace bankside::window {

Canvas::Canvas(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("canvas"));
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(3);
  for (int i = 0; i < mostPanes; ++i) {
    auto* frame = new PaneFrame(session, i, this);
    frames_.push_back(frame);
    frame->image()->installEventFilter(this);
    connect(frame->image(), &ImagePane::hovered, this, [this](std::optional<QPoint> pixel) {
      for (PaneFrame* f : frames_) f->showPixel(pixel);
      Q_EMIT hovered(pixel);
    });
    connect(frame->image(), &ImagePane::offerChosen, this, &Canvas::offerChosen);
    connect(frame->image(), &ImagePane::drawn, this, [this] { setDrawing(std::nullopt); });
  }
  for (const auto signal : {&Session::pictureChanged, &Session::panesChanged}) {
    connect(&session_, signal, this, [this] {
      arrange();
      setBlink(blinking_);
    });
  }
  arrange();
}

ImagePane* Canvas::pane(int index) const { return frames_[static_cast<std::size_t>(index)]->image(); }

int Canvas::visiblePanes() const {
  // Without a picture there is nothing to compare, and the start page has all the room.
  const bool one = session_.state().mode == CanvasMode::Swipe || !session_.picture();
  return one ? 1 : static_cast<int>(session_.state().panes.size());
}

void Canvas::arrange() {
  const int count = visiblePanes();
  const int columns = count <= 3 ? count : 2;
  for (int i = 0; i < mostPanes; ++i) {
    PaneFrame* frame = frames_[static_cast<std::size_t>(i)];
    grid_->removeWidget(frame);
    frame->setVisible(i < count);
    if (i < count) grid_->addWidget(frame, i / columns, i % columns);
  }
  for (int i = 0; i < mostPanes; ++i) {
    grid_->setColumnStretch(i, i < columns ? 1 : 0);
    grid_->setRowStretch(i, i * columns < count ? 1 : 0);
  }
}

void Canvas::zoomBy(double factor) {
  const ImagePane* first = pane(0);
  session_.setView(first->geometryNow().zoomed(factor, QPointF(first->width() / 2.0, first->height() / 2.0)));
}

void Canvas::zoomTo(double zoom) { zoomBy(zoom / pane(0)->geometryNow().zoom()); }

void Canvas::fit() {
  View view = session_.state().view;
  view.fit = true;
  session_.setView(view);
}

void Canvas::setBlink(bool on) {
  blinking_ = on;
  const auto [first, second] = session_.comparedPanes();
  const int shown = session_.state().mode == CanvasMode::Swipe ? 0 : first;
  for (int i = 0; i < mostPanes; ++i)
    pane(i)->setBlink(on && i == shown && first != second ? std::optional(second) : std::nullopt);
}

void Canvas::setDrawing(std::optional<RegionKind> kind) {
  for (PaneFrame* frame : frames_) frame->image()->setDrawing(kind);
  if (!kind) Q_EMIT drawingEnded();
}

bool Canvas::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == pane(0)) Q_EMIT resized();
  if (event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Space) {
      if (!key->isAutoRepeat()) {
        spaceDown_ = event->type() == QEvent::KeyPress;
        Q_EMIT blinkWanted(spaceDown_);
      }
      return true;
    }
  }
  if (event->type() == QEvent::FocusOut && spaceDown_) {
    spaceDown_ = false;  // nobody will hear it go up
    Q_EMIT blinkWanted(false);
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace bankside::window
