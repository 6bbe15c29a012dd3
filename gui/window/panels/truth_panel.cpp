#include "gui/window/panels/truth_panel.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/value_text.h"
#include "gui/window/panels/roc_view.h"

namespace bankside::window {

TruthPanel::TruthPanel(Session& session, Truth& truth, QWidget* parent)
    : QWidget(parent), session_(session), truth_(truth) {
  setObjectName(QStringLiteral("truthPanel"));
  open_ = new QPushButton(tr("Manual vessels…"), this);
  open_->setObjectName(QStringLiteral("openTruth"));
  open_->setToolTip(tr("A picture of the same size that is not black where an expert marked a vessel"));
  none_ = new QPushButton(tr("None"), this);
  none_->setObjectName(QStringLiteral("closeTruth"));
  file_ = new QLabel(this);
  file_->setObjectName(QStringLiteral("truthFile"));
  file_->setWordWrap(true);
  inside_ = new QPushButton(tr("Count only the field of view"), this);
  inside_->setObjectName(QStringLiteral("truthInside"));
  inside_->setToolTip(
      tr("No vessel can be in the dark frame around a photograph; to count it makes every figure look better "
         "than it is"));
  resume_ = new QPushButton(tr("Compute"), this);
  resume_->setObjectName(QStringLiteral("truthResume"));
  resume_->setToolTip(tr("Compare with the manual vessels after all"));
  area_ = new QLabel(this);
  area_->setObjectName(QStringLiteral("truthArea"));
  area_->setWordWrap(true);
  roc_ = new RocView(this);
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
  shown_ = new QCheckBox(tr("Show in the panes"), this);
  shown_->setObjectName(QStringLiteral("truthShown"));
  opacity_ = new QSlider(Qt::Horizontal, this);
  opacity_->setObjectName(QStringLiteral("truthOpacity"));
  opacity_->setAccessibleName(tr("Opacity of found, missed and false"));
  opacity_->setToolTip(opacity_->accessibleName());
  opacity_->setRange(0, 100);
  opacity_->setSingleStep(5);

  auto* row = new QHBoxLayout;
  row->addWidget(open_, 1);
  row->addWidget(none_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addLayout(row);
  column->addWidget(file_);
  column->addWidget(resume_);
  column->addWidget(inside_);
  column->addWidget(area_);
  column->addWidget(roc_, 1);
  column->addWidget(threshold_);
  column->addWidget(best_);
  column->addWidget(found_);
  legend_ = new QLabel(tr("White is found, orange missed, blue false."), this);
  legend_->setWordWrap(true);
  column->addWidget(shown_);
  column->addWidget(legend_);
  column->addWidget(opacity_);
  column->addStretch(0);

  connect(open_, &QPushButton::clicked, this, &TruthPanel::truthWanted);
  connect(resume_, &QPushButton::clicked, &truth_, &Truth::resume);
  connect(none_, &QPushButton::clicked, this, [this] { set(&TruthSpec::file, QString()); });
  connect(inside_, &QPushButton::clicked, this, [this] {
    RegionSpec spec = session_.state().region;
    spec.kind = RegionKind::FieldOfView;
    session_.setRegion(spec);
  });
  connect(threshold_, &QSlider::valueChanged, this, [this](int index) {
    const auto& curve = truth_.curve();
    if (curve && index < static_cast<int>(curve->roc.points.size()))
      set(&TruthSpec::threshold,
          static_cast<float>(curve->roc.points[static_cast<std::size_t>(index)].threshold));
  });
  connect(best_, &QCheckBox::toggled, this, [this](bool best) {
    set(&TruthSpec::threshold, best ? std::nullopt : std::optional(truth_.score().threshold));
  });
  connect(shown_, &QCheckBox::toggled, this, [this](bool shown) { set(&TruthSpec::shown, shown); });
  connect(opacity_, &QSlider::valueChanged, this,
          [this](int percent) { set(&TruthSpec::opacity, percent / 100.0); });
  connect(&truth_, &Truth::changed, this, &TruthPanel::readTruth);
  for (const auto signal : {&Session::pictureChanged, &Session::regionChanged})
    connect(&session_, signal, this, &TruthPanel::readTruth);
  readTruth();
}

void TruthPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  roc_->setMaximumHeight(std::max(width(), roc_->minimumHeight()));  // it is a square
}

template <class Member, class Value>
void TruthPanel::set(Member member, const Value& value) {
  TruthSpec spec = session_.state().truth;
  spec.*member = value;
  session_.setTruth(spec);
}

void TruthPanel::readTruth() {
  const auto& curve = truth_.curve();
  const TruthSpec& spec = session_.state().truth;
  const QSignalBlocker quiet[] = {QSignalBlocker(threshold_), QSignalBlocker(best_), QSignalBlocker(shown_),
                                  QSignalBlocker(opacity_)};
  const bool there = !spec.file.isEmpty();
  const QString name = QFileInfo(spec.file).fileName();
  open_->setEnabled(session_.picture() != nullptr);
  none_->setEnabled(there);
  shown_->setChecked(spec.shown);
  opacity_->setValue(static_cast<int>(std::lround(100 * spec.opacity)));
  opacity_->setEnabled(spec.shown);
  file_->setText(
      !truth_.error().isEmpty()     ? truth_.error()
      : !there                      ? tr("Open an expert's marks to see what is found, what is "
                                                              "missed and what is false.")
      : !truth_.waiting().isEmpty() ? QStringLiteral("%1 · %2").arg(name, truth_.waiting())
      : curve && curve->graded
          ? tr("%1 has several values beside black, and all of them count. Is it a mask?").arg(name)
          : name);
  resume_->setVisible(truth_.stopped());
  inside_->setVisible(there && session_.state().region.kind == RegionKind::Whole);
  for (QWidget* widget :
       {static_cast<QWidget*>(area_), static_cast<QWidget*>(roc_), static_cast<QWidget*>(found_)}) {
    widget->setVisible(curve != nullptr);
    widget->setEnabled(!truth_.dimmed());
  }
  for (QWidget* widget :
       {static_cast<QWidget*>(threshold_), static_cast<QWidget*>(best_), static_cast<QWidget*>(shown_),
        static_cast<QWidget*>(legend_), static_cast<QWidget*>(opacity_)})
    widget->setVisible(curve != nullptr);
  if (!curve) return;
  roc_->setCurve(curve->roc.points, {{truth_.score().confusion, {}}});
  area_->setText(tr("Area under the curve (AUC) %1").arg(curve->roc.area, 0, 'f', 4));
  const auto& points = curve->roc.points;
  threshold_->setRange(0, std::max(0, static_cast<int>(points.size()) - 1));
  const TruthScore& score = truth_.score();
  const auto at = std::find_if(points.begin(), points.end(), [&](const RocCurve::Point& point) {
    return point.threshold <= score.threshold;
  });
  threshold_->setValue(static_cast<int>(at - points.begin()));
  best_->setChecked(!spec.threshold);
  const Confusion& counts = score.confusion;
  found_->setText(
      tr("From %1 up: %2 % of the vessels are found, %3 % of what is called vessel is one. MCC %4")
          .arg(shortValueText(score.threshold, 4))
          .arg(100 * counts.sensitivity(), 0, 'f', 1)
          .arg(100 * counts.precision(), 0, 'f', 1)
          .arg(counts.mcc(), 0, 'f', 3));
}

}  // namespace bankside::window
