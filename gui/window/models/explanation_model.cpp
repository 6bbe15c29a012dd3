#include "gui/window/models/explanation_model.h"

#include <algorithm>
#include <cmath>

#include "gui/window/compute/value_text.h"
#include "gui/window/models/tap_count.h"

namespace bankside::window {

void ExplanationModel::setExplanation(PixelExplanation explanation) {
  beginResetModel();
  explanation_ = std::move(explanation);
  // Taps that are zero add nothing to the sum: they come last, with the sum as it ends.
  auto& terms = explanation_.terms;
  const auto zeros =
      std::stable_partition(terms.begin(), terms.end(), [](const TapTerm& t) { return t.tap != 0; });
  std::for_each(zeros, terms.end(), [&](TapTerm& t) { t.sum = explanation_.value; });
  endResetModel();
}

QString ExplanationModel::summary() const {
  const PixelExplanation& e = explanation_;
  if (e.terms.empty()) return {};
  const auto zeros =
      std::count_if(e.terms.begin(), e.terms.end(), [](const TapTerm& term) { return term.tap == 0; });
  QString text = QStringLiteral("%1: %2").arg(
      QString::fromStdString(e.label), tapCountText({e.terms.size(), static_cast<std::size_t>(zeros)}));
  if (e.maps) text += tr(" of the second bank over the first one's maps");
  if (e.borderTaps > 0) text += tr(", %1 outside the image").arg(e.borderTaps);
  text += tr(".\nThe sum is %1 in single precision and %2 in double.\nThey differ by %3; rounding explains "
             "up to %4.")
              .arg(shortValueText(e.value, 9), shortValueText(e.exact, 12),
                   shortValueText(std::fabs(e.value - e.exact), 3), shortValueText(e.bound, 3));
  return text;
}

QVariant ExplanationModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const TapTerm& term = explanation_.terms[static_cast<std::size_t>(index.row())];
  if (role == BorderRole) return term.border;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  if (role == Qt::ToolTipRole) {
    if (index.column() == Tap)
      return tr("%1 times %2 is %3")
          .arg(shortValueText(term.tap, 9), shortValueText(term.pixel, 9), shortValueText(term.product, 17));
    if (index.column() == Pixel && term.x >= 0)
      return tr("%1 at column %2, row %3").arg(shortValueText(term.pixel, 9)).arg(term.x).arg(term.y);
    if (index.column() == Product) return shortValueText(term.product, 17);
    if (index.column() == RunningSum) return shortValueText(term.sum, 9);
    return term.border ? term.x < 0 ? tr("Outside the image: the border's constant")
                                    : tr("Outside the image: the border rule reads this pixel instead")
                       : QVariant();
  }
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Position: {
      const QString place = QStringLiteral("%1, %2").arg(term.column + 1).arg(term.row + 1);
      return explanation_.channels > 1 ? QStringLiteral("%1: ").arg(term.channel + 1) + place : place;
    }
    case Source: return term.x < 0 ? tr("constant") : QStringLiteral("%1, %2").arg(term.x).arg(term.y);
    case Tap: return shortValueText(term.tap, 4);
    case Pixel: return shortValueText(term.pixel, 5);
    case Product: return shortValueText(term.product, 5);
    case RunningSum: return shortValueText(term.sum, 5);
    default: return {};
  }
}

QVariant ExplanationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) {
    const QString titles[] = {tr("Tap at"), tr("Pixel at"), tr("Tap"), tr("Pixel"), tr("Product"), tr("Sum")};
    return titles[section];
  }
  if (role == Qt::ToolTipRole) {
    const QString hints[] = {
        tr("Column and row in the filter, counted from 1, as it is slid (correlation)"),
        tr("Column and row of the pixel that is read"),
        tr("The tap's value"),
        tr("The pixel's value; with two banks the first one's map"),
        tr("Tap times pixel, in double"),
        tr("The sum so far in single precision, one fused multiply-add a tap, as the engines hold it")};
    return hints[section];
  }
  return {};
}

}  // namespace bankside::window
