#include "gui/window/canvas/findings_overlay.h"

#include <QEvent>
#include <QPainter>

#include "gui/window/canvas/image_pane.h"

namespace bankside::window {

FindingsOverlay::FindingsOverlay(const Session& session, const Truth& truth, ImagePane* pane)
    : QWidget(pane), session_(session), truth_(truth), pane_(pane) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setGeometry(pane->rect());
  lower();  // below what the pane says
  pane->installEventFilter(this);
  // Painted with the pane. An update of its own beside the pane's would paint the pane twice.
  connect(&truth_, &Truth::changed, pane, qOverload<>(&QWidget::update));
}

bool FindingsOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(pane_->rect());
  return QWidget::eventFilter(watched, event);
}

void FindingsOverlay::paintEvent(QPaintEvent*) {
  const auto& findings = truth_.score().findings;
  const TruthSpec& spec = session_.state().truth;
  if (!findings || !spec.shown || !pane_->showsThePicture()) return;
  const PaneGeometry geometry = pane_->geometryNow();
  if (buffer_.size() != geometry.deviceSize()) buffer_ = QImage(geometry.deviceSize(), QImage::Format_ARGB32);
  buffer_.fill(Qt::transparent);
  renderFindings(*findings, geometry.viewport(),
                 {reinterpret_cast<std::uint32_t*>(buffer_.bits()), buffer_.width(), buffer_.height(),
                  buffer_.bytesPerLine() / 4});
  QPainter painter(this);
  painter.setClipRegion(pane_->showsTheSelected());
  painter.setOpacity(truth_.dimmed() ? spec.opacity / 2 : spec.opacity);
  buffer_.setDevicePixelRatio(devicePixelRatioF());
  painter.drawImage(QPointF(0, 0), buffer_);
  buffer_.setDevicePixelRatio(1);
}

}  // namespace bankside::window
