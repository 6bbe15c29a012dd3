/// The panels, where they stand, and what they and the session tell each other.
#include <QChildEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QLabel>
#include <QProxyStyle>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/findings_overlay.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/thumbnail.h"
#include "gui/window/panels/analysis_panel.h"
#include "gui/window/panels/bank_panel.h"
#include "gui/window/panels/explain_panel.h"
#include "gui/window/panels/export_panel.h"
#include "gui/window/panels/inspector_panel.h"
#include "gui/window/panels/levels_panel.h"
#include "gui/window/panels/planes_form.h"
#include "gui/window/panels/recipe_panel.h"
#include "gui/window/panels/recipe_suggestion.h"
#include "gui/window/panels/region_panel.h"
#include "gui/window/panels/settings_panel.h"
#include "gui/window/panels/timing_panel.h"
#include "gui/window/panels/truth_panel.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {
namespace {

constexpr int tall = 760;           ///< from here on there is room for more than the panes
constexpr int laptop = 680;         ///< from here on a folder's pictures have a row below them
constexpr int lowStrip = 146;       ///< of a folder's pictures on a small screen
constexpr int roomOfAName = 12;     ///< around the name of a panel on its tab
constexpr int leastOfAPanel = 150;  ///< what other panels' names do not take from one
constexpr int narrowest = 240;      ///< what two columns of panels may take of a small screen each

/// Six names stand in the height of a small screen.
class CloseTabs final : public QProxyStyle {
 public:
  /// Tabs go on using it for as long as there is a program.
  static CloseTabs* one() {
    static const QPointer<CloseTabs> style = [] {
      auto* made = new CloseTabs;
      made->setParent(QCoreApplication::instance());
      return made;
    }();
    return style;
  }
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    return metric == PM_TabBarTabHSpace ? roomOfAName : QProxyStyle::pixelMetric(metric, option, widget);
  }
};

/// Names of panels are not cut to a letter or two where there is little room: they stand closer, and then the
/// tabs scroll.
class WholeNames final : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* window, QEvent* event) override {
    if (event->type() == QEvent::ChildPolished) {
      if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) {
        tabs->setStyle(CloseTabs::one());
        tabs->setElideMode(Qt::ElideNone);
      }
    }
    return QObject::eventFilter(window, event);
  }
};

/// No panel makes the window higher than the screen.
QScrollArea* scrolled(QWidget* widget) {
  auto* area = new QScrollArea;
  area->setWidget(widget);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setMinimumWidth(std::min(narrowest, widget->minimumSizeHint().width() + 16));
  return area;
}

}  // namespace

