/// What every filter of a bank answers at one pixel, by its direction.
#pragma once

#include <vector>

#include "gui/window/compute/pixel_explanation.h"
#include "gui/window/models/flat_table_model.h"

namespace bankside::window {

class BankAnswersModel : public FlatTableModel {
  Q_OBJECT
 public:
  enum Column { Label, Degrees, Answer, ColumnCount };
  enum Role { ShareRole = Qt::UserRole + 1 };  ///< of the largest magnitude, from -1 to 1

  explicit BankAnswersModel(QObject* parent = nullptr) : FlatTableModel(ColumnCount, parent) {}
  void setAnswers(std::vector<FilterAnswer> answers);

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::size_t rows() const override { return answers_.size(); }
  std::vector<FilterAnswer> answers_;
  double largest_ = 0;
};

}  // namespace bankside::window
