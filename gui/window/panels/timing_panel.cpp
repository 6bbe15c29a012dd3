#include "gui/window/panels/timing_panel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/problem.h"
#include "gui/window/canvas/menu_button.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/panels/interval_bars.h"
#include "gui/window/panels/low_view.h"
#include "gui/window/panels/own_window_button.h"

namespace bankside::window {
namespace {

/// Red for engines that were wrong: they have no speed.
class FailureDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(TimingModel::FailedRole).toBool()) return;
    option->palette.setColor(QPalette::Text, QColor(214, 48, 49));
    option->font.setBold(true);
    if (index.column() == TimingModel::Ratio) {
      option->text = index.data(TimingModel::ReasonRole).toString();
      option->displayAlignment = Qt::AlignLeft | Qt::AlignVCenter;
    }
  }
};

/// The judge is slow by design, and peers that are no baseline can take minutes: they run when asked for.
bool measuredUnasked(const Engine& engine) {
  const EngineKind::Role role = engine.kind().role;
  return role != EngineKind::Role::Judge && role != EngineKind::Role::Peer;
}

}  // namespace

TimingPanel::TimingPanel(Session& session, Workflow& workflow, RunController& controller, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow), controller_(controller) {
  setObjectName(QStringLiteral("timingPanel"));
  model_ = new TimingModel(this);
  start_ = new QPushButton(tr("Measure"), this);
  start_->setObjectName(QStringLiteral("measure"));
  start_->setToolTip(tr("Verify every engine on this image and bank, then time them in turn (F5)"));
  effort_ = new QComboBox(this);
  effort_->setObjectName(QStringLiteral("measureEffort"));
  effort_->setAccessibleName(tr("How long to measure"));
  effort_->setToolTip(tr("More rounds give narrower intervals"));
  effort_->addItem(tr("quick, 1 s"), 1.0);
  effort_->addItem(tr("normal, 5 s"), 5.0);
  effort_->addItem(tr("thorough, 20 s"), 20.0);
  effort_->setCurrentIndex(1);
  engines_ = new QMenu(this);
  QMenu* absent = nullptr;
  for (const Engine* engine : workflow_.engines()) {
    const Support available = engine->available();
    if (!available && absent == nullptr) {
      absent = new QMenu(tr("Cannot run here"), this);
      absent->setToolTipsVisible(true);
    }
    QAction* action = (available ? engines_ : absent)->addAction(QString::fromStdString(engine->name()));
    action->setToolTip(sentenceOf(available ? engine->description() : available.reason));
    action->setCheckable(true);
    action->setEnabled(static_cast<bool>(available));
    action->setChecked(available && measuredUnasked(*engine));
    choices_.emplace_back(engine, action);
  }
  if (absent != nullptr) engines_->addMenu(absent);
  engines_->setToolTipsVisible(true);
  auto* choose = new MenuButton(tr("Engines"), this);
  choose->setObjectName(QStringLiteral("measureEngines"));
  choose->setToolTip(tr("Which engines take part"));
  choose->setMenu(engines_);
  save_ = new QPushButton(tr("Save report…"), this);
  save_->setObjectName(QStringLiteral("saveReport"));
  save_->setToolTip(tr("Every sample and the environment, as JSON, CSV or Markdown"));
  save_->setEnabled(false);
  caption_ = new QLabel(this);
  caption_->setObjectName(QStringLiteral("timingCaption"));
  caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  caption_->setWordWrap(true);
  last_ = new QLabel(this);
  last_->setObjectName(QStringLiteral("lastRun"));
  last_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  last_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  last_->setWordWrap(true);
  last_->setToolTip(
      tr("The phases of the latest run of each result on show, not repeated; press Measure for times "
         "with intervals."));

  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("timingTable"));
  table_->setAccessibleName(tr("Times of the engines"));
  table_->setModel(model_);
  table_->setItemDelegate(new FailureDelegate(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);  // the arrows move within it, Tab goes on
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);
  table_->horizontalHeader()->setHighlightSections(false);
  bars_ = new IntervalBars(this);

  auto* row = new QHBoxLayout;
  row->addWidget(start_);
  row->addWidget(effort_);
  row->addWidget(choose);
  row->addWidget(save_);
  row->addSpacing(8);
  row->addWidget(caption_, 1);
  row->addWidget(new OwnWindowButton(QStringLiteral("enlargeTimings"), this));
  auto* halves = new LowView<QSplitter>(Qt::Horizontal, this);
  halves->setObjectName(QStringLiteral("timingHalves"));
  halves->addWidget(table_);
  auto* scroll = new QScrollArea(this);  // many engines must not make the window taller than the screen
  scroll->setObjectName(QStringLiteral("timingBars"));
  scroll->setAccessibleName(tr("Times as bars"));
  scroll->setWidget(bars_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  halves->addWidget(scroll);
  halves->setStretchFactor(0, 3);
  halves->setStretchFactor(1, 2);
  halves->setSizes({720, 420});
  halves->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addLayout(row);
  column->addWidget(last_);
  column->addWidget(halves, 1);
  column->addStretch(0);
  halves_ = halves;
  halves_->hide();  // until there is something to show

  connect(start_, &QPushButton::clicked, this, [this] {
    if (measuring_) {
      controller_.cancel(Work::Measure);
    } else {
      measure();
    }
  });
  connect(save_, &QPushButton::clicked, this, &TimingPanel::saveRequested);
  connect(&workflow_, &Workflow::measured, this, &TimingPanel::showMeasurement);
  connect(&controller_, &RunController::said, this, [this](const QString& what) {
    if (measuring_) caption_->setText(what);
  });
  connect(&controller_, &RunController::finished, this, [this](Work kind, bool cancelled) {
    if (kind != Work::Measure) return;
    measuring_ = false;
    showState();
    if (cancelled) caption_->setText(tr("Measuring was stopped."));
  });
  connect(&session_, &Session::recipeChanged, this, &TimingPanel::showState);
  connect(&session_, &Session::bankChanged, this, &TimingPanel::showState);
  connect(&session_, &Session::pictureChanged, this, &TimingPanel::showState);
  connect(&session_, &Session::resultsChanged, this, &TimingPanel::showState);
  showState();
}

