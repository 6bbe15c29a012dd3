#include "gui/window/panels/evaluation_panel.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QTabWidget>
#include <QTreeWidget>
#include <algorithm>

#include "core/text.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/models/evaluation_tables.h"
#include "gui/window/panels/own_window_button.h"
#include "gui/window/panels/roc_view.h"

namespace bankside::window {
namespace {

/// Sorted by its numbers where it has them.
class SortedRow final : public QTreeWidgetItem {
 public:
  using QTreeWidgetItem::QTreeWidgetItem;
  bool operator<(const QTreeWidgetItem& other) const override {
    const int column = treeWidget()->sortColumn();
    bool mine = false;
    bool its = false;
    const double a = text(column).toDouble(&mine);
    const double b = other.text(column).toDouble(&its);
    if (mine && its) return a < b;
    return mine != its ? its : text(column) < other.text(column);
  }
};

void alignNumbers(QTreeWidgetItem* item, int first, int last) {
  for (int i = first; i <= last; ++i) item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
}

}  // namespace

EvaluationPanel::EvaluationPanel(EvaluationRun& run, QWidget* parent) : QWidget(parent), run_(run) {
  setObjectName(QStringLiteral("evaluationPanel"));
  tabs_ = new QTabWidget(this);
  tabs_->setObjectName(QStringLiteral("evaluationTabs"));
  tabs_->setAccessibleName(tr("Parts of the evaluation"));
  tabs_->setDocumentMode(true);
  auto* study = new QScrollArea(this);  // no panel makes the window higher than the screen
  study->setWidget(makeStudy());
  study->setAccessibleName(tr("What is judged"));
  study->setWidgetResizable(true);
  study->setFrameShape(QFrame::NoFrame);
  tabs_->addTab(study, tr("What is judged"));
  tabs_->addTab(makeFigures(), tr("Figures"));
  tabs_->addTab(makeCurve(), tr("Curve"));
  tabs_->addTab(makePictures(), tr("Pictures"));
  tabs_->setCornerWidget(new OwnWindowButton(QStringLiteral("enlargeEvaluation"), tabs_));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 0, 4, 2);
  column->setSpacing(2);
  column->addWidget(tabs_, 1);
  column->addLayout(makeBar());
  connect(&run_, &EvaluationRun::changed, this, &EvaluationPanel::readRun);
  readRun();
}

QTreeWidget* EvaluationPanel::makeTable(const QString& name, const QString& title,
                                        const QStringList& columns) {
  auto* table = new QTreeWidget(this);
  table->setObjectName(name);
  table->setAccessibleName(title);
  table->setUniformRowHeights(true);
  table->setHeaderLabels(columns);
  table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->header()->setStretchLastSection(false);
  alignNumbers(table->headerItem(), 1, table->columnCount() - 1);
  return table;
}

QWidget* EvaluationPanel::makeFigures() {
  auto* page = new QWidget(this);
  head_ = new QLabel(page);
  head_->setObjectName(QStringLiteral("evaluationHead"));
  head_->setWordWrap(true);
  head_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  points_ = makeTable(QStringLiteral("evaluationPoints"), tr("What thresholds find"), pointColumns());
  points_->setRootIsDecorated(false);
  points_->setIndentation(12);
  points_->setItemsExpandable(false);
  points_->headerItem()->setToolTip(6, tr("Dice's overlap, which is F1"));
  points_->headerItem()->setToolTip(8, tr("Of the MCC, from pictures drawn again and again"));
  points_->headerItem()->setToolTip(7, tr("Matthews' correlation"));
  points_->headerItem()->setToolTip(9, tr("Centre lines that are covered by the other mask"));
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(6, 4, 6, 2);
  column->addWidget(head_);
  column->addWidget(points_, 1);
  return page;
}

QWidget* EvaluationPanel::makeCurve() {
  auto* page = new QWidget(this);
  roc_ = new RocView(page);
  roc_->setObjectName(QStringLiteral("evaluationCurve"));
  legend_ = new QLabel(page);
  legend_->setObjectName(QStringLiteral("evaluationLegend"));
  legend_->setWordWrap(true);
  auto* row = new QHBoxLayout(page);
  row->addWidget(roc_, 2);
  row->addWidget(legend_, 1);
  return page;
}

