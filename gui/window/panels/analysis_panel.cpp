#include "gui/window/panels/analysis_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "gui/window/panels/low_view.h"

namespace bankside::window {
namespace {

/// A bar behind the number, as long as the answer is large: to the right of the middle where it is positive.
class BarDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const double share = index.data(BankAnswersModel::ShareRole).toDouble();
    const double half = option.rect.width() / 2.0;
    const double begin = option.rect.left() + half + std::min(share, 0.0) * half;
    const QRectF bar(begin, option.rect.top() + 2, std::fabs(share) * half, option.rect.height() - 4);
    painter->fillRect(bar, share < 0 ? QColor(0, 114, 178, 90) : QColor(213, 94, 0, 90));
    QStyledItemDelegate::paint(painter, option, index);
  }
};

QLabel* wrapped(QWidget* parent, const char* name) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

AnalysisPanel::AnalysisPanel(Analysis& analysis, QWidget* parent) : QWidget(parent), analysis_(analysis) {
  setObjectName(QStringLiteral("analysisPanel"));
  model_ = new BankAnswersModel(this);
  redundancy_ = wrapped(this, "analysisRedundancy");
  text_ = wrapped(this, "analysisText");
  table_ = new LowView<QTableView>(this);
  table_->setObjectName(QStringLiteral("analysisTable"));
  table_->setAccessibleName(tr("Answers of all filters at the pixel"));
  table_->setModel(model_);
  table_->setItemDelegateForColumn(BankAnswersModel::Answer, new BarDelegate(table_));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);  // the arrows move within it, Tab goes on
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(BankAnswersModel::Answer, QHeaderView::Stretch);
  resume_ = new QPushButton(tr("Compute"), this);
  resume_->setObjectName(QStringLiteral("analysisResume"));
  resume_->setToolTip(tr("Analyze the bank after all"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 3);
  column->addWidget(redundancy_);
  column->addWidget(text_);
  column->addWidget(resume_);
  column->addWidget(table_, 1);
  connect(resume_, &QPushButton::clicked, &analysis_, &Analysis::resume);
  connect(&analysis_, &Analysis::changed, this, &AnalysisPanel::readAnalysis);
  readAnalysis();
}

void AnalysisPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  analysis_.setWanted(true);
}

void AnalysisPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  analysis_.setWanted(false);  // nobody sees it
}

QString AnalysisPanel::redundancyText() const {
  const auto& bank = analysis_.bank();
  if (!bank || bank->size() < 2) return {};
  const auto& found = analysis_.redundancy();
  if (!found)
    return tr("Redundancy is looked at in banks of up to %1 filters.").arg(BankAnalysis::mostFilters);
  return tr("%1 filters span %2 dimensions; %3 of them hold 99 % of all taps' squares. Nearest to each "
            "other: "
            "%4 and %5, cosine %6.")
      .arg(bank->size())
      .arg(found->rank)
      .arg(found->for99)
      .arg(QString::fromStdString(found->a), QString::fromStdString(found->b))
      .arg(found->closest, 0, 'f', 4);
}

void AnalysisPanel::readAnalysis() {
  redundancy_->setText(redundancyText());
  const auto& pixel = analysis_.pixel();
  text_->setText(analysis_.stopped()               ? tr("Stopped.")
                 : !analysis_.sentence().isEmpty() ? analysis_.sentence()
                 : pixel                           ? tr("At pixel %1, %2:").arg(pixel->x()).arg(pixel->y())
                                                   : QString());
  resume_->setVisible(analysis_.stopped());
  model_->setAnswers(analysis_.answers());
  table_->setVisible(model_->rowCount() > 0);
  for (QWidget* each :
       {static_cast<QWidget*>(redundancy_), static_cast<QWidget*>(text_), static_cast<QWidget*>(table_)})
    each->setEnabled(!analysis_.dimmed());
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
}

}  // namespace bankside::window
