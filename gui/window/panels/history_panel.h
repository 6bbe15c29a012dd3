/// What was done, as a list: a click goes back to it.
#pragma once

#include <QWidget>

#include "gui/window/session/history.h"

class QListWidget;

namespace bankside::window {

class HistoryPanel : public QWidget {
  Q_OBJECT
 public:
  /// Buttons for `actions`, below the list.
  HistoryPanel(History& history, const QList<QAction*>& actions, QWidget* parent = nullptr);

 private:
  void read();

  History& history_;
  QListWidget* list_;
};

}  // namespace bankside::window
