/// The result planes of the bank: every filter's response, then the combined ones.
#pragma once

#include <QAbstractListModel>

#include "gui/window/session/session.h"

namespace bankside::window {

class PlaneListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  /// FilterRole: index into the bank, or -1 for a combined plane.
  enum Role { FilterRole = Qt::UserRole + 1 };

  explicit PlaneListModel(Session& session, QObject* parent = nullptr);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void read();
  struct Row {
    QString title;
    QString hint;
    int filter = -1;
    bool operator==(const Row&) const = default;
  };
  Session& session_;
  std::vector<Row> rows_;
};

}  // namespace bankside::window
