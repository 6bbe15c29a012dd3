#include "gui/window/panels/filter_gallery.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/window/canvas/heat_map.h"
#include "gui/window/models/filter_list_model.h"
#include "gui/window/panels/bank_document.h"

namespace bankside::window {
namespace {

constexpr int heatSide = 64;
constexpr int cellMargin = 5;
constexpr int cellWidth = 92;

class HeatMapDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {cellWidth, heatSide + 3 * cellMargin + 2 * option.fontMetrics.height()};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    if (selected) {
      const auto group = option.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(Qt::NoPen);
      painter->setBrush(option.palette.brush(group, QPalette::Highlight));
      painter->drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 4, 4);
      painter->setRenderHint(QPainter::Antialiasing, false);
    }
    const auto& model = *static_cast<const FilterListModel*>(index.model());
    const bool combined = model.isCombined(index.row());
    const QRect heat(option.rect.center().x() - heatSide / 2, option.rect.y() + cellMargin, heatSide,
                     heatSide);
    if (combined) {
      painter->setPen(option.palette.color(QPalette::Mid));
      painter->setBrush(option.palette.brush(QPalette::AlternateBase));
      painter->drawRect(heat.adjusted(0, 0, -1, -1));
      painter->setPen(option.palette.color(QPalette::Text));
      painter->drawText(heat, Qt::AlignCenter | Qt::TextWordWrap, FilterGallery::tr("all\nfilters"));
    } else {
      paintHeatMap(*painter, heat, model.filter(index.row()), 0);
    }

    QColor ink = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const int line = option.fontMetrics.height();
    QRect words = option.rect.adjusted(3, heatSide + 2 * cellMargin, -3, 0);
    words.setHeight(line);
    const auto write = [&](const QString& text) {
      painter->setPen(ink);
      painter->drawText(words, Qt::AlignHCenter | Qt::AlignVCenter,
                        option.fontMetrics.elidedText(text, Qt::ElideMiddle, words.width()));
      words.translate(0, line);
    };
    painter->setFont(option.font);
    write(index.data().toString());
    ink.setAlphaF(0.75f);
    write(combined ? FilterGallery::tr("combined") : FilterListModel::describe(model.filter(index.row())));
    painter->restore();
  }
};

/// Two sheets, painted: the sign for it is missing from many fonts.
class DuplicateButton : public QToolButton {
 public:
  using QToolButton::QToolButton;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
    const QRect sheet(rect().center() - QPoint(5, 5), QSize(7, 7));
    painter.drawPolyline(QPolygon({sheet.bottomLeft() + QPoint(2, 0), sheet.bottomLeft(), sheet.topLeft(),
                                   sheet.topRight(), sheet.topRight() + QPoint(0, 2)}));
    painter.drawRect(sheet.translated(4, 4));
  }
};

QString summaryOf(const FilterBank& bank) {
  if (bank.size() == 0) return {};
  QString text =
      bank.size() == 1 ? FilterGallery::tr("1 filter") : FilterGallery::tr("%1 filters").arg(bank.size());
  text += bank.uniform() ? QString(" · %1 × %2").arg(bank[0].height).arg(bank[0].width)
                         : FilterGallery::tr(" · several sizes");
  if (bank.channels() > 1) text += FilterGallery::tr(" · %1 channels").arg(bank.channels());
  return text + " · " + FilterListModel::modeText(bank.info().mode);
}

}  // namespace

