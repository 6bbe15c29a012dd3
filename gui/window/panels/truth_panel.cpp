#include "gui/window/panels/truth_panel.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/compute/value_text.h"

namespace bankside::window {

/// The curve, with a dot where the threshold is.
class RocView final : public QWidget {
 public:
  RocView(const Truth& truth, QWidget* parent) : QWidget(parent), truth_(truth) {
    setMinimumHeight(90);
    setAccessibleName(TruthPanel::tr("Receiver operating characteristic"));
  }
  QSize sizeHint() const override { return {200, 180}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const int side = std::min(width(), height()) - 24;
    const QRectF box((width() - side) / 2.0, 6, side, side);
    painter.fillRect(box, palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(box);
    painter.drawLine(box.bottomLeft(), box.topRight());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(box.left(), box.bottom(), side, 16), Qt::AlignCenter,
                     TruthPanel::tr("background called vessel"));
    if (!truth_.curve()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto at = [&](double falsePositives, double recall) {
      return QPointF(box.left() + falsePositives * side, box.bottom() - recall * side);
    };
    QPolygonF line{at(0, 0)};
    for (const RocCurve::Point& point : truth_.curve()->roc.points)
      line << at(point.falsePositiveRate, point.recall);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawPolyline(line);
    const Confusion& here = truth_.score().confusion;
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawEllipse(at(1 - here.specificity(), here.sensitivity()), 4, 4);
  }

 private:
  const Truth& truth_;
};

TruthPanel::TruthPanel(Session& session, Truth& truth, QWidget* parent)
    : QWidget(parent), session_(session), truth_(truth) {
  setObjectName(QStringLiteral("truthPanel"));
  auto* open = new QPushButton(tr("Manual vessels…"), this);
  open->setObjectName(QStringLiteral("openTruth"));
  open->setToolTip(tr("A picture of the same size that is not black where an expert marked a vessel"));
  auto* none = new QPushButton(tr("None"), this);
  none->setObjectName(QStringLiteral("closeTruth"));
  file_ = new QLabel(this);
  file_->setObjectName(QStringLiteral("truthFile"));
  file_->setWordWrap(true);
  inside_ = new QPushButton(tr("Count inside the field of view"), this);
  inside_->setObjectName(QStringLiteral("truthInside"));
  inside_->setToolTip(
      tr("No vessel can be in the dark frame around a photograph; to count it makes every figure look better "
         "than it is"));
  area_ = new QLabel(this);
  area_->setObjectName(QStringLiteral("truthArea"));
  roc_ = new RocView(truth, this);
  threshold_ = new QSlider(Qt::Horizontal, this);
  threshold_->setObjectName(QStringLiteral("truthThreshold"));
  threshold_->setAccessibleName(tr("Threshold"));
  threshold_->setToolTip(tr("A pixel is called vessel where the response is at least the threshold"));
  threshold_->setInvertedAppearance(true);
  best_ = new QCheckBox(tr("Best threshold (MCC)"), this);
  best_->setObjectName(QStringLiteral("truthBest"));
  best_->setToolTip(tr("The one with the largest Matthews correlation on this picture"));
  found_ = new QLabel(this);
  found_->setObjectName(QStringLiteral("truthFound"));
  found_->setWordWrap(true);
  auto* shown = new QCheckBox(tr("Show in the panes"), this);
  shown->setObjectName(QStringLiteral("truthShown"));
  shown->setChecked(true);
  auto* opacity = new QSlider(Qt::Horizontal, this);
  opacity->setObjectName(QStringLiteral("truthOpacity"));
  opacity->setAccessibleName(tr("Opacity of found, missed and false"));
  opacity->setToolTip(opacity->accessibleName());
  opacity->setRange(0, 100);
  opacity->setSingleStep(5);
  opacity->setValue(100);

  auto* row = new QHBoxLayout;
  row->addWidget(open, 1);
  row->addWidget(none);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addLayout(row);
  column->addWidget(file_);
  column->addWidget(inside_);
  column->addWidget(area_);
  column->addWidget(roc_, 1);
  column->addWidget(threshold_);
  column->addWidget(best_);
  column->addWidget(found_);
  auto* legend = new QLabel(tr("White is found, orange missed, blue false."), this);
  legend->setWordWrap(true);
  column->addWidget(shown);
  column->addWidget(legend);
  column->addWidget(opacity);

  connect(open, &QPushButton::clicked, this, &TruthPanel::truthWanted);
  connect(none, &QPushButton::clicked, this, [this] { truth_.setFile({}); });
  connect(inside_, &QPushButton::clicked, this, [this] {
    RegionSpec spec = session_.state().region;
    spec.kind = RegionKind::FieldOfView;
    session_.setRegion(spec);
  });
  connect(threshold_, &QSlider::valueChanged, this, [this](int index) {
    const auto& curve = truth_.curve();
    if (curve && index < static_cast<int>(curve->roc.points.size()))
      truth_.setThreshold(static_cast<float>(curve->roc.points[static_cast<std::size_t>(index)].threshold));
  });
  connect(best_, &QCheckBox::toggled, this, [this](bool best) {
    truth_.setThreshold(best ? std::nullopt : std::optional(truth_.score().threshold));
  });
  connect(shown, &QCheckBox::toggled, this, &TruthPanel::shownChanged);
  connect(shown, &QCheckBox::toggled, opacity, &QWidget::setEnabled);
  connect(opacity, &QSlider::valueChanged, this,
          [this](int percent) { Q_EMIT opacityChanged(percent / 100.0); });
  connect(&truth_, &Truth::changed, this, &TruthPanel::readTruth);
  connect(&session_, &Session::regionChanged, this, &TruthPanel::readTruth);
  readTruth();
}

void TruthPanel::readTruth() {
  const auto& curve = truth_.curve();
  const bool there = !truth_.file().isEmpty();
  file_->setText(!truth_.error().isEmpty() ? truth_.error()
                 : there
                     ? QFileInfo(truth_.file()).fileName()
                     : tr("Open an expert's marks to see what is found, what is missed and what is false."));
  inside_->setVisible(there && session_.state().region.kind == RegionKind::Whole);
  for (QWidget* widget :
       {static_cast<QWidget*>(area_), static_cast<QWidget*>(roc_), static_cast<QWidget*>(threshold_),
        static_cast<QWidget*>(best_), static_cast<QWidget*>(found_)}) {
    widget->setVisible(curve != nullptr);
  }
  roc_->update();
  if (!curve) return;
  area_->setText(tr("Area under the curve (AUC) %1").arg(curve->roc.area, 0, 'f', 4));
  const QSignalBlocker quiet[] = {QSignalBlocker(threshold_), QSignalBlocker(best_)};
  const auto& points = curve->roc.points;
  threshold_->setRange(0, std::max(0, static_cast<int>(points.size()) - 1));
  const TruthScore& score = truth_.score();
  const auto at = std::find_if(points.begin(), points.end(), [&](const RocCurve::Point& point) {
    return point.threshold <= score.threshold;
  });
  threshold_->setValue(static_cast<int>(at - points.begin()));
  best_->setChecked(!truth_.threshold());
  const Confusion& counts = score.confusion;
  found_->setText(
      tr("From %1 up: %2 % of the vessels are found, %3 % of what is called vessel is one. MCC %4")
          .arg(shortValueText(score.threshold, 4))
          .arg(100 * counts.sensitivity(), 0, 'f', 1)
          .arg(100 * counts.precision(), 0, 'f', 1)
          .arg(counts.mcc(), 0, 'f', 3));
}

}  // namespace bankside::window
