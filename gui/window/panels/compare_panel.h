/// Two panes held against one another, and the results that were kept to compare with.
#pragma once

#include <QWidget>

#include "gui/window/session/pane_comparison.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace bankside::window {

class ComparePanel : public QWidget {
  Q_OBJECT
 public:
  ComparePanel(Session& session, PaneComparison& comparison, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The settings of the kept result are to be those of the session.
  void usedAgain(int number);
  void told(const QString& sentence);

 private:
  QComboBox* paneChoice(const QString& name, const QString& title);
  QLayout* makeButtons();
  void readSession();
  void readComparison();
  void readButtons();
  void showAsSecond();
  int selected() const;  ///< number of the kept result; 0: none

  Session& session_;
  PaneComparison& comparison_;
  QComboBox* first_;
  QComboBox* second_;
  QLabel* figures_;
  QPushButton* resume_;
  QListWidget* kept_;
  QPushButton* show_;
  QPushButton* again_;
  QPushButton* forget_;
};

}  // namespace bankside::window
