/// The images of the folder, small, in a row: click one to open it, select several for a run over them.
#pragma once

#include <QWidget>
#include <filesystem>
#include <vector>

#include "gui/window/session/folder.h"

class QCheckBox;
class QLabel;
class QListWidget;

namespace bankside::window {

class FolderStrip : public QWidget {
  Q_OBJECT
 public:
  FolderStrip(Session& session, Workflow& workflow, RunController& controller, Folder& folder,
              QWidget* parent = nullptr);

 Q_SIGNALS:
  void runWanted();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void readFolder();
  void listFiles();
  void showCurrent();
  void readSelection();
  /// Says on the picture's card what is wrong with it.
  void showProblem(const std::filesystem::path& file);
  /// Thumbnails are made one at a time, so that other work comes between, and only of what is seen.
  void drawNext();
  std::size_t nextToDraw() const;

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  Folder& folder_;
  QListWidget* list_;
  QLabel* empty_;
  QLabel* count_;
  QCheckBox* subfolders_;
  std::vector<std::filesystem::path> files_;
  std::vector<bool> drawn_;
  bool drawing_ = false;
};

}  // namespace bankside::window
