/// Statistics inside the region, one line a plane that is shown.
#pragma once

#include "gui/window/models/flat_table_model.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class RegionModel : public FlatTableModel {
  Q_OBJECT
 public:
  enum Column { What, FilterName, Mean, Deviation, Low, Median, High, Pixels, NonFinite, ColumnCount };

  explicit RegionModel(Session& session, QObject* parent = nullptr);
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// The table with its header, cells parted by `separator`, numbers in full.
  QString asText(char separator) const;

 private:
  std::size_t rows() const override { return rows_.size(); }
  void read();
  struct Row {
    PlaneKey key;
    RegionStatistics statistics;
    QString title;
    QString filter;
  };
  static bool same(const Row& a, const Row& b);
  QString cell(const Row& row, int column, int digits) const;
  Session& session_;
  std::vector<Row> rows_;
};

}  // namespace bankside::window
