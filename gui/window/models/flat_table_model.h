/// A table whose rows have nothing below them.
#pragma once

#include <QAbstractTableModel>

namespace bankside::window {

class FlatTableModel : public QAbstractTableModel {
 public:
  int rowCount(const QModelIndex& parent = {}) const final {
    return parent.isValid() ? 0 : static_cast<int>(rows());
  }
  int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns_; }

 protected:
  FlatTableModel(int columns, QObject* parent) : QAbstractTableModel(parent), columns_(columns) {}
  virtual std::size_t rows() const = 0;

 private:
  int columns_;
};

}  // namespace bankside::window