QWidget* EvaluationPanel::makePictures() {
  auto* page = new QWidget(this);
  where_ = new QLabel(page);
  where_->setObjectName(QStringLiteral("evaluationWhere"));
  where_->setWordWrap(true);
  pictures_ =
      makeTable(QStringLiteral("evaluationPictures"), tr("The pictures one by one"), pictureColumns());
  pictures_->headerItem()->setTextAlignment(6, Qt::AlignLeft | Qt::AlignVCenter);
  pictures_->header()->setStretchLastSection(true);
  pictures_->setRootIsDecorated(false);
  const auto open = [this](QTreeWidgetItem* item) {
    Q_EMIT pictureWanted(item->data(0, Qt::UserRole).toInt());
  };
  connect(pictures_, &QTreeWidget::itemClicked, this, open);
  // Not `itemActivated`: a double click would open it again.
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
    auto* enter = new QShortcut(key, pictures_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(enter, &QShortcut::activated, this, [this, open] {
      if (QTreeWidgetItem* item = pictures_->currentItem()) open(item);
    });
  }
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(6, 4, 6, 2);
  column->addWidget(where_);
  column->addWidget(pictures_, 1);
  return page;
}

QLayout* EvaluationPanel::makeBar() {
  const auto button = [this](const QString& name, const QString& title, const QString& hint) {
    auto* made = new QPushButton(title, this);
    made->setObjectName(name);
    made->setToolTip(hint);
    return made;
  };
  start_ = button(QStringLiteral("evaluationStart"), tr("&Evaluate"),
                  tr("Filter all pictures with what is set here, and judge them by the manual vessels"));
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("evaluationProgress"));
  bar_->setAccessibleName(tr("How far it is"));
  bar_->setMaximumWidth(110);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("evaluationStatus"));
  status_->setWordWrap(true);
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  copy_ = button(QStringLiteral("evaluationCopy"), tr("Copy as &command"),
                 tr("Copy the command that gives these figures in a terminal or a script"));
  export_ =
      button(QStringLiteral("evaluationExport"), tr("E&xport…"),
             tr("Write figures as JSON, CSV and Markdown, the curves as SVG, and an overlay a picture"));
  connect(start_, &QPushButton::clicked, this, [this] {
    if (run_.state() == EvaluationRun::State::Running) return run_.stop();
    run_.start();
  });
  connect(copy_, &QPushButton::clicked, this, &EvaluationPanel::commandWanted);
  connect(export_, &QPushButton::clicked, this, &EvaluationPanel::exportWanted);
  auto* row = new QHBoxLayout;
  row->addWidget(start_);
  row->addWidget(bar_);
  row->addWidget(status_, 1);
  row->addWidget(copy_);
  row->addWidget(export_);
  return row;
}

QString EvaluationPanel::stateText() const {
  using State = EvaluationRun::State;
  const EvaluationProgress& now = run_.progress();
  const QString trouble = run_.busy() ? QString() : run_.trouble();
  if (!trouble.isEmpty()) return trouble;
  if (!run_.busy() && choosing()) return tr("Pictures have several masks each: choose which of them count.");
  switch (run_.state()) {
    case State::Idle: return tr("Ready to evaluate.");
    case State::Running:
      return now.total == 0             ? tr("Looking at the files…")
             : now.ended() == now.total ? tr("Judging the responses…")
                                        : doneText(now.done, now.total, now.failed, now.leftOut);
    case State::Stopping: return tr("Finishing the picture in hand…");
    case State::Stopped:
      return run_.evaluated() ? tr("Stopped. The figures are those of before; evaluate again to export them.")
                              : tr("Stopped.");
    case State::Failed: return run_.error();
    case State::Done: break;
  }
  if (!run_.error().isEmpty()) return run_.error();
  if (run_.outdated()) return tr("The figures are of other settings: evaluate again.");
  const auto& outcome = *run_.evaluated();
  const std::size_t all = outcome.report.images.size();
  const std::size_t done = outcome.report.evaluation.images.size();
  std::int64_t leftOut = 0;
  for (std::size_t i = 0; i < all; ++i) leftOut += headless::isLeftOut(outcome.study, i) ? 1 : 0;
  const auto failed = static_cast<std::int64_t>(all - done) - leftOut;
  QString text = done == all ? tr("Done.")
                             : tr("%1: see Pictures.")
                                   .arg(doneText(static_cast<std::int64_t>(done),
                                                 static_cast<std::int64_t>(all), failed, leftOut));
  if (!outcome.warning.empty()) text += QLatin1Char(' ') + sentenceOf(outcome.warning);
  return text;
}

void EvaluationPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readRun();
}

