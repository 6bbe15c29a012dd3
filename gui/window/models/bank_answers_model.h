/// What every filter of a bank answers at one pixel, by its direction.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "gui/window/compute/pixel_explanation.h"

namespace bankside::window {

class BankAnswersModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Label, Degrees, Answer, ColumnCount };
  enum Role { ShareRole = Qt::UserRole + 1 };  ///< of the largest magnitude, from -1 to 1

  explicit BankAnswersModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
  void setAnswers(std::vector<FilterAnswer> answers);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<FilterAnswer> answers_;
  double largest_ = 0;
};

}  // namespace bankside::window
