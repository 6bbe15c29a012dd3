#include "gui/window/panels/explain_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace bankside::window {
namespace {

/// Taps outside the image stand out.
class BorderDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(ExplanationModel::BorderRole).toBool()) return;
    option->backgroundBrush = QColor(230, 159, 0, 60);
    option->font.setItalic(true);
  }
};

}  // namespace

ExplainPanel::ExplainPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("explainPanel"));
  model_ = new ExplanationModel(this);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("explainText"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("explainTable"));
  table_->setAccessibleName(tr("Taps times pixels"));
  table_->setModel(model_);
  table_->setItemDelegate(new BorderDelegate(table_));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setShowGrid(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addWidget(text_);
  column->addWidget(table_, 1);
  for (const auto signal :
       {&Session::pixelChanged, &Session::planesChanged, &Session::recipeChanged, &Session::pictureChanged}) {
    connect(&session_, signal, this, &ExplainPanel::readSession);
  }
  readSession();
}

void ExplainPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readSession();
}

void ExplainPanel::readSession() {
  if (!isVisible()) return;  // thousands of taps that nobody sees
  const auto& pixel = session_.state().pixel;
  const int filter = session_.filterOf(session_.state().selectedPlane);
  QString text;
  PixelExplanation explanation;
  if (!pixel || !session_.picture()) {
    text = tr("Click a pixel to see how the selected filter makes its value.");
  } else if (session_.secondBank()) {
    text = tr("Two banks make this value: take the second away (Settings) to see the taps of the first.");
  } else if (filter < 0) {
    text = tr("The selected plane combines several filters: select one filter to see its taps.");
  } else {
    try {
      const int group = session_.planes()[static_cast<std::size_t>(session_.state().selectedPlane)].channel;
      explanation = explainPixel(session_.runSettings(), filter, group, pixel->x(), pixel->y());
    } catch (const std::exception& error) {
      text = QString::fromUtf8(error.what());
    }
  }
  model_->setExplanation(std::move(explanation));
  if (text.isEmpty()) text = model_->summary();
  text_->setText(text);
  table_->setVisible(model_->rowCount() > 0);
  table_->resizeColumnsToContents();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
}

}  // namespace bankside::window