MeasureOptions TimingPanel::options() const {
  MeasureOptions options;
  options.seconds = effort_->currentData().toDouble();
  if (options.seconds < 2) options.minRounds = 7;  // six are the fewest that bear a verdict
  return options;
}

void TimingPanel::measure() {
  measuring_ = workflow_.measure(options(), contenders());
  showState();
}

std::vector<const Engine*> TimingPanel::contenders() const {
  std::vector<const Engine*> chosen;
  for (const auto& [engine, action] : choices_) {
    if (action->isChecked()) chosen.push_back(engine);
  }
  return chosen;
}

void TimingPanel::showMeasurement() {
  model_->setMeasurement(workflow_.measurement());
  bars_->setMeasurement(workflow_.measurement());
  table_->resizeColumnsToContents();
  table_->clearSpans();
  for (int row = 0; row < model_->rowCount(); ++row) {  // what went wrong takes the place of the times
    if (!model_->index(row, 0).data(TimingModel::FailedRole).toBool()) continue;
    table_->setSpan(row, TimingModel::Ratio, 1, TimingModel::ColumnCount - TimingModel::Ratio);
  }
  save_->setEnabled(true);
  halves_->show();
  showState();
}

void TimingPanel::showState() {
  start_->setText(measuring_ ? tr("Stop") : tr("Measure"));
  const auto& measurement = workflow_.measurement();
  if (!measurement) {
    caption_->setText(
        tr("Each engine is checked against the double-precision reference first, then all take turns."));
  } else {
    const BenchReport& report = measurement->report;
    const bool current = session_.bank() && session_.bank()->contentHash() == report.bankHash &&
                         session_.recipe().border == measurement->recipe.border &&
                         session_.recipe().channel == measurement->recipe.channel &&
                         session_.recipe().stages == measurement->recipe.stages &&
                         session_.state().imagePath == measurement->input;
    double bytes = 0;
    double operations = 0;
    for (const ConvolutionProblem& problem : report.problems) {
      bytes += problem.minBytes();
      operations += problem.flops();
    }
    QString text = tr("%1 on %2: at least %3 MB to move, %4 billion operations; decoding took %5")
                       .arg(QString::fromStdString(report.bank), QFileInfo(measurement->input).fileName(),
                            QString::number(bytes / 1e6, 'f', 1), QString::number(operations / 1e9, 'f', 2),
                            timeText(measurement->decodeSeconds));
    if (!current) text = tr("Of earlier settings: ") + text;
    caption_->setText(text);
    caption_->setToolTip(text);
    table_->setEnabled(current);
  }
  QStringList phases;
  for (const PaneSpec& pane : session_.state().panes) {
    const PlaneKey key = session_.keyOf(pane);
    const PlaneResult* held = session_.result(key);
    if (held == nullptr || held->plane == nullptr || held->engine.empty()) continue;
    QStringList parts;
    const std::pair<QString, double> times[] = {{tr("upload %1"), held->times.upload},
                                                {tr("compute %1"), held->times.compute},
                                                {tr("download %1"), held->times.download}};
    for (const auto& [title, seconds] : times) {
      if (seconds >= 0.5e-6) parts.append(title.arg(timeText(seconds)));
    }
    const QString what =
        held->filters > 1 ? tr("%1, %2 filters in one run").arg(session_.planeTitle(key)).arg(held->filters)
                          : session_.planeTitle(key);
    const QString line =
        tr("%1 of %2: %3").arg(QString::fromStdString(held->engine), what, parts.join(QStringLiteral(", ")));
    if (!phases.contains(line)) phases.append(line);
  }
  last_->setText(phases.isEmpty() ? QString()
                                  : tr("Last run, not repeated: ") + phases.join(QStringLiteral("   ·   ")));
  last_->setVisible(!phases.isEmpty());
}

}  // namespace bankside::window
