#include "gui/window/panels/tap_grid_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>

#include "gui/window/canvas/heat_map.h"
#include "gui/window/models/filter_table_model.h"

namespace bankside::window {
namespace {

class TapDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto& filter = static_cast<const FilterTableModel*>(index.model())->filter();
    const QColor heat = QColor(heatScale(filter).color(index.data(FilterTableModel::TapRole).toDouble()));
    const QRect cell = option.rect;
    painter->fillRect(cell, heat);
    painter->setPen(qGray(heat.rgb()) < 140 ? Qt::white : Qt::black);
    painter->setFont(option.font);
    painter->drawText(cell.adjusted(4, 0, -5, 0), Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    if (index.data(FilterTableModel::AnchorRole).toBool()) {
      // Corner marks rather than a frame: a frame is what a selected cell has.
      painter->setBrush(painter->pen().color());
      const int arm = 6;
      painter->drawPolygon(
          QPolygon({cell.topLeft(), cell.topLeft() + QPoint(arm, 0), cell.topLeft() + QPoint(0, arm)}));
      painter->drawPolygon(QPolygon(
          {cell.bottomRight(), cell.bottomRight() - QPoint(arm, 0), cell.bottomRight() - QPoint(0, arm)}));
      painter->setBrush(Qt::NoBrush);
    }
    if (option.state & QStyle::State_Selected) {
      painter->setPen(QPen(option.palette.color(QPalette::Highlight), 3));
      painter->drawRect(cell.adjusted(1, 1, -2, -2));
    }
  }

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                        const QModelIndex& index) const override {
    auto* line = new QLineEdit(parent);
    line->setObjectName("tapEditor");
    line->setAccessibleName(index.data(Qt::AccessibleTextRole).toString());
    line->setAlignment(Qt::AlignRight);
    line->setFrame(false);
    return line;
  }

  /// Takes what was typed with the key itself. Qt does so after whatever waits before it, such as another
  /// bank, which takes the editor away.
  bool eventFilter(QObject* object, QEvent* event) override {
    auto* editor = qobject_cast<QWidget*>(object);
    if (editor == nullptr || event->type() != QEvent::KeyPress)
      return QStyledItemDelegate::eventFilter(object, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter) return QStyledItemDelegate::eventFilter(object, event);
    Q_EMIT commitData(editor);
    if (editor->isVisible()) Q_EMIT closeEditor(editor);  // else it is gone already
    return true;
  }
};

}  // namespace

TapGridView::TapGridView(QWidget* parent) : QTableView(parent) {
  setItemDelegate(new TapDelegate(this));
  setSelectionMode(QAbstractItemView::ContiguousSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::AnyKeyPressed |
                  QAbstractItemView::EditKeyPressed);
  setTabKeyNavigation(false);  // Tab leaves the table; the arrows move within it.
  setWordWrap(false);
  const QFontMetrics metrics(font());
  for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
    header->setMinimumSectionSize(24);
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
  }
  horizontalHeader()->setDefaultSectionSize(metrics.horizontalAdvance("-0.0000") + 12);
  verticalHeader()->setDefaultSectionSize(metrics.height() + 10);
}

QRect TapGridView::selectedCells() const {
  QRect cells;
  const auto& indices = selectionModel() ? selectionModel()->selection() : QItemSelection();
  for (const QItemSelectionRange& range : indices)
    cells |= QRect(range.left(), range.top(), range.width(), range.height());
  if (cells.isNull() && currentIndex().isValid())
    cells = QRect(currentIndex().column(), currentIndex().row(), 1, 1);
  return cells;
}

}  // namespace bankside::window
