/// Choosing and editing the filter bank: a browser, a matrix editor, and every filter as a small heat map.
#pragma once

#include <QString>
#include <QWidget>

#include "core/filter_bank.h"

class QAction;
class QTabWidget;
class QUndoStack;

namespace bankside::window {

class BankBrowser;
class BankDocument;
class FilterGallery;
class MessageLine;

class BankPanel : public QWidget {
  Q_OBJECT

 public:
  explicit BankPanel(QWidget* parent = nullptr);

  /// Shows a bank that was chosen elsewhere; emits neither bankChosen nor bankEdited. A hand-edited bank that
  /// it replaces stays reachable by undo.
  void setBank(const bankside::FilterBank& bank);
  bankside::FilterBank bank() const;

  int selectedFilter() const;
  void setSelectedFilter(int index);
  /// Planes made of all filters, listed after them; `selected` counts them, -1 for the selected filter.
  void setCombined(const QStringList& titles, int selected);

  /// The controls of the bank's parameters, named as they are; none for a bank from a file.
  QList<QWidget*> parameters() const;
  /// Brings a parameter's control where it is seen, and gives it the keyboard.
  void goToParameter(QWidget* control);

  /// True where no specification and no file makes the bank as it is.
  bool isHandEdited() const;

  QUndoStack& undoStack();
  /// Whoever has the panel keeps a history of more than it: `actions` stand in the place of its own.
  void undoElsewhere(const QList<QAction*>& actions);

  /// Opens a bank file as the person's choice. False, with a sentence in the panel, if it is no bank.
  bool openBank(const QString& path);

  /// Writes the bank as JSON, whole or not at all. False, with a sentence in the panel, if it cannot.
  bool saveBank(const QString& path);

 public slots:
  void askForBankToOpen();
  void askWhereToSave();

 signals:
  /// The bank is what `--bank` makes of this text: a specification of the catalogue or a file.
  void bankChosen(const QString& specOrFile);
  /// The bank was edited by hand; take it from `bank()`.
  void bankEdited();
  void selectedFilterChanged(int index);
  /// In the list of filters a filter or, counted from 0, a combined plane was picked.
  void filterPicked(int filter);
  void combinedPicked(int plane);

 private:
  BankDocument* document_;
  BankBrowser* browser_;
  FilterGallery* gallery_;
  QTabWidget* tabs_;
  MessageLine* message_;
};

}  // namespace bankside::window
