/// The images of the folder, small, in a row: click one to open it.
#pragma once

#include <QWidget>
#include <filesystem>
#include <vector>

#include "gui/window/session/workflow.h"

class QLabel;
class QListWidget;

namespace bankside::window {

class FolderStrip : public QWidget {
  Q_OBJECT
 public:
  FolderStrip(Session& session, Workflow& workflow, RunController& controller, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void readFolder();
  /// Thumbnails are made one at a time, so that other work comes between, and only of what is seen.
  void drawNext();
  std::size_t nextToDraw() const;

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  QListWidget* list_;
  QLabel* empty_;
  QLabel* count_;
  std::vector<std::filesystem::path> files_;
  std::vector<bool> drawn_;
  bool drawing_ = false;
};

}  // namespace bankside::window
