/// The filters of one bank, for a gallery. QtCore only: what draws the heat maps takes the filter from here.
#pragma once

#include <QAbstractListModel>
#include <QStringList>

#include "core/filter_bank.h"

namespace bankside::window {

class FilterListModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  /// Keeps rows (and with them selections) where the number of filters stays the same.
  void setBank(const FilterBank& bank);
  const FilterBank& bank() const { return bank_; }

  /// Planes made of all filters, listed after them.
  void setCombined(const QStringList& titles);
  bool isCombined(int row) const { return row >= bank_.size(); }

  /// The row must be a filter's.
  const Filter& filter(int row) const { return bank_[row]; }

  /// "45° · σ 1.5", or the size where the filter has neither.
  static QString describe(const Filter& filter);
  static QString modeText(FilterMode mode);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  FilterBank bank_;
  QStringList combined_;
};

}  // namespace bankside::window
