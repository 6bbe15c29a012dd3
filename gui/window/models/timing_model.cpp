#include "gui/window/models/timing_model.h"

#include "gui/window/value_text.h"

namespace bankside::window {
namespace {

QString intervalText(const std::vector<double>& samples) {
  if (samples.empty()) return {};
  const Interval interval = medianInterval(samples);
  return QStringLiteral("%1  (%2 – %3)")
      .arg(timeText(interval.median), timeText(interval.low), timeText(interval.high));
}

}  // namespace

void TimingModel::setMeasurement(std::shared_ptr<const Measurement> measurement) {
  beginResetModel();
  measurement_ = std::move(measurement);
  endResetModel();
}

int TimingModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !measurement_ ? 0 : static_cast<int>(measurement_->report.runs.size());
}

int TimingModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString TimingModel::text(const EngineRun& run, int column) const {
  const bool baseline = run.engine == measurement_->report.baseline;
  switch (column) {
    case EngineName: return QString::fromStdString(run.engine);
    case Threads: return QString::number(run.threads);
    case Verdict:
      if (run.disposition == Disposition::Incorrect) return tr("WRONG");
      if (run.disposition == Disposition::Unsupported) return tr("not supported");
      if (run.disposition == Disposition::Failed) return tr("FAILED");
      if (run.toBaseline) return QString::fromLatin1(toString(run.toBaseline->verdict));
      return baseline ? tr("baseline") : QString();
    case Ratio:
      if (!run.toBaseline) return {};
      return QStringLiteral("%1×  (%2 – %3)")
          .arg(run.toBaseline->ratio.median, 0, 'f', 2)
          .arg(run.toBaseline->ratio.low, 0, 'f', 2)
          .arg(run.toBaseline->ratio.high, 0, 'f', 2);
    case EndToEnd: return intervalText(run.endToEndSamples);
    case Compute: return intervalText(run.computeSamples);
    case Transfer: {
      if (!run.timed()) return {};
      const double rest =
          medianInterval(run.endToEndSamples).median - medianInterval(run.computeSamples).median;
      return timeText(std::max(0.0, rest));
    }
    case Rate:
      if (!run.timed()) return {};
      return QString::number(
          measurement_->report.megapixelFilters() / medianInterval(run.endToEndSamples).median, 'f', 0);
    case Error:
      if (!run.verification) return {};
      return shortValueText(run.verification->maxAbsError, 3);
    case Path: return QString::fromStdString(run.variant);
    default: return {};
  }
}

QVariant TimingModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const EngineRun& run = measurement_->report.runs[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return text(run, index.column());
    case Qt::ToolTipRole:
      return QString::fromStdString(run.reason.empty() ? run.description + ", on " + run.device : run.reason);
    case Qt::TextAlignmentRole: {
      const bool words = index.column() == EngineName || index.column() == Verdict || index.column() == Path;
      return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    case FailedRole:
      return run.disposition == Disposition::Incorrect || run.disposition == Disposition::Failed;
    case ReasonRole: return QString::fromStdString(run.reason);
    default: return {};
  }
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) {
    const QString titles[] = {tr("Engine"),        tr("Threads"),  tr("Verdict"), tr("Times OpenCV"),
                              tr("End to end"),    tr("Path"),     tr("Compute"), tr("Other"),
                              tr("Mpx·filters/s"), tr("Max error")};
    return titles[section];
  }
  if (role == Qt::ToolTipRole) {
    const QString hints[] = {
        tr("Every engine runs the same bank on the same pixels, in turn"),
        tr("Threads that the engine was given"),
        tr("FASTER or SLOWER: the whole 95 % interval of the ratio lies beyond 2 %. SAME: within. "
           "AMBIGUOUS: neither. An engine that was found wrong has no speed."),
        tr("How many times faster than OpenCV at the same number of threads: median of paired rounds, with "
           "its "
           "95 % interval"),
        tr("From pixels in memory to results in memory: median with its 95 % interval"),
        tr("What the engine chose: a SIMD target, or OpenCV's direct or DFT path"),
        tr("Without transfers: median with its 95 % interval"),
        tr("End to end less compute: transfers, and combining where the engine cannot fuse it"),
        tr("Output pixels times filters a second, in millions, end to end"),
        tr("Largest distance from the double-precision reference, in pixel units")};
    return hints[section];
  }
  return {};
}

}  // namespace bankside::window
