/// The images of the folder, small, in a row: click one to open it.
#pragma once

#include <QWidget>
#include <filesystem>
#include <vector>

#include "gui/window/workflow.h"

class QLabel;
class QListWidget;

namespace bankside::window {

class FolderStrip : public QWidget {
  Q_OBJECT
 public:
  FolderStrip(Session& session, Workflow& workflow, RunController& controller, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void readFolder();
  void drawNext();

  Session& session_;
  Workflow& workflow_;
  RunController& controller_;
  QListWidget* list_;
  QLabel* empty_;
  std::vector<std::filesystem::path> files_;
  std::size_t drawn_ = 0;  // thumbnails are made one at a time, so that other work comes between
};

}  // namespace bankside::window
