#include "gui/window/models/timing_model.h"

#include <algorithm>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

QString intervalText(const Interval& interval) {
  return QStringLiteral("%1  (%2 – %3)")
      .arg(timeText(interval.median), timeText(interval.low), timeText(interval.high));
}

QString medianText(const BenchRow& run, Phase phase) {
  if (!run.times.contains(phase)) return {};
  const double median = run.time(phase).median;
  return median > 0 ? timeText(median) : QStringLiteral("–");
}

/// Combining beside the engine has a column of its own.
Interval computeAlone(const BenchRow& run) {
  std::vector<double> samples = run.times.at(Phase::Compute).samples;
  const auto combine = run.times.find(Phase::Combine);
  if (combine == run.times.end()) return medianInterval(samples);
  for (std::size_t i = 0; i < std::min(samples.size(), combine->second.samples.size()); ++i)
    samples[i] -= combine->second.samples[i];
  return medianInterval(samples);
}

}  // namespace

QString TimingModel::floorHint(const BenchRow& run) const {
  const double floor = measurement_->floorSeconds(run);
  if (!run.timed() || floor <= 0) return {};
  const MachineLimits& machine = *measurement_->limitsOf(run);
  const double moving = measurement_->leastBytes / machine.copyBytes;
  const double working = measurement_->operations / machine.flops;
  QString hint = tr("At least %1 MB must move: %2 at the copy rate of %3 GB/s.\n")
                     .arg(QString::number(measurement_->leastBytes / 1e6, 'f', 1), timeText(moving),
                          QString::number(machine.copyBytes / 1e9, 'f', 1));
  if (run.directSums) {
    hint += tr("%1 G operations (taps that are not zero): %2 at %3 GFLOP/s.\nThe longer is the least time "
               "possible")
                .arg(QString::number(measurement_->operations / 1e9, 'f', 2), timeText(working),
                     QString::number(machine.flops / 1e9, 'f', 0));
  } else {
    hint += tr(
        "This path needs fewer operations than taps times pixels, or does them on tensor cores, so that only "
        "the bytes say what is the least time possible");
  }
  return hint + tr("; it took %1.\nBytes are computed (every pixel read once, every result written once), "
                   "rates were measured on %2.")
                    .arg(timeText(measurement_->heldSeconds(run)),
                         machine.threads > 0 ? threadsText(run.threads) : QString::fromStdString(run.device));
}

void TimingModel::setMeasurement(std::shared_ptr<const Measurement> measurement) {
  beginResetModel();
  measurement_ = std::move(measurement);
  endResetModel();
}

QString TimingModel::text(const BenchRow& run, int column) const {
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
    case EndToEnd: return run.timed() ? intervalText(run.time()) : QString();
    case Floor: {
      const double floor = measurement_->floorSeconds(run);
      if (!run.timed() || floor <= 0) return {};
      const double share = 100 * floor / measurement_->heldSeconds(run);
      return share < 1 ? tr("under 1 %") : QStringLiteral("%1 %").arg(share, 0, 'f', 0);
    }
    case Upload: return medianText(run, Phase::Upload);
    case Compute: return run.timed() ? intervalText(computeAlone(run)) : QString();
    case Combine: return medianText(run, Phase::Combine);
    case Download: return medianText(run, Phase::Download);
    case Bytes: {
      if (!run.timed() || measurement_->leastBytes <= 0) return {};
      const double rate = run.rateOf(measurement_->leastBytes);
      return tr("%1 GB/s").arg(rate / 1e9, 0, 'f', rate < 1e10 ? 2 : 1);
    }
    case Rate:
      if (!run.timed()) return {};
      return QString::number(run.rateOf(run.megapixelFilters), 'f', 0);
    case Error:
      if (!run.verification) return {};
      return shortValueText(run.verification->maxAbsError, 3);
    case Path: return QString::fromStdString(toString(run.plans));
    default: return {};
  }
}

QVariant TimingModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const BenchRow& run = measurement_->report.rows[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return text(run, index.column());
    case Qt::ToolTipRole:
      if ((index.column() == Floor || index.column() == Bytes) && !floorHint(run).isEmpty())
        return floorHint(run);
      if (!run.reason.empty()) return sentenceOf(run.reason);
      return tr("%1, on %2").arg(sentenceOf(run.description), QString::fromStdString(run.device));
    case Qt::TextAlignmentRole: {
      const bool words = index.column() == EngineName || index.column() == Verdict || index.column() == Path;
      return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    case FailedRole:
      return run.disposition == Disposition::Incorrect || run.disposition == Disposition::Failed;
    case ReasonRole: return sentenceOf(run.reason);
    default: return {};
  }
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) {
    const QString titles[] = {tr("Engine"),        tr("Threads"),     tr("Verdict"),  tr("Times OpenCV"),
                              tr("End to end"),    tr("Of possible"), tr("Path"),     tr("Upload"),
                              tr("Compute"),       tr("Combine"),     tr("Download"), tr("Least bytes"),
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
        tr("The shortest time that this machine could take, as a share of the time taken: the least bytes at "
           "the measured copy rate or, where that is longer, direct sums' operations at the measured "
           "multiply-add rate"),
        tr("What the engine chose: instructions of the processor, or OpenCV's direct or DFT path"),
        tr("To the device; – where the engine works in the same memory"),
        tr("Without transfers and combining: median with its 95 % interval"),
        tr("Making one map of the responses, where the engine cannot do it in its pass"),
        tr("Back from the device; – where the engine works in the same memory"),
        tr("The lower bound of bytes moved (every pixel read once, every result written once) over the time "
           "taken; computed, not counted"),
        tr("Output pixels times filters a second, in millions, end to end"),
        tr("Largest distance from the double-precision reference, in pixel units")};
    return hints[section];
  }
  return {};
}

}  // namespace bankside::window
