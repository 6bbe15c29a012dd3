/// Finds a bank: every catalogue entry by family, opened files, a search line, and the parameters of the bank
/// chosen, each change made at once (on a thread of its own, the newest wins).
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/filter_bank.h"
#include "gui/window/compute/run_controller.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QSplitter;
class QTreeView;

namespace bankside::window {

class BankCatalogModel;
class BankDocument;
class MessageLine;
class ParameterForm;

class BankBrowser : public QWidget {
  Q_OBJECT

 public:
  explicit BankBrowser(BankDocument& document, QWidget* parent = nullptr);

  /// Lists an opened bank file under "Files".
  void addFile(const FilterBank& bank);

 signals:
  void openWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showFamilies();
  /// Parameters have the room that they want, as long as some banks are seen; until somebody moves the line.
  void shareRoom();
  void search(const QString& text);
  void takeCurrent();
  void makeChosenBank();
  void takeBank(const FilterBank& bank);
  void forgetRequests();
  void followDocument();

  BankDocument& document_;
  BankCatalogModel* model_;
  QSortFilterProxyModel* found_;
  QLineEdit* search_;
  QTreeView* tree_;
  QLabel* title_;
  QLabel* citation_;
  ParameterForm* form_;
  MessageLine* message_;
  QTimer settle_;
  QSplitter* split_;
  QWidget* details_;
  bool moved_ = false;  // by hand
  bool following_ = false;
  RunController maker_;  // last: what it makes is for the others
};

}  // namespace bankside::window