FilterGallery::FilterGallery(BankDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new FilterListModel(this)) {
  list_ = new QListView(this);
  list_->setObjectName("filterGallery");
  list_->setAccessibleName(tr("Filters of the bank"));
  list_->setModel(model_);
  list_->setItemDelegate(new HeatMapDelegate(list_));
  list_->setViewMode(QListView::IconMode);
  list_->setMovement(QListView::Static);
  list_->setResizeMode(QListView::Adjust);
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setMinimumHeight(heatSide + 60);

  summary_ = new QLabel(this);
  summary_->setObjectName("bankSummary");
  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // its words wrap
  summary_->setWordWrap(true);
  row->addWidget(summary_, 1);
  row->addWidget(
      button("+", "addFilter", tr("Add a filter (3 × 3, one at the anchor)"), &FilterGallery::addFilter));
  row->addWidget(button("", "duplicateFilter", tr("Duplicate the filter"), &FilterGallery::duplicateFilter));
  remove_ = button("−", "removeFilter", tr("Remove the filter (Delete)"), &FilterGallery::removeFilter);
  row->addWidget(remove_);
  earlier_ = button("◂", "moveFilterEarlier", tr("Move the filter towards the front (Alt+Left)"), nullptr);
  later_ = button("▸", "moveFilterLater", tr("Move the filter towards the end (Alt+Right)"), nullptr);
  row->addWidget(earlier_);
  row->addWidget(later_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(9, 4, 9, 4);
  layout->addLayout(row);
  layout->addWidget(list_, 1);

  const auto onList = [this](const QKeySequence& keys) {
    return new QShortcut(keys, list_, nullptr, nullptr, Qt::WidgetShortcut);
  };
  connect(earlier_, &QToolButton::clicked, this, [this] { moveFilter(-1); });
  connect(later_, &QToolButton::clicked, this, [this] { moveFilter(1); });
  connect(onList(Qt::ALT | Qt::Key_Left), &QShortcut::activated, this, [this] { moveFilter(-1); });
  connect(onList(Qt::ALT | Qt::Key_Right), &QShortcut::activated, this, [this] { moveFilter(1); });
  connect(onList(Qt::Key_Delete), &QShortcut::activated, this, &FilterGallery::removeFilter);
  connect(list_, &QListView::activated, this, [this](const QModelIndex& index) {
    if (!model_->isCombined(index.row())) emit editWanted();
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            if (following_ || !current.isValid()) return;
            if (model_->isCombined(current.row()))
              return emit combinedPicked(current.row() - document_.bank().size());
            document_.select(current.row());
            emit filterPicked(current.row());
          });
  connect(&document_, &BankDocument::bankChanged, this, &FilterGallery::followBank);
  connect(&document_, &BankDocument::selectedFilterChanged, this, &FilterGallery::followSelection);
  followBank();
}

void FilterGallery::followBank() {
  following_ = true;
  model_->setBank(document_.bank());
  following_ = false;
  summary_->setText(summaryOf(document_.bank()));
  followSelection();
}

void FilterGallery::setCombined(const QStringList& titles, int selected) {
  combined_ = selected;
  following_ = true;
  model_->setCombined(titles);
  following_ = false;
  followSelection();
}

void FilterGallery::followSelection() {
  following_ = true;
  list_->setCurrentIndex(
      model_->index(combined_ < 0 ? document_.selected() : document_.bank().size() + combined_));
  following_ = false;
  const int size = document_.bank().size();
  remove_->setEnabled(size > 1);
  earlier_->setEnabled(document_.selected() > 0);
  later_->setEnabled(document_.selected() + 1 < size);
}

void FilterGallery::addFilter() {
  const FilterBank& bank = document_.bank();
  if (bank.size() == 0) return;
  Filter filter = makeFilter(freeLabel(bank, "filter"), 3, 3, {});
  filter.channels = bank.channels();
  for (int c = 0; c < filter.channels; ++c)
    filter.taps.insert(filter.taps.end(), {0, 0, 0, 0, 1, 0, 0, 0, 0});
  document_.edit(InsertFilter{bank.size(), filter}, tr("Add filter"));
}

void FilterGallery::duplicateFilter() {
  if (document_.bank().size() == 0) return;
  Filter copy = document_.selectedFilter();
  copy.label = freeLabel(document_.bank(), copy.label);
  document_.edit(InsertFilter{document_.selected() + 1, copy}, tr("Duplicate filter"));
}

void FilterGallery::removeFilter() {
  document_.edit(RemoveFilter{document_.selected()}, tr("Remove filter"));
}

void FilterGallery::moveFilter(int by) {
  const int to = document_.selected() + by;
  if (to < 0 || to >= document_.bank().size()) return;
  document_.edit(MoveFilter{document_.selected(), to}, tr("Move filter"));
}

QToolButton* FilterGallery::button(const QString& text, const QString& name, const QString& tip,
                                   void (FilterGallery::*action)()) {
  auto* made = text.isEmpty() ? new DuplicateButton(this) : new QToolButton(this);
  made->setText(text);
  made->setObjectName(name);
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  made->setAutoRaise(true);
  if (action) connect(made, &QToolButton::clicked, this, action);
  return made;
}

}  // namespace bankside::window
