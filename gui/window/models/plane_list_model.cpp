#include "gui/window/models/plane_list_model.h"

#include "gui/window/compute/value_text.h"

namespace bankside::window {

PlaneListModel::PlaneListModel(Session& session, QObject* parent)
    : QAbstractListModel(parent), session_(session) {
  connect(&session_, &Session::planesChanged, this, &PlaneListModel::read);
  read();
}

int PlaneListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PlaneListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return row.title;
    case Qt::ToolTipRole: return row.hint;
    case FilterRole: return row.filter;
    default: return {};
  }
}

void PlaneListModel::read() {
  std::vector<Row> rows;
  for (int i = 0; i < static_cast<int>(session_.planes().size()); ++i) {
    Row row{session_.planeTitle(i), {}, session_.filterOf(i)};
    if (row.filter >= 0) {
      const Filter& filter = (*session_.bank())[row.filter];
      row.hint = tr("%1 × %2 taps, anchor column %3, row %4")
                     .arg(filter.width)
                     .arg(filter.height)
                     .arg(filter.anchorX)
                     .arg(filter.anchorY);
      if (filter.orientation) row.hint += tr(", %1°").arg(shortValueText(*filter.orientation, 4));
      if (filter.scale) row.hint += tr(", scale %1 px").arg(shortValueText(*filter.scale, 4));
    } else if (i < session_.responseCount()) {
      row.hint = tr("A filter of the second bank over the maps of the first");
    } else {
      row.hint = tr("All responses at a pixel made into one");
    }
    rows.push_back(row);
  }
  if (rows == rows_) return;  // the selection alone has moved
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

}  // namespace bankside::window
