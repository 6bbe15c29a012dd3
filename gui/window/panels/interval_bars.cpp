#include "gui/window/panels/interval_bars.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

constexpr double barMargin = 8;

// Okabe and Ito's colours, which colour-blind readers tell apart.
constexpr QColor oursColor(0x00, 0x72, 0xB2);
constexpr QColor baselineColor(0xE6, 0x9F, 0x00);
constexpr QColor uploadColor(0x56, 0xB4, 0xE9);
constexpr QColor combineColor(0x00, 0x9E, 0x73);
constexpr QColor downloadColor(0xCC, 0x79, 0xA7);

struct Part {
  double seconds = 0;
  QColor color;
};

/// Medians, in the order in which they happen; the last is what no phase accounts for.
std::vector<Part> phasesOf(const BenchRow& run, const QColor& color) {
  const double combine = run.time(Phase::Combine).median;
  std::vector<Part> phases = {{run.time(Phase::Upload).median, uploadColor},
                              {run.time(Phase::Compute).median - combine, color},
                              {combine, combineColor},
                              {run.time(Phase::Download).median, downloadColor}};
  double known = 0;
  for (const Part& phase : phases) known += phase.seconds;
  QColor soft = color;
  soft.setAlpha(110);
  phases.push_back({run.time().median - known, soft});
  return phases;
}

QString rowTitle(const BenchRow& run) {
  return QStringLiteral("%1, %2").arg(QString::fromStdString(run.engine), threadsText(run.threads));
}

/// 1, 2 or 5 times a power of ten, the smallest of which at most `steps` fit into `range`.
double niceStep(double range, double steps) {
  const double power = std::pow(10.0, std::floor(std::log10(range / steps)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (range / (step * power) <= steps) return step * power;
  }
  return 10 * power;
}

}  // namespace