void MainWindow::makeDocks() {
  const QSize first = size();  // panels that are not yet one behind the other make it larger
  installEventFilter(new WholeNames(this));
  const auto dock = [this](const QString& title, const QString& name, QWidget* widget,
                           Qt::DockWidgetArea area) {
    auto* holder = new QDockWidget(title, this);
    holder->setObjectName(name);
    holder->setWidget(widget);
    if (widget->accessibleName().isEmpty()) widget->setAccessibleName(title);
    addDockWidget(area, holder);
    return holder;
  };
  timing_ = new TimingPanel(session_, workflow_, controller_, this);
  connect(timing_, &TimingPanel::saveRequested, this, &MainWindow::saveReport);
  region_ = new RegionPanel(session_, this);
  auto* exports = new ExportPanel(session_, this);
  connect(exports, &ExportPanel::exportWanted, this, &MainWindow::exportResponses);
  auto* pixels = new QWidget(this);
  auto* ofPixel = new QVBoxLayout(pixels);
  ofPixel->setContentsMargins(0, 0, 0, 0);
  ofPixel->setSpacing(0);
  ofPixel->addWidget(new InspectorPanel(session_, pixels));
  ofPixel->addWidget(new ExplainPanel(session_, workflow_.select(), pixels), 1);

  auto* bank = dock(tr("Bank"), QStringLiteral("bankDock"), makeBankPage(), Qt::LeftDockWidgetArea);
  auto* setup = dock(tr("Filtering"), QStringLiteral("settingsDock"),
                     scrolled(new SettingsPanel(session_, workflow_, this)), Qt::LeftDockWidgetArea);
  auto* files = dock(tr("Export"), QStringLiteral("exportDock"), scrolled(exports), Qt::LeftDockWidgetArea);
  auto* pixel = dock(tr("Pixel"), QStringLiteral("pixelDock"), scrolled(pixels), Qt::RightDockWidgetArea);
  auto* levels = dock(tr("Levels"), QStringLiteral("levelsDock"), scrolled(new LevelsPanel(session_, this)),
                      Qt::RightDockWidgetArea);
  auto* region = dock(tr("Region"), QStringLiteral("regionDock"), scrolled(region_), Qt::RightDockWidgetArea);
  auto* marks = new Truth(session_, this);
  watchWork(marks->worker());
  connect(this, &MainWindow::stopWanted, marks, &Truth::stop);
  auto* judged = new TruthPanel(session_, *marks, this);
  auto* truth = dock(tr("Truth"), QStringLiteral("truthDock"), scrolled(judged), Qt::RightDockWidgetArea);
  connect(judged, &TruthPanel::truthWanted, this, [this, marks] {
    if (chooseTruth()) marks->readAnew();
  });
  for (int i = 0; i < mostPanes; ++i) new FindingsOverlay(session_, *marks, canvas_->pane(i));
  auto* comparison = dock(tr("Compare"), QStringLiteral("compareDock"), scrolled(makeComparePanel()),
                          Qt::RightDockWidgetArea);
  auto* timings =
      dock(tr("Timings"), QStringLiteral("timingDock"), scrolled(timing_), Qt::BottomDockWidgetArea);
  auto* folder = dock(tr("Folder"), QStringLiteral("folderDock"), makeStrip(), Qt::BottomDockWidgetArea);
  auto* looking = new Analysis(session_, this);
  watchWork(looking->worker());
  connect(this, &MainWindow::stopWanted, looking, &Analysis::stop);
  auto* analysis = dock(tr("Analysis"), QStringLiteral("analysisDock"),
                        scrolled(new AnalysisPanel(*looking, this)), Qt::RightDockWidgetArea);
  auto* evaluation =
      dock(tr("Evaluation"), QStringLiteral("evaluationDock"), makeEvaluation(), Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::East);  // six names have no room side by side
  tabifyDockWidget(timings, folder);
  tabifyDockWidget(folder, evaluation);
  tabifyDockWidget(bank, setup);
  tabifyDockWidget(setup, files);
  bank->raise();
  if (first.height() < tall) tabifyDockWidget(pixel, levels);  // one below the other there is no room
  tabifyDockWidget(levels, region);
  tabifyDockWidget(region, truth);
  tabifyDockWidget(truth, comparison);
  tabifyDockWidget(comparison, analysis);
  levels->raise();
  resize(first);
  resizeDocks({bank, pixel}, {width() * 24 / 100, width() * 22 / 100}, Qt::Horizontal);
  if (height() >= tall) resizeDocks({pixel, levels}, {height() / 2, height() / 2}, Qt::Vertical);
  resizeDocks({folder}, {160}, Qt::Vertical);
  // They come when there is something in them, or somebody asks for them.
  timings->hide();
  folder->hide();
  evaluation->hide();
  resize(first);
  // Behind the levels nobody would see what the first click on a pixel brought.
  connect(&session_, &Session::pixelChanged, pixel, [this, pixel, levels, before = false]() mutable {
    const bool now = session_.state().pixel.has_value();
    if (now && !before && tabifiedDockWidgets(levels).contains(pixel) && !levels->visibleRegion().isEmpty())
      pixel->raise();
    before = now;
  });
  connect(&session_, &Session::pictureChanged, folder, [this, folder, timings, evaluation] {
    // On a small screen for who asked for a folder; pictures are small then.
    const bool small = height() < laptop;
    const bool asked = std::exchange(folderWanted_, false);
    if (!folder->isHidden() || (small && !asked) ||
        imagesBeside(session_.state().imagePath.toStdString()).size() < 2)
      return;
    folder->show();
    if (timings->isHidden() && evaluation->isHidden()) folder->raise();
    if (small) resizeDocks({folder}, {lowStrip}, Qt::Vertical);
  });
  for (QDockWidget* below : {timings, folder, evaluation}) {
    connect(below, &QDockWidget::visibilityChanged, this, [this] {
      QTimer::singleShot(0, this, &MainWindow::giveNamesRoom);  // when it is laid out
    });
  }
  connectBank();
  connectRegion();
}