void EvaluationPanel::readRun() {
  if (!isVisible()) {  // nobody sees it
    if (shown_ != run_.evaluated()) shown_.reset();
    return;
  }
  using State = EvaluationRun::State;
  const bool running = run_.state() == State::Running || run_.state() == State::Stopping;
  const EvaluationRequest request = run_.request();
  for (const Place& each : places_) {
    const QString text = QString::fromStdString(request.*each.place);
    if (each.line->text() != text) each.line->setText(text);
  }
  if (!threshold_->hasFocus() || !threshold_->isModified())
    threshold_->setText(request.threshold ? QString::fromStdString(formatNumber(*request.threshold))
                                          : QString());
  const auto& own = request.recipe.threshold;
  threshold_->setPlaceholderText(own ? tr("the recipe's, %1").arg(shortValueText(*own, 4)) : tr("none"));
  for (QWidget* each : asked_) each->setEnabled(!running);
  readChoices(request);
  const EvaluationProgress& now = run_.progress();
  bar_->setVisible(running);
  bar_->setRange(0, now.ended() == now.total ? 0 : now.total);
  bar_->setValue(now.ended());
  status_->setText(stateText());
  start_->setText(run_.state() == State::Running ? tr("Stop") : tr("&Evaluate"));
  start_->setEnabled(run_.state() == State::Running || (!run_.busy() && run_.trouble().isEmpty()));
  export_->setEnabled(run_.exportable() && !run_.busy());
  copy_->setEnabled(run_.evaluated() != nullptr);
  if (running && shown_) shown_ = run_.evaluated();  // the same figures, without their responses
  if (run_.evaluated() != shown_) readResult();
  dim(running || run_.outdated());
}

void EvaluationPanel::readResult() {
  shown_ = run_.evaluated();
  const bool any = !shown_->report.evaluation.images.empty();
  const Evaluation& evaluation = shown_->report.evaluation;
  head_->setText(any ? headOf(evaluation) : tr("No picture could be judged."));
  points_->clear();
  std::vector<RocView::Dot> dots;
  QString legend;
  for (const PointRow& row : any ? pointRows(evaluation) : std::vector<PointRow>()) {
    auto* pooled = new QTreeWidgetItem(points_, row.pooled);
    pooled->setToolTip(0, row.hint);
    auto* mean = new QTreeWidgetItem(pooled, row.mean);
    mean->setToolTip(0, tr("The mean of the pictures' own figures"));
    for (QTreeWidgetItem* item : {pooled, mean}) alignNumbers(item, 1, points_->columnCount() - 1);
    pooled->setExpanded(true);
    dots.push_back({row.at, QColor::fromRgb(row.color)});
    legend += QStringLiteral("<p><span style='color:%1'>●</span> <b>%2</b> %3</p>")
                  .arg(dots.back().color.name(), row.name.toHtmlEscaped(), row.words.toHtmlEscaped());
  }
  roc_->setCurve(evaluation.pooled.points, std::move(dots));
  legend_->setText(legend);
  listPictures();
  if (!any || run_.exportable()) tabs_->setCurrentIndex(any ? 1 : 3);
}

void EvaluationPanel::listPictures() {
  where_->setText(
      shown_->report.evaluation.images.empty()
          ? head_->text()
          : tr("Sensitivity and the like at the threshold %1. Click a picture to open it with what "
               "is found, missed and false.")
                .arg(shortValueText(headless::overlayThreshold(*shown_), 5)));
  pictures_->setSortingEnabled(false);
  pictures_->clear();
  int number = 0;
  for (const PictureRow& row : pictureRows(*shown_)) {
    auto* item = new SortedRow(pictures_, row.cells);
    item->setData(0, Qt::UserRole, number++);
    item->setToolTip(0, row.file);
    item->setToolTip(6, row.cells.back());
    alignNumbers(item, 1, 5);
  }
  // The worst first, and before them what failed.
  pictures_->setSortingEnabled(true);
  pictures_->sortByColumn(1, Qt::AscendingOrder);
}

void EvaluationPanel::dim(bool old) {
  QPalette faint;
  if (old) {
    const QColor color = QApplication::palette().color(QPalette::Disabled, QPalette::Text);
    for (const auto role : {QPalette::Text, QPalette::WindowText}) faint.setColor(role, color);
  }
  for (QWidget* each : {static_cast<QWidget*>(head_), static_cast<QWidget*>(points_),
                        static_cast<QWidget*>(pictures_), static_cast<QWidget*>(legend_)})
    each->setPalette(faint);
  roc_->setEnabled(!old);
}

void EvaluationPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && roc_ != nullptr) dim(!roc_->isEnabled());
}

}  // namespace bankside::window
