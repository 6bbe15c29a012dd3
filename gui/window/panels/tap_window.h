/// The taps in a window of their own, where a panel has no room for them.
#pragma once

#include <QDialog>

class QAction;
class QTableView;
class QVBoxLayout;

namespace bankside::window {

class TapWindow final : public QDialog {
  Q_OBJECT
 public:
  /// `taps` stand in `home` until they are let out, and again when the window is closed. `table`: what the
  /// window is made as large as.
  TapWindow(QWidget* taps, QTableView* table, QVBoxLayout* home, QWidget* parent);
  /// Out of the panel, and back.
  QAction* action() const { return action_; }

 private:
  void letOut(bool out);

  QWidget* taps_;
  QTableView* table_;
  QVBoxLayout* home_;
  QWidget* gone_;  // stands in the place of the taps
  QAction* action_;
};

}  // namespace bankside::window
