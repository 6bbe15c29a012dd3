#include "gui/window/shell/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/panels/page_bar.h"
#include "gui/window/session/folder.h"
#include "gui/window/session/history.h"
#include "gui/window/shell/banner.h"

namespace bankside::window {

MainWindow::MainWindow(Session& session, Workflow& workflow, RunController& controller, QWidget* parent)
    : QMainWindow(parent), session_(session), workflow_(workflow), controller_(controller) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(QStringLiteral("Bankside"));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  // Of the screen that it comes up on, whatever its scale.
  const QSize room = QGuiApplication::primaryScreen()->availableSize();
  const QSize first = QSize(1360, 860).boundedTo(QSize(room.width() * 19 / 20, room.height() * 9 / 10));
  resize(first);

  folder_ = new Folder(session_, workflow_, this);
  auto* center = new QWidget(this);
  banner_ = new Banner(center);
  canvas_ = new Canvas(session, center);
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(banner_);
  auto* pages = new PageBar(session_, center);
  connect(pages, &PageBar::pageWanted, this,
          [this](int page) { workflow_.open(session_.state().imagePath, page); });
  connect(&workflow_, &Workflow::problem, pages, &PageBar::readSession);
  column->addWidget(pages);
  column->addWidget(canvas_, 1);
  setCentralWidget(center);

  history_ = new History(session, workflow, this);
  watchWork(controller_);
  makeDocks();
  makeMenus();
  makeToolBar();
  makeStatusBar();
  watcher_ = new QFileSystemWatcher(this);
  auto* settle = new QTimer(this);  // writers touch a file many times: read it once they are done
  settle->setSingleShot(true);
  settle->setInterval(300);
  connect(watcher_, &QFileSystemWatcher::fileChanged, settle, qOverload<>(&QTimer::start));
  connect(watcher_, &QFileSystemWatcher::directoryChanged, settle, [this, settle] {
    if (QFileInfo::exists(session_.state().imagePath)) settle->start();
  });
  connect(settle, &QTimer::timeout, this, &MainWindow::fileChanged);

  connect(canvas_, &Canvas::hovered, this, &MainWindow::showPixel);
  connect(canvas_, &Canvas::resized, this, [this] { showPixel(hovered_); });
  connect(&workflow_, &Workflow::notice, this,
          [this](const QString& sentence) { statusBar()->showMessage(sentence, 8000); });
  connectExport();
  connectProblems();
  connect(&session_, &Session::pictureChanged, this, [this] {
    watchFile();
    readSession();
  });
  connect(&session_, &Session::panesChanged, this, &MainWindow::readSession);
  connect(&session_, &Session::viewChanged, this, [this] { showPixel(hovered_); });
  connect(&session_, &Session::recentChanged, this, &MainWindow::rebuildRecent);
  rebuildRecent();
  readSession();
  // Panels made it larger, and its smallest size, until all stood in their places.
  layout()->invalidate();
  layout()->activate();
  resize(first);
}

void MainWindow::restoreLayout(const QByteArray& geometry, const QByteArray& docks) {
  restoreGeometry(geometry);
  restoreState(docks);
  if (!workflow_.measurement()) findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
}

