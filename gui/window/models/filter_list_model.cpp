#include "gui/window/models/filter_list_model.h"

#include <cmath>

#include <QStringList>

#include "core/text.h"

namespace bankside::window {
namespace {

/// At most three decimals: 22.5, 1.414.
QString shortNumber(double value) { return QString::number(std::round(value * 1000) / 1000); }

QString sizeOf(const Filter& filter) {
  QString text = QString("%1 × %2").arg(filter.height).arg(filter.width);
  if (filter.channels > 1) text = QString("%1 × ").arg(filter.channels) + text;
  return text;
}

}  // namespace

void FilterListModel::setBank(const FilterBank& bank) {
  if (bank.size() != bank_.size()) {
    beginResetModel();
    bank_ = bank;
    endResetModel();
    return;
  }
  bank_ = bank;
  if (bank_.size() > 0) emit dataChanged(index(0), index(bank_.size() - 1));
}

void FilterListModel::setCombined(const QStringList& titles) {
  if (titles == combined_) return;
  beginResetModel();
  combined_ = titles;
  endResetModel();
}

QString FilterListModel::describe(const Filter& filter) {
  QStringList words;
  if (filter.orientation) words << shortNumber(*filter.orientation) + "°";
  if (filter.scale) words << "σ " + QString::number(*filter.scale, 'g', 3);  // the tooltip has more
  return words.isEmpty() ? sizeOf(filter) : words.join(" · ");
}

QString FilterListModel::modeText(FilterMode mode) {
  return mode == FilterMode::Convolution ? tr("convolution") : tr("correlation");
}

int FilterListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : bank_.size() + static_cast<int>(combined_.size());
}

QVariant FilterListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (isCombined(index.row())) {
    const QString title = combined_[index.row() - bank_.size()];
    if (role == Qt::DisplayRole) return title;
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return tr("%1 of all filters").arg(title);
    return {};
  }
  const Filter& f = filter(index.row());
  const QString label = QString::fromStdString(f.label);
  switch (role) {
    case Qt::DisplayRole: return label;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      QStringList words{label, sizeOf(f)};
      if (f.orientation) words << tr("orientation %1°").arg(shortNumber(*f.orientation));
      if (f.scale) words << tr("scale %1 pixels").arg(shortNumber(*f.scale));
      return words.join(", ");
    }
    default: return {};
  }
}

}  // namespace bankside::window
