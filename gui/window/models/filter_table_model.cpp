#include "gui/window/models/filter_table_model.h"

#include "core/error.h"
#include "core/text.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/models/bank_edit.h"
#include "gui/window/models/tap_text.h"

namespace bankside::window {
namespace {

/// Cells show three significant digits (one before a power of ten, for room); the tap itself keeps all of
/// them.
QString shown(float tap) {
  const QString whole = QString::fromStdString(formatNumber(tap));
  if (whole.size() <= 5) return whole;
  const QString rounded = QString::number(tap, 'g', 3);
  return rounded.contains('e') ? QString::number(tap, 'g', 1) : rounded;
}

}  // namespace

FilterTableModel::FilterTableModel(QObject* parent)
    : QAbstractTableModel(parent), filter_(makeFilter("empty", 1, 1, {0})) {}

void FilterTableModel::setFilter(const Filter& filter, int channel) {
  const bool sameShape = filter.height == filter_.height && filter.width == filter_.width;
  if (!sameShape) beginResetModel();
  const bool changed = filter != filter_ || channel != channel_;
  filter_ = filter;
  channel_ = channel;
  if (!sameShape) {
    endResetModel();
  } else if (changed) {
    emit dataChanged(index(0, 0), index(filter_.height - 1, filter_.width - 1));
  }
}

int FilterTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : filter_.height;
}

int FilterTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : filter_.width;
}

QVariant FilterTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const float tap = filter_.tap(channel_, index.row(), index.column());
  const bool anchor = index.row() == filter_.anchorY && index.column() == filter_.anchorX;
  switch (role) {
    case Qt::DisplayRole: return shown(tap);
    case Qt::EditRole: return QString::fromStdString(formatNumber(tap));
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      const QString text = tr("Row %1, column %2: %3")
                               .arg(index.row() + 1)
                               .arg(index.column() + 1)
                               .arg(QString::fromStdString(formatNumber(tap)));
      return anchor ? text + tr(" (the anchor: it lies on the output pixel)") : text;
    }
    case TapRole: return tap;
    case AnchorRole: return anchor;
    default: return {};
  }
}

QVariant FilterTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (section < 0 || section >= (orientation == Qt::Horizontal ? filter_.width : filter_.height)) return {};
  if (role == Qt::DisplayRole) return section + 1;
  if (role != Qt::ToolTipRole) return {};
  const int offset = section - (orientation == Qt::Horizontal ? filter_.anchorX : filter_.anchorY);
  return orientation == Qt::Horizontal ? tr("%1 columns right of the anchor").arg(offset)
                                       : tr("%1 rows below the anchor").arg(offset);
}

Qt::ItemFlags FilterTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

bool FilterTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  float tap = 0;
  try {
    tap = parseTap(value.toString().toStdString(), "Row " + std::to_string(index.row() + 1) + ", column " +
                                                       std::to_string(index.column() + 1));
  } catch (const Error& error) {
    emit refused(sentenceOf(error));
    return false;
  }
  if (tap == filter_.tap(channel_, index.row(), index.column())) return true;
  filter_ = withTap(std::move(filter_), channel_, index.row(), index.column(), tap);
  emit dataChanged(index, index);
  emit edited(filter_);
  return true;
}

}  // namespace bankside::window
