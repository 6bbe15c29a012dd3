#include "gui/window/models/region_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/table.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {

bool RegionModel::same(const Row& a, const Row& b) {
  const auto figures = [](const RegionStatistics& s) {
    return std::tuple(s.pixels, s.nonFinite, s.mean, s.deviation, s.range.low, s.range.high,
                      s.histogram.counts);
  };
  return a.key == b.key && a.title == b.title && a.filter == b.filter &&
         figures(a.statistics) == figures(b.statistics);
}

RegionModel::RegionModel(Session& session, QObject* parent)
    : FlatTableModel(ColumnCount, parent), session_(session) {
  for (const auto signal : {&Session::regionMeasured, &Session::resultsChanged, &Session::panesChanged,
                            &Session::regionChanged}) {
    connect(&session_, signal, this, &RegionModel::read);
  }
  read();
}

QString RegionModel::cell(const Row& row, int column, int digits) const {
  const RegionStatistics& s = row.statistics;
  const auto number = [&](double value) {
    return s.pixels == s.nonFinite ? QString() : shortValueText(value, digits);
  };
  switch (column) {
    case What: return row.title;
    case FilterName: return row.filter;
    case Mean: return number(s.mean);
    case Deviation: return number(s.deviation);
    case Low: return number(s.range.low);
    case Median: return number(s.histogram.percentile(0.5));
    case High: return number(s.range.high);
    case Pixels: return QString::number(s.pixels);
    case NonFinite: return QString::number(s.nonFinite);
    default: return {};
  }
}

QVariant RegionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == What ? session_.shortTitleOf(row.key) : cell(row, index.column(), 5);
    case Qt::ToolTipRole: return cell(row, index.column(), 9);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment((index.column() <= FilterName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    default: return {};
  }
}

QVariant RegionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  const QString titles[] = {tr("What"),   tr("Filter"), tr("Mean"),   tr("Deviation"), tr("Min"),
                            tr("Median"), tr("Max"),    tr("Pixels"), tr("NaN or ∞")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole && section == Deviation) return tr("Standard deviation over all pixels inside");
  if (role == Qt::ToolTipRole && section == Median)
    return tr("From the histogram: exact to 1/255 of the range from minimum to maximum");
  return {};
}

QString RegionModel::asText(char separator) const {
  std::vector<std::string> titles;
  for (int c = 0; c < ColumnCount; ++c)
    titles.push_back(headerData(c, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  Table table(std::move(titles));
  for (const Row& row : rows_) {
    std::vector<std::string> cells;
    for (int c = 0; c < ColumnCount; ++c) cells.push_back(cell(row, c, 9).toStdString());
    table.add(std::move(cells));
  }
  return QString::fromStdString(table.csv(separator));
}

void RegionModel::read() {
  std::vector<Row> rows;
  for (const PaneSpec& pane : session_.state().panes) {
    const PlaneKey key = session_.keyOf(pane);
    const bool seen = std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.key == key; });
    const RegionStatistics* inside = session_.statistics(key);
    if (!seen && inside != nullptr)
      rows.push_back({key, *inside, session_.titleOf(key), session_.planeTitle(key)});
  }
  // While one turns a parameter the panes change again and again, and the table stays empty.
  if (std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(), same)) return;
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

}  // namespace bankside::window
