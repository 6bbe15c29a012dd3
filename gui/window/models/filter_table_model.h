/// The taps of one channel of one filter as an editable table. QtCore only.
///
/// Edits are made here first and told by `edited`; whoever owns the bank takes the filter from there and, if
/// it must refuse, sets the old one again.
#pragma once

#include <QAbstractTableModel>

#include "core/filter_bank.h"

namespace bankside::window {

class FilterTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    TapRole = Qt::UserRole + 1,  ///< the tap as float
    AnchorRole,                  ///< true for the tap that lies on the output pixel
  };

  explicit FilterTableModel(QObject* parent = nullptr);

  /// A filter of the same size changes cells, any other resets the model.
  void setFilter(const Filter& filter, int channel);
  const Filter& filter() const { return filter_; }
  int channel() const { return channel_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  /// Takes what `parseTap` takes; anything else changes nothing and is told by `refused`.
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 signals:
  void edited(const bankside::Filter& filter);
  void refused(const QString& sentence);

 private:
  Filter filter_;
  int channel_ = 0;
};

}  // namespace bankside::window
