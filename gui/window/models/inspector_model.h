/// The values of one pixel in everything that is shown.
#pragma once

#include <optional>

#include "gui/window/compute/pixel_explanation.h"
#include "gui/window/models/flat_table_model.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class InspectorModel : public FlatTableModel {
  Q_OBJECT
 public:
  enum Column { What, FilterName, Value, ColumnCount };

  explicit InspectorModel(Session& session, QObject* parent = nullptr);
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// The table with its header, cells parted by tabs, for a spreadsheet.
  QString asText() const;

 private:
  std::size_t rows() const override { return rows_.size(); }
  void read();
  struct Row {
    QString shortTitle;  // of the panel, which is narrow
    QString cells[ColumnCount];
    QString hint;
    QString shortValue = {};  // of a difference, which may have more digits than the panel has room for
  };
  Session& session_;
  std::vector<Row> rows_;
};

}  // namespace bankside::window