void MainWindow::makeToolBar() {
  QToolBar* bar = addToolBar(tr("Main"));
  bar->setObjectName(QStringLiteral("mainToolBar"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  const auto action = [this](const char* name) { return findChild<QAction*>(QLatin1String(name)); };
  for (const char* name : {"actionOpen", "", "actionFit", "actionFullSize", "actionZoomIn", "actionZoomOut",
                           "", "actionPanes1", "actionPanes2", "actionPanes3", "actionPanes4", "actionSwipe",
                           "", "actionMeasure", "actionCancel", "", "actionCopyCommand", "actionExport"}) {
    if (*name == '\0') {
      bar->addSeparator();
    } else if (QAction* found = action(name)) {
      bar->addAction(found);
    }
  }
}

void MainWindow::makeStatusBar() {
  pixel_ = new QLabel(this);
  pixel_->setObjectName(QStringLiteral("statusPixel"));
  image_ = new QLabel(this);
  image_->setObjectName(QStringLiteral("statusImage"));
  work_ = new QLabel(this);
  work_->setObjectName(QStringLiteral("statusWork"));
  busy_ = new QProgressBar(this);
  busy_->setRange(0, 0);
  busy_->setMaximumWidth(110);
  busy_->setMaximumHeight(fontMetrics().height());
  busy_->setTextVisible(false);
  busy_->setAccessibleName(tr("Working"));
  busy_->hide();
  patience_ = new QTimer(this);
  patience_->setSingleShot(true);
  patience_->setInterval(window::patience);
  connect(patience_, &QTimer::timeout, busy_, &QWidget::show);
  statusBar()->addWidget(work_, 1);
  statusBar()->addPermanentWidget(busy_);
  statusBar()->addPermanentWidget(pixel_);
  statusBar()->addPermanentWidget(image_);
  connect(&controller_, &RunController::said, work_, &QLabel::setText);
  connect(&session_, &Session::resultsChanged, this, &MainWindow::readWork);
  readWork();
}

void MainWindow::watchWork(RunController& worker) {
  doing_.push_back({&worker, {}});
  connect(&worker, &RunController::busyChanged, this, [this, &worker](bool busy, const QString& what) {
    for (Doing& each : doing_) {
      if (each.worker == &worker) each.what = busy ? what + QStringLiteral("…") : QString();
    }
    readWork();
  });
}

void MainWindow::readWork() {
  const auto at =
      std::find_if(doing_.begin(), doing_.end(), [](const Doing& each) { return !each.what.isEmpty(); });
  const bool busy = at != doing_.end();
  work_->setText(busy ? at->what : session_.stopped() ? tr("Stopped") : tr("Ready"));
  cancel_->setEnabled(busy);
  // Work that is done before one could read of it is not worth a flicker.
  if (!busy) {
    patience_->stop();
    busy_->hide();
  } else if (!busy_->isVisible() && !patience_->isActive()) {
    patience_->start();
  }
}

void MainWindow::readSession() {
  const PicturePtr& picture = session_.picture();
  const auto& state = session_.state();
  if (picture) {
    const ImageInfo& info = picture->info;
    image_->setText(
        QStringLiteral("%1 · %2 × %3 %4%5")
            .arg(QFileInfo(state.imagePath).fileName())
            .arg(info.width)
            .arg(info.height)
            .arg(QLatin1String(toString(info.type)))
            .arg(info.channels > 1 ? tr(" · %1 channels").arg(info.channels) : QString()) +
        (info.pages > 1 && !picture->stacked ? tr(" · page %1 of %2").arg(state.page + 1).arg(info.pages)
                                             : QString()) +
        (picture->finest > 0 ? tr(" · shown 1:%1, parts of it 1:1").arg(1 << picture->finest) : QString()));
    setWindowTitle(QStringLiteral("%1 – Bankside").arg(QFileInfo(state.imagePath).fileName()));
  } else {
    image_->clear();
    setWindowTitle(QStringLiteral("Bankside"));
  }
  pages_->setEnabled(picture && picture->info.pages > 1);
  if (layouts_ != nullptr) {
    const int panes = static_cast<int>(state.panes.size());
    for (QAction* action : layouts_->actions()) {
      action->setChecked(action->data().toInt() == panes && state.mode == CanvasMode::Grid);
    }
  }
  if (swipe_ != nullptr) swipe_->setChecked(state.mode == CanvasMode::Swipe);
}

void MainWindow::showPixel(std::optional<QPoint> pixel) {
  hovered_ = pixel;
  if (!session_.picture()) return pixel_->clear();
  // Of the screen's pixels, as "100 %" has it.
  const double zoom = canvas_->pane(0)->geometryNow().zoom() * devicePixelRatioF();
  const QString scale = QStringLiteral("%1 %").arg(zoom * 100, 0, 'f', zoom < 0.1 ? 1 : 0);
  pixel_->setText(pixel ? QStringLiteral("x %1, y %2 · %3").arg(pixel->x()).arg(pixel->y()).arg(scale)
                        : scale);
}

void MainWindow::fileChanged() {
  const QString path = session_.state().imagePath;
  if (QFileInfo::exists(path)) {
    // A file put in the place of another is no longer watched; and what is read now may be half a file.
    if (!watcher_->files().contains(path)) watcher_->addPath(path);
    return workflow_.reload();
  }
  showProblem(tr("%1 is gone; what is shown was read before.").arg(path), Work::Open);
  const QString folder = QFileInfo(path).absolutePath();
  if (QFileInfo::exists(folder)) watcher_->addPath(folder);  // it may come back
}

void MainWindow::watchFile() {
  const QStringList watched = watcher_->files() + watcher_->directories();
  if (!watched.isEmpty()) watcher_->removePaths(watched);
  if (session_.picture()) watcher_->addPath(session_.state().imagePath);
}

void MainWindow::layOut(int panes) {
  // What was there stays; what is new shows what is not yet shown.
  std::vector<PaneSpec> specs = session_.state().panes;
  for (const Layer layer : {Layer::Output, Layer::OpenCv, Layer::Difference, Layer::Input}) {
    if (static_cast<int>(specs.size()) >= panes) break;
    const bool shown =
        std::any_of(specs.begin(), specs.end(), [&](const PaneSpec& spec) { return spec.layer == layer; });
    if (!shown) specs.push_back({layer});
  }
  while (static_cast<int>(specs.size()) < panes) specs.push_back({Layer::Output});
  specs.resize(static_cast<std::size_t>(panes));
  session_.setMode(CanvasMode::Grid);
  session_.setPanes(std::move(specs));
  readSession();  // the button that was pressed is pressed, where nothing changed too
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  openPaths(paths);
}

void MainWindow::openPaths(const QStringList& paths) {
  QStringList pictures;
  for (const QString& path : paths) {
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower();
    const bool settings =
        suffix == QLatin1String("json") || suffix == QLatin1String("csv") || suffix == QLatin1String("txt");
    if (file.isDir() || settings) {
      openPath(file.absoluteFilePath());
    } else {
      pictures << file.absoluteFilePath();
    }
  }
  workflow_.openTogether(pictures);
}

}  // namespace bankside::window
