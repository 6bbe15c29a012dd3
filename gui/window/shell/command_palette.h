/// Every action of the window by a few letters of its name.
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace bankside::window {

class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void run();

  QList<QAction*> actions_;
  QLineEdit* text_;
  QListWidget* list_;
  QLabel* nothing_;
};

/// How well the letters of `text` fit `title` in order; the better, the smaller; -1 if they do not.
int fuzzyDistance(const QString& text, const QString& title);

}  // namespace bankside::window
