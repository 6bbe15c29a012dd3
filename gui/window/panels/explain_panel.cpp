#include "gui/window/panels/explain_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/panels/low_view.h"
#include "gui/window/panels/small_font.h"

namespace bankside::window {
namespace {

/// Whether a combined value is one filter's.
bool picksOne(Combine combine) {
  return combine == Combine::Max || combine == Combine::AbsMax || combine == Combine::ArgMax;
}

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

ExplainPanel::ExplainPanel(Session& session, SelectEngine select, QWidget* parent)
    : QWidget(parent), session_(session), select_(std::move(select)) {
  setObjectName(QStringLiteral("explainPanel"));
  model_ = new ExplanationModel(this);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("explainText"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_ = new LowView<QTableView>(this);
  table_->setObjectName(QStringLiteral("explainTable"));
  table_->setAccessibleName(tr("Taps times pixels"));
  table_->setModel(model_);
  table_->setItemDelegate(new BorderDelegate(table_));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);  // the arrows move within it, Tab goes on
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setShowGrid(false);
  useSmallFont(table_);  // six columns beside the panes
  table_->setMinimumHeight(5 * fontMetrics().height());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3, 6, 3, 3);
  column->addWidget(text_);
  column->addWidget(table_, 1);
  for (const auto signal : {&Session::pixelChanged, &Session::planesChanged, &Session::recipeChanged,
                            &Session::pictureChanged, &Session::panesChanged, &Session::resultsChanged}) {
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
  const int plane = session_.state().selectedPlane;
  const auto& last = session_.secondBank() ? session_.secondBank() : session_.bank();
  QString text;
  QString before;
  PixelExplanation explanation;
  if (!pixel || !session_.picture()) {
    text = tr("Click a pixel to see how the selected filter makes its value.");
  } else if (session_.recipe().ofMaps()) {
    text =
        tr("Several steps of a recipe make this value. The taps of a filter are explained where a bank runs "
           "by itself.");
  } else if (!last || plane >= static_cast<int>(session_.planes().size())) {
    text = tr("There is no filter yet.");
  } else {
    try {
      const int group = session_.planes()[static_cast<std::size_t>(plane)].channel;
      const RunSettings settings = session_.runSettings();
      const auto explain = [&](int filter) {
        return explainPixel(settings, select_, filter, group, pixel->x(), pixel->y());
      };
      if (plane < session_.responseCount()) {
        explanation = explain(plane % last->size());
      } else if (!session_.secondBank() && picksOne(settings.recipe.stages.front().combine)) {
        const bool magnitude = settings.recipe.stages.front().combine == Combine::AbsMax;
        const auto rank = [&](const PixelExplanation& e) { return magnitude ? std::fabs(e.value) : e.value; };
        for (int filter = 0; filter < last->size(); ++filter) {
          PixelExplanation next = explain(filter);
          if (filter == 0 || rank(next) > rank(explanation)) explanation = std::move(next);
        }
        before = tr("The largest of %1 filters here is ").arg(last->size());
      } else {
        text = tr("What is selected is made of all filters: select one to see its taps.");
      }
    } catch (const std::exception& error) {
      text = sentenceOf(error);
    }
  }
  const bool explained = text.isEmpty();
  const float value = explanation.value;
  model_->setExplanation(std::move(explanation));
  if (explained) text = before + model_->summary() + ofPanes(value);
  text_->setText(text);
  table_->setVisible(model_->rowCount() > 0);
  fitColumns();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
}

QString ExplainPanel::ofPanes(float value) const {
  QString text;
  const PlaneKey key = session_.keyOf({Layer::Output});
  const auto& pixel = *session_.state().pixel;
  const PlaneResult* held = session_.result(key);
  const auto there = session_.valueAt(key, pixel.x(), pixel.y());
  // Not numbers of filters, which are no sums.
  const bool sums = held != nullptr && held->plane && held->plane->type() == ElementType::F32;
  const bool other = there && *there != value && !(std::isnan(*there) && std::isnan(value));
  if (sums && session_.fresh(key) && other)
    text += tr("\nOur output is %1 there: %2 sums in another order.")
                .arg(shortValueText(*there, 9), QString::fromStdString(held->engine));
  const auto& panes = session_.state().panes;
  const bool own = std::any_of(panes.begin(), panes.end(), [](const PaneSpec& pane) {
    return pane.layer == Layer::Kept || !pane.branch.follows();
  });
  if (own)
    text += tr("\nThis is of the panels' %1, not of what a pane keeps.").arg(recipeTitle(session_.setup()));
  return text;
}

void ExplainPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitColumns();
}

void ExplainPanel::fitColumns() {
  for (int i = 0; i < ExplanationModel::ColumnCount; ++i) table_->setColumnHidden(i, false);
  table_->resizeColumnsToContents();
  // The tooltips of the tap and of the pixel say these too.
  int excess = table_->horizontalHeader()->length() + table_->verticalScrollBar()->sizeHint().width() +
               2 * table_->frameWidth() - table_->width();
  for (const int column : {ExplanationModel::Product, ExplanationModel::Source}) {
    if (excess <= 0) return;
    excess -= table_->columnWidth(column);
    table_->setColumnHidden(column, true);
  }
}

}  // namespace bankside::window
