/// The window: docks around the canvas, menus, and what the keyboard does. Thin: state is the session's.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <optional>

#include "gui/window/session/session.h"
#include "gui/window/session/workflow.h"

class QActionGroup;
class QFileSystemWatcher;
class QLabel;
class QProgressBar;
class QToolButton;

namespace bankside::window {

class BankPanel;
class Folder;
class RegionPanel;
class Banner;
class Canvas;
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
  /// The photograph and the recipe that come with the program.
  void showSample();
  /// An image, the first one of a folder, a bank or a recipe.
  void openPath(const QString& path);
  /// The line that repeats what the window shows with the headless program. Saves an edited bank first.
  QString commandLine();
  /// What the window shows as a recipe that gives the same bytes elsewhere: with the engine by name, and with
  /// an edited bank in a file.
  Recipe pinnedRecipe();
  /// Gives an edited bank the file that the session finds it in at the next start.
  void keepEditedBank();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QAction* addAction(QMenu* menu, const QString& name, const QString& title, const QKeySequence& keys,
                     const QString& hint, std::function<void()> run);
  void makeDocks();
  void connectBank();
  QWidget* makeBankPage();
  void selectFilter(int filter);
  void connectRegion();
  void connectExport();
  void makeMenus();
  void makeFileMenu();
  void makeViewMenu();
  void addFolderRun(QMenu* menu);
  QWidget* makeStrip();
  void makeRegionMenu();
  void makeToolBar();
  void makeStatusBar();
  void connectProblems();
  void takeOffer(const Offer& offer);
  void readSession();
  void readWork();
  void rebuildRecent();
  void watchFile();
  void fileChanged();
  void showPixel(std::optional<QPoint> pixel);
  void layOut(int panes);

  void drawRegion(RegionKind kind);
  void chooseMask();
  void saveMask();
  void saveStatistics();
  void fileEditedBank();
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
  void exportResponses();
  void copyCommand();
  void copyMeasurement();
  void showPalette();
  void showAbout();

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  Folder* folder_;
  Canvas* canvas_;
  Banner* banner_;
  TimingPanel* timing_ = nullptr;
  BankPanel* bank_ = nullptr;
  RegionPanel* region_ = nullptr;
  QMenu* recent_ = nullptr;
  QMenu* pages_ = nullptr;
  QActionGroup* layouts_ = nullptr;
  QAction* swipe_ = nullptr;
  QAction* cancel_ = nullptr;
  std::optional<QPoint> hovered_;
  QString doing_;  // what the worker does; empty: nothing
  QLabel* pixel_ = nullptr;
  QLabel* image_ = nullptr;
  QLabel* work_ = nullptr;
  QProgressBar* busy_ = nullptr;
  QFileSystemWatcher* watcher_ = nullptr;
};

}  // namespace bankside::window
