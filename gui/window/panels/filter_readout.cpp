#include "gui/window/panels/filter_readout.h"

#include <algorithm>
#include <cmath>

#include <QFormLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "filters/analysis/filter_analysis.h"
#include "gui/window/canvas/heat_map.h"
#include "gui/window/models/tap_count.h"

namespace bankside::window {
namespace {

constexpr int responseSide = FrequencyResponse::steps;
constexpr double responseDecibels = 60;

QString number(double value) { return QString::number(value, 'g', 7); }

/// Sums are told to the digits that f32 taps carry: what is left of 0.1 + 0.2 - 0.3 is no sum.
QString sumText(const FilterAnalysis& a) {
  const bool onlyRounding = a.sum != 0 && std::abs(a.sum) < a.largest * 1e-7;
  return onlyRounding ? FilterReadout::tr("0 (within rounding: %1)").arg(QString::number(a.sum, 'g', 2))
                      : number(a.sum);
}

}  // namespace

class FilterReadout::ResponseView : public QWidget {
 public:
  explicit ResponseView(QWidget* parent) : QWidget(parent) {
    setFixedSize(responseSide + 2, responseSide + 2);
  }

  void show(const FrequencyResponse& response) {
    image_ = responseImage(response.plane(), FrequencyResponse::steps, responseDecibels);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.drawImage(QRect(1, 1, responseSide, responseSide), image_);
    painter.setPen(QPen(QColor(128, 128, 128), 0));
    painter.drawRect(0, 0, responseSide + 1, responseSide + 1);
  }

 private:
  QImage image_;
};

FilterReadout::FilterReadout(QWidget* parent) : QWidget(parent) {
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(8);
  form->setVerticalSpacing(3);
  const auto line = [&](const QString& caption, const QString& name, const QString& tip) {
    auto* value = new QLabel(this);
    value->setObjectName(name);
    value->setAccessibleName(caption);
    value->setToolTip(tip);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    form->addRow(caption, value);
    return value;
  };
  count_ = line(tr("Taps"), "readoutCount", tr("Of all channels; zero taps take no part in a sum"));
  sum_ = line(tr("Sum"), "readoutSum", tr("The answer to a constant image of 1"));
  absoluteSum_ =
      line(tr("Sum of |taps|"), "readoutAbsoluteSum", tr("The largest answer to any image within ±1"));
  range_ = line(tr("Range"), "readoutRange", tr("Smallest and largest tap"));
  symmetry_ = line(tr("Symmetry"), "readoutSymmetry",
                   tr("Of the matrix about its centre; even: itself after half a turn, odd: minus itself"));
  rank_ = line(tr("Rank"), "readoutRank",
               tr("How many row-times-column products make up the filter; with 1 it is separable"));

  response_ = new ResponseView(this);
  response_->setObjectName("frequencyResponse");
  response_->setAccessibleName(tr("Frequency response"));
  response_->setToolTip(
      tr("|H| on a logarithmic scale of %1 dB; zero frequency in the middle, half a cycle a "
         "pixel at the edges")
          .arg(responseDecibels));
  auto* caption = new QLabel(tr("Frequency response"), this);
  caption->setAlignment(Qt::AlignHCenter);
  auto* picture = new QVBoxLayout;
  picture->setSpacing(2);
  picture->addWidget(response_);
  picture->addWidget(caption);
  picture->addStretch(1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(form, 1);
  layout->addLayout(picture);
}

void FilterReadout::setFilter(const Filter& filter, int channel) {
  filter_ = filter;
  channel_ = channel;
  stale_ = true;
  if (isVisible()) measure();
}

void FilterReadout::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Side by side where there is room.
  auto* both = static_cast<QBoxLayout*>(layout());
  const int needed =
      both->itemAt(0)->minimumSize().width() + both->spacing() + both->itemAt(1)->minimumSize().width();
  both->setDirection(width() > needed ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void FilterReadout::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) measure();
}

void FilterReadout::measure() {
  stale_ = false;
  const FilterAnalysis a = analyze(channelOf(filter_, channel_));
  const auto zeros = std::count(filter_.taps.begin(), filter_.taps.end(), 0.0f);
  count_->setText(tapCountText({filter_.taps.size(), static_cast<std::size_t>(zeros)}));
  sum_->setText(sumText(a));
  absoluteSum_->setText(number(a.largest));
  range_->setText(tr("%1 to %2").arg(number(a.smallestTap), number(a.largestTap)));
  symmetry_->setText(QString::fromStdString(describe(a.symmetry)));
  const int most = std::min(filter_.height, filter_.width);
  rank_->setText(a.rank == 1 ? tr("1 of %1: separable").arg(most) : tr("%1 of %2").arg(a.rank).arg(most));
  response_->show(a.response);
}

}  // namespace bankside::window