IntervalBars::IntervalBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("intervalBars"));
  setAccessibleName(tr("Times as bars with intervals"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void IntervalBars::setMeasurement(std::shared_ptr<const Measurement> measurement) {
  measurement_ = std::move(measurement);
  updateGeometry();
  update();
}

double IntervalBars::rowHeight() const { return QFontMetricsF(font()).height() + 12; }

QSize IntervalBars::sizeHint() const {
  const auto rows = measurement_ ? static_cast<double>(measurement_->report.rows.size()) : 4.0;
  return {420, static_cast<int>(
                   std::ceil(rows * rowHeight() + 2 * QFontMetricsF(font()).height() + 4 * barMargin))};
}

QSize IntervalBars::minimumSizeHint() const { return {260, sizeHint().height()}; }

void IntervalBars::paintEvent(QPaintEvent*) {
  if (!measurement_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(font());
  const auto& runs = measurement_->report.rows;
  double longest = 0;
  double titles = 0;
  for (const BenchRow& run : runs) {
    titles = std::max(titles, metrics.horizontalAdvance(rowTitle(run)));
    // One slow outlier must not squash everything else: the axis ends a little after the highest interval.
    if (run.timed()) longest = std::max(longest, run.time().high * 1.12);
  }
  const double left = titles + 2 * barMargin;
  const double right = width() - barMargin;
  const double bottom = barMargin + static_cast<double>(runs.size()) * rowHeight();
  const auto at = [&](double seconds) { return left + seconds / longest * (right - left); };
  const QColor text = palette().color(QPalette::Text);
  QColor faint = text;
  faint.setAlpha(40);

  if (longest > 0) {
    // Room for a label and as much again between two lines.
    const double label = 2 * metrics.horizontalAdvance(timeText(longest));
    const double step = niceStep(longest, std::max(1.0, (right - left) / label));
    for (double t = 0; t <= longest; t += step) {
      painter.setPen(QPen(faint, 1));
      painter.drawLine(QPointF(at(t), barMargin), QPointF(at(t), bottom));
      painter.setPen(text);
      const QString text0 = t == 0 ? QStringLiteral("0") : timeText(t);
      const double advance = metrics.horizontalAdvance(text0);
      painter.drawText(
          QPointF(std::min(at(t) - advance / 2, width() - advance - 2), bottom + metrics.height()), text0);
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const BenchRow& run = runs[i];
    const double top = barMargin + static_cast<double>(i) * rowHeight();
    const double middle = top + rowHeight() / 2;
    painter.setPen(text);
    painter.drawText(QRectF(barMargin, top, titles, rowHeight()), Qt::AlignVCenter | Qt::AlignRight,
                     rowTitle(run));
    if (!run.timed()) {
      const bool wrong = run.disposition == Disposition::Incorrect || run.disposition == Disposition::Failed;
      painter.setPen(wrong ? QColor(214, 48, 49) : palette().color(QPalette::PlaceholderText));
      const QRectF room(left, top, right - left, rowHeight());
      painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                       metrics.elidedText(sentenceOf(run.reason), Qt::ElideRight, room.width()));
      continue;
    }
    const bool baseline = run.engine == measurement_->report.baseline;
    const QColor color = baseline ? baselineColor : oursColor;
    const Interval total = run.time();
    const double half = rowHeight() / 2 - 5;
    painter.setPen(Qt::NoPen);
    double from = 0;
    for (const Part& phase : phasesOf(run, color)) {
      if (phase.seconds <= 0) continue;
      painter.setBrush(phase.color);
      painter.drawRect(
          QRectF(QPointF(at(from), middle - half), QPointF(at(from + phase.seconds), middle + half)));
      from += phase.seconds;
    }
    if (const double floor = measurement_->floorSeconds(run); floor > 0) {
      painter.setPen(QPen(QColor(214, 48, 49), 2));
      painter.drawLine(QPointF(at(floor), top + 2), QPointF(at(floor), top + rowHeight() - 2));
      painter.setPen(Qt::NoPen);
    }
    QColor dot = text;
    dot.setAlpha(120);
    painter.setBrush(dot);
    for (const double sample : run.times.at(Phase::Whole).samples) {
      if (at(sample) <= right) painter.drawEllipse(QPointF(at(sample), middle + half - 2), 1.5, 1.5);
    }
    painter.setPen(QPen(text, 1.6));
    painter.drawLine(QPointF(at(total.low), middle), QPointF(at(total.high), middle));
    for (const double end : {total.low, total.high}) {
      painter.drawLine(QPointF(at(end), middle - 4), QPointF(at(end), middle + 4));
    }
  }
  paintLegend(painter, QPointF(barMargin, bottom + 2 * metrics.height() + 4));
}

void IntervalBars::paintLegend(QPainter& painter, QPointF at) {
  const QFontMetricsF metrics(font());
  const double side = metrics.height() * 0.6;
  const auto entry = [&](const QColor& color, double width, const QString& title) {
    painter.fillRect(QRectF(at.x(), at.y() - side, width, side), color);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(at + QPointF(width + 4, 0), title);
    at.rx() += width + 4 + metrics.horizontalAdvance(title) + 12;
  };
  // What no engine here spends time on is not in the legend either.
  const auto spent = [&](Phase phase) {
    const auto& rows = measurement_->report.rows;
    return std::any_of(rows.begin(), rows.end(),
                       [&](const BenchRow& run) { return run.time(phase).median > 0; });
  };
  if (spent(Phase::Upload)) entry(uploadColor, side, tr("upload"));
  entry(oursColor, side, tr("compute"));
  entry(baselineColor, side, tr("OpenCV"));
  if (spent(Phase::Combine)) entry(combineColor, side, tr("combine"));
  if (spent(Phase::Download)) entry(downloadColor, side, tr("download"));
  if (!measurement_->limits.empty()) entry(QColor(214, 48, 49), 2, tr("least possible"));
}

bool IntervalBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && measurement_) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto row = static_cast<std::size_t>(std::max(0.0, (help->pos().y() - barMargin) / rowHeight()));
    if (row < measurement_->report.rows.size()) {
      const BenchRow& run = measurement_->report.rows[row];
      QString hint = rowTitle(run) + QLatin1Char('\n');
      if (run.timed()) {
        hint += tr("End to end %1, compute %2, first preparation %3, %4 samples.\nLight: what no phase "
                   "accounts for. Red: the least that is possible. Line: 95 % interval of the median. Dots: "
                   "every sample.")
                    .arg(timeText(run.time().median), timeText(run.time(Phase::Compute).median),
                         timeText(run.prepareSeconds))
                    .arg(run.rounds);
      } else {
        hint += sentenceOf(run.reason);
      }
      QToolTip::showText(help->globalPos(), hint, this);
      return true;
    }
  }
  return QWidget::event(event);
}

}  // namespace bankside::window
