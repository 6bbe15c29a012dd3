#include "gui/window/panels/analysis_panel.h"
#include "gui/window/compute/core_sentence.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "filters/analysis/bank_analysis.h"

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

AnalysisPanel::AnalysisPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("analysisPanel"));
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &AnalysisPanel::readSession);
  model_ = new BankAnswersModel(this);
  redundancy_ = wrapped(this, "analysisRedundancy");
  text_ = wrapped(this, "analysisText");
  table_ = new QTableView(this);
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
  table_->horizontalHeader()->setStretchLastSection(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 3);
  column->addWidget(redundancy_);
  column->addWidget(text_);
  column->addWidget(table_, 1);
  for (const auto signal : {&Session::pixelChanged, &Session::bankChanged, &Session::planesChanged,
                            &Session::recipeChanged, &Session::pictureChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  readSession();
}

void AnalysisPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readSession();
}

void AnalysisPanel::readSession() {
  if (!isVisible()) return;  // nobody sees it
  const std::shared_ptr<const FilterBank> bank = session_.recipe().ofMaps() ? nullptr : session_.bank();
  if (bank != analyzed_ || !bank) {
    analyzed_ = bank;
    QString text;
    if (bank && bank->size() > 1) {
      const auto redundancy = redundancyOf(*bank);
      text = redundancy
                 ? QString::fromStdString(describe(*redundancy, bank->size()))
                 : tr("Redundancy is looked at in banks of up to %1 filters.").arg(BankAnalysis::mostFilters);
    }
    redundancy_->setText(text);
  }
  const auto& pixel = session_.state().pixel;
  QString text;
  std::vector<FilterAnswer> answers;
  if (!bank) {
    text = session_.recipe().ofMaps()
               ? tr("Several steps make the result. A bank is analyzed where it runs by itself.")
               : tr("There is no bank yet.");
  } else if (!pixel || !session_.picture()) {
    text = tr("Click a pixel to see what every filter answers there.");
  } else {
    try {
      const auto plane = static_cast<std::size_t>(session_.state().selectedPlane);
      const bool ofFirst = !session_.secondBank() && plane < session_.planes().size();
      const int channel = ofFirst ? session_.planes()[plane].channel : 0;
      answers = bankAnswers(session_.runSettings(), channel, pixel->x(), pixel->y());
      text = tr("At pixel %1, %2:").arg(pixel->x()).arg(pixel->y());
    } catch (const std::exception& error) {
      text = sentenceOf(error);
    }
  }
  text_->setText(text);
  model_->setAnswers(std::move(answers));
  table_->setVisible(model_->rowCount() > 0);
  table_->resizeColumnToContents(BankAnswersModel::Label);
  table_->resizeColumnToContents(BankAnswersModel::Degrees);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
}

}  // namespace bankside::window
