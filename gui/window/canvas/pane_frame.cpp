#include "gui/window/canvas/pane_frame.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/layer_title.h"
#include "gui/window/value_text.h"

namespace bankside::window {

QString planeSummary(const PlaneResult& result) {
  if (!result.plane) return {};
  const ValueRange& range = result.plane->range;
  if (range.low > range.high) return QObject::tr("no finite value");
  switch (result.key.layer) {
    case Layer::Difference: {
      const double most = std::max(std::fabs(range.low), std::fabs(range.high));
      return most == 0 ? QObject::tr("identical") : QObject::tr("largest %1").arg(shortValueText(most, 3));
    }
    case Layer::Output:
      return QStringLiteral("%1 · %2").arg(QString::fromStdString(result.engine),
                                           timeText(result.times.total()));
    case Layer::OpenCv:
      return QStringLiteral("%1 · %2").arg(QString::fromStdString(result.variant),
                                           timeText(result.times.total()));
    case Layer::Input: break;
  }
  return QStringLiteral("%1, %2 … %3")
      .arg(QLatin1String(toString(result.plane->type())), valueText(range.low, result.plane->type()),
           valueText(range.high, result.plane->type()));
}

PaneFrame::PaneFrame(Session& session, int pane, QWidget* parent)
    : QWidget(parent), session_(session), pane_(pane) {
  setObjectName(QStringLiteral("paneFrame%1").arg(pane));
  layer_ = new QComboBox(this);
  layer_->setObjectName(QStringLiteral("paneLayer%1").arg(pane));
  layer_->setAccessibleName(tr("What pane %1 shows").arg(pane + 1));
  layer_->setToolTip(tr("What this pane shows"));
  for (const Layer layer : allLayers) layer_->addItem(layerTitle(layer), static_cast<int>(layer));
  plane_ = new QComboBox(this);
  plane_->setObjectName(QStringLiteral("panePlane%1").arg(pane));
  plane_->setAccessibleName(tr("Filter of pane %1").arg(pane + 1));
  plane_->setToolTip(
      tr("Which filter's response, or the combined one. “Selected” follows the list of filters."));
  plane_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  plane_->setMinimumContentsLength(9);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("paneText%1").arg(pane));
  text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  image_ = new ImagePane(session, pane, this);

  auto* header = new QHBoxLayout;
  header->setContentsMargins(2, 2, 6, 2);
  header->setSpacing(4);
  header->addWidget(layer_);
  header->addWidget(plane_);
  header->addWidget(text_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(header);
  column->addWidget(image_, 1);

  connect(layer_, &QComboBox::activated, this, &PaneFrame::writeSession);
  connect(plane_, &QComboBox::activated, this, &PaneFrame::writeSession);
  connect(&session_, &Session::planesChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::panesChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::resultsChanged, this, &PaneFrame::showSummary);
  connect(&session_, &Session::pixelChanged, this, &PaneFrame::showSummary);
  readSession();
}

void PaneFrame::readSession() {
  const auto& panes = session_.state().panes;
  if (pane_ >= static_cast<int>(panes.size())) return;
  const PaneSpec& spec = panes[static_cast<std::size_t>(pane_)];
  const QSignalBlocker quietLayer(layer_);
  const QSignalBlocker quietPlane(plane_);
  layer_->setCurrentIndex(layer_->findData(static_cast<int>(spec.layer)));
  plane_->clear();
  plane_->addItem(tr("Selected: %1").arg(session_.planeTitle(session_.state().selectedPlane)), -1);
  for (int i = 0; i < static_cast<int>(session_.planes().size()); ++i)
    plane_->addItem(session_.planeTitle(i), i);
  plane_->setCurrentIndex(std::max(0, plane_->findData(spec.index)));
  const bool perPlane = session_.bank() && session_.responseCount() > session_.bank()->size();
  plane_->setVisible(spec.layer != Layer::Input || perPlane);
  showSummary();
}

void PaneFrame::writeSession() {
  session_.setPane(pane_, {static_cast<Layer>(layer_->currentData().toInt()), plane_->currentData().toInt()});
}

void PaneFrame::showPixel(std::optional<QPoint> pixel) {
  hovered_ = pixel;
  showSummary();
}

void PaneFrame::showSummary() {
  const auto& panes = session_.state().panes;
  if (pane_ >= static_cast<int>(panes.size())) return;
  const PlaneResult* held = session_.result(session_.keyOf(panes[static_cast<std::size_t>(pane_)]));
  if (held == nullptr || held->plane == nullptr) {
    text_->clear();
    text_->setToolTip({});
    return;
  }
  const bool inside =
      hovered_ && hovered_->x() < held->plane->width() && hovered_->y() < held->plane->height();
  text_->setText(inside ? valueText(held->plane->value(hovered_->x(), hovered_->y()), held->plane->type())
                        : planeSummary(*held));
  text_->setToolTip(planeSummary(*held));
}

}  // namespace bankside::window