void MainWindow::giveNamesRoom() {
  auto* pixel = findChild<QDockWidget*>(QStringLiteral("pixelDock"));
  auto* levels = findChild<QDockWidget*>(QStringLiteral("levelsDock"));
  if (pixel->isFloating() || pixel->isHidden()) return;
  QList<QDockWidget*> group = tabifiedDockWidgets(levels);
  group.prepend(levels);
  int names = 0;
  int room = 0;
  for (const QDockWidget* each : group) {
    names += fontMetrics().horizontalAdvance(each->windowTitle()) + roomOfAName;
    if (!each->visibleRegion().isEmpty()) room = each->height();  // the one in front
  }
  if (room == 0 || room >= names) return;
  const auto give = [&](QDockWidget* from, QList<QDockWidget*> of, QList<int> heights) {
    const int left = from->height() - (names - room);
    if (left < leastOfAPanel) return;
    resizeDocks(of << from, heights << left, Qt::Vertical);
  };
  if (!group.contains(pixel)) return give(pixel, {levels}, {names});
  for (const char* below : {"timingDock", "folderDock", "evaluationDock"}) {
    auto* dock = findChild<QDockWidget*>(QLatin1String(below));
    if (!dock->isFloating() && !dock->visibleRegion().isEmpty()) return give(dock, {}, {});
  }
}

QWidget* MainWindow::makeBankPage() {
  bank_ = new BankPanel(this);
  auto* page = new QWidget(this);
  auto* suggestion = new RecipeSuggestion(session_, page);
  auto* recipe = new RecipePanel(session_, workflow_, page);
  auto* either = new QStackedWidget(page);
  auto* banks = scrolled(bank_);
  banks->setAccessibleName(tr("Bank"));
  either->addWidget(banks);
  either->addWidget(recipe);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(suggestion);
  column->addWidget(either, 1);
  column->addWidget(new PlanesForm(session_, page));
  connect(suggestion, &RecipeSuggestion::recipeWanted, this, &MainWindow::takeRecipe);
  connect(recipe, &RecipePanel::bankWanted, this, [this] {
    const std::string held = bank_->bank().info().name;
    workflow_.chooseBank(held.empty() ? QStringLiteral("vessel-matched") : QString::fromStdString(held));
  });
  connect(&session_, &Session::recipeChanged, either,
          [this, either] { either->setCurrentIndex(session_.recipe().ofMaps() ? 1 : 0); });
  return page;
}

void MainWindow::connectBank() {
  connect(bank_, &BankPanel::bankChosen, &workflow_,
          [this](const QString& spec) { workflow_.chooseBank(spec); });
  connect(bank_, &BankPanel::bankEdited, this, [this] {
    const FilterBank bank = bank_->bank();
    const int filter = bank_->selectedFilter();
    const bool one = session_.filterOf(session_.state().selectedPlane) >= 0;
    session_.setBank(bank, QString::fromStdString(bank.info().name), true);
    if (one) selectFilter(filter);
  });
  connect(bank_, &BankPanel::filterPicked, this, &MainWindow::selectFilter);
  connect(bank_, &BankPanel::combinedPicked, this,
          [this](int plane) { session_.selectPlane(session_.responseCount() + plane); });
  connect(&session_, &Session::bankChanged, bank_, [this] {
    if (!session_.bank()) return;  // a recipe of steps has its own
    const FilterBank& bank = *session_.bank();
    const bool shown =
        bank_->bank().contentHash() == bank.contentHash() && bank_->bank().info() == bank.info();
    if (!shown) bank_->setBank(bank);
  });
  connect(&session_, &Session::planesChanged, bank_, [this] {
    const int selected = session_.state().selectedPlane;
    const int filter = session_.filterOf(selected);
    if (filter >= 0 && filter != bank_->selectedFilter() && filter < bank_->bank().size())
      bank_->setSelectedFilter(filter);
    QStringList combined;
    const int count = static_cast<int>(session_.planes().size());
    for (int i = session_.responseCount(); i < count && session_.bank(); ++i)
      combined << session_.planeTitle(i);
    bank_->setCombined(combined, combined.isEmpty() ? -1 : std::max(-1, selected - session_.responseCount()));
  });
}

void MainWindow::selectFilter(int filter) {
  const int selected = session_.state().selectedPlane;
  if (filter < 0 || !session_.bank() || filter >= session_.bank()->size()) return;
  // Of the same channel as the plane before, where every channel has the whole bank.
  const int count = session_.bank()->size();
  session_.selectPlane(session_.filterOf(selected) < 0 ? filter : selected / count * count + filter);
}

}  // namespace bankside::window
