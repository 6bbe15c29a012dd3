#include "gui/window/models/bank_answers_model.h"

#include <algorithm>
#include <cmath>

#include "gui/window/compute/value_text.h"

namespace bankside::window {

void BankAnswersModel::setAnswers(std::vector<FilterAnswer> answers) {
  beginResetModel();
  answers_ = std::move(answers);
  largest_ = 0;
  for (const FilterAnswer& answer : answers_) largest_ = std::max(largest_, std::fabs(answer.value));
  endResetModel();
}

QVariant BankAnswersModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const FilterAnswer& answer = answers_[static_cast<std::size_t>(index.row())];
  if (role == ShareRole) {
    const double share = answer.value / largest_;
    return std::isfinite(share) ? share : 0.0;
  }
  if (role == Qt::TextAlignmentRole && index.column() != Label)
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  if (role == Qt::ToolTipRole && index.column() == Answer) return shortValueText(answer.value, 9);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Label: return QString::fromStdString(answer.label);
    case Degrees: return answer.degrees ? shortValueText(*answer.degrees, 4) : QVariant();
    case Answer: return shortValueText(answer.value, 5);
    default: return {};
  }
}

QVariant BankAnswersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount || role != Qt::DisplayRole)
    return {};
  const QString titles[] = {tr("Filter"), tr("Degrees"), tr("Answer")};
  return titles[section];
}

}  // namespace bankside::window
