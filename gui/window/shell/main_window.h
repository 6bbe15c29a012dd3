/// The window: docks around the canvas, menus, and what the keyboard does. Thin: state is the session's.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <optional>

#include "gui/window/session/session.h"
#include "gui/window/session/workflow.h"

class QActionGroup;
class QFileSystemWatcher;
class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace bankside::window {

class BankPanel;
class EvaluationRun;
class Folder;
class RegionPanel;
class Banner;
class Canvas;
class History;
struct Offer;
class TimingPanel;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Session& session, Workflow& workflow, RunController& controller, QWidget* parent = nullptr);

  /// Geometry and docks, as `saveState` of this version gave them.
  void restoreLayout(const QByteArray& geometry, const QByteArray& docks);
  /// One sentence where it is seen and stays until it is dismissed or its cause is gone.
  void showProblem(const QString& sentence, std::optional<Work> cause = {});
  /// The photograph that comes with the program, with the recommended recipe or another one.
  void showSample(const QString& recipe = {});
  /// No picture, with bank or recipe as they are.
  void showStartPage();
  /// An image, the first one of a folder, a bank or a recipe.
  void openPath(const QString& path);
  /// Pictures side by side, and with them perhaps a folder, a bank or a recipe.
  void openPaths(const QStringList& paths);
  /// The line that repeats what the window shows with the headless program. What is no name and no file is in
  /// the recipe that it names.
  QString commandLine();
  /// What the window shows as a recipe that gives the same bytes elsewhere: with the engine by name, and with
  /// edited filters inside.
  Recipe pinnedRecipe() const;
  /// What the session finds at the next start: with what was edited inside.
  SessionState stateToKeep() const;

  History& history() { return *history_; }

 Q_SIGNALS:
  /// Whatever computes beside the panes ends too.
  void stopWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QAction* addAction(QMenu* menu, const QString& name, const QString& title, const QKeySequence& keys,
                     const QString& hint, std::function<void()> run);
  void makeDocks();
  /// Panels that stand one behind the other show all their names, where the one above them has room to give.
  void giveNamesRoom();
  void connectBank();
  QWidget* makeBankPage();
  QWidget* makeComparePanel();
  void makeCompareActions(QMenu* menu);
  void makeBranchActions(QMenu* menu);
  void makeInputActions(QMenu* menu);
  void keepResult();
  void makeEditMenu();
  void addHistoryDock();
  void useKeptAgain(int number);
  void selectFilter(int filter);
  void connectRegion();
  void connectExport();
  void makeMenus();
  void makeFileMenu();
  void makeViewMenu();
  void addFolderRun(QMenu* menu);
  QWidget* makeEvaluation();
  void addEvaluation(QMenu* menu);
  void exportEvaluation(const QString& folder, bool replace);
  /// The image of that number with what is found, missed and false.
  void openEvaluated(int image);
  QWidget* makeStrip();
  void makeRegionMenu();
  void makeToolBar();
  void makeStatusBar();
  void connectProblems();
  /// With a button that helps, instead of the one that goes with the cause.
  void showProblem(const QString& sentence, std::optional<Work> cause, const QString& title,
                   std::function<void()> help);
  /// Of a file; `again` asks for another place.
  void showUnsaved(const QString& sentence, std::function<void()> again);
  void showSaved(const QString& sentence);
  void takeOffer(const Offer& offer);
  void readSession();
  /// The status line says what it does, where those before it do nothing.
  void watchWork(RunController& worker);
  void readWork();
  void rebuildRecent();
  void watchFile();
  void fileChanged();
  void showPixel(std::optional<QPoint> pixel);
  void layOut(int panes);

  void drawRegion(RegionKind kind);
  void chooseMask();
  bool chooseTruth();  ///< whether a file was chosen
  void followTruth();
  void saveMask();
  void saveStatistics();
  /// Where the headless program finds the recipe, by its content.
  static QString fileRecipe(const Recipe& recipe);
  void openJson(const QString& path);
  void takeRecipe(const QString& path);
  void openBesides(int by);
  void chooseImage();
  void chooseFolder();
  void chooseRecipe();
  void saveRecipe();
  void saveReport();
  void savePicture();
  QPixmap panesPicture() const;
  void exportResponses();
  void copyCommand();
  void copyMeasurement();
  void copyLine(const std::function<QString()>& line);
  void showPalette();
  void showGuide(int tab);
  QString keysOfMenus() const;
  void showAbout();

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  Folder* folder_;
  History* history_;
  EvaluationRun* evaluation_ = nullptr;
  struct TruthOf {
    QString truth;
    QString image;
  } lastTruth_;                    ///< what was chosen for the picture before
  bool folderWanted_ = false;      ///< of what is being opened the folder was asked for
  std::optional<float> judgedAt_;  ///< the threshold that an evaluation gave its picture
  Canvas* canvas_;
  Banner* banner_;
  TimingPanel* timing_ = nullptr;
  BankPanel* bank_ = nullptr;
  RegionPanel* region_ = nullptr;
  QMenu* recent_ = nullptr;
  QMenu* pages_ = nullptr;
  QActionGroup* layouts_ = nullptr;
  QAction* swipe_ = nullptr;
  QAction* blink_ = nullptr;
  QAction* cancel_ = nullptr;
  std::optional<QPoint> hovered_;
  QPointer<QObject> found_;  // what the palette offers beside commands
  struct Doing {
    const RunController* worker;
    QString what;  ///< empty: nothing
  };
  std::vector<Doing> doing_;
  QLabel* pixel_ = nullptr;
  QLabel* image_ = nullptr;
  QLabel* work_ = nullptr;
  QProgressBar* busy_ = nullptr;
  QTimer* patience_ = nullptr;
  QFileSystemWatcher* watcher_ = nullptr;
};

}  // namespace bankside::window
