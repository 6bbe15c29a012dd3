/// The bank that the panel shows and edits, with its history. Widgets read from here and ask for changes
/// here.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/filter_bank.h"
#include "gui/window/models/bank_edit.h"

namespace bankside::window {

class BankDocument : public QObject {
  Q_OBJECT

 public:
  explicit BankDocument(QObject* parent = nullptr);

  const FilterBank& bank() const { return bank_; }
  int selected() const { return selected_; }
  const Filter& selectedFilter() const { return bank_[selected_]; }

  /// True where no specification and no file stands for the taps as they are.
  bool isHandEdited() const { return bank_.size() > 0 && bank_.info().name.empty(); }

  QUndoStack& history() { return history_; }

  /// Shows a bank that somebody else chose. A hand-edited bank stays reachable by undo.
  void show(const FilterBank& bank);

  /// The person chose another bank. Choices of one generator in a row are undone as one.
  void choose(const FilterBank& bank);

  /// One undoable change by hand. A change that the bank refuses is told by `refused`, and false returned.
  bool edit(const BankEdit& edit, const QString& what);
  bool replaceSelected(const Filter& filter, const QString& what);

  /// The bank's own words: title and convention.
  bool editInfo(const BankInfo& info, const QString& what);

  /// The taps as they are now lie in the file at `path`.
  void markSaved(const QString& path);

  void select(int index);

 signals:
  void bankChanged();
  /// As bankChanged, but only where the person did it in the panel.
  void changedByHand();
  void selectedFilterChanged(int index);
  void refused(const QString& sentence);

 private:
  friend class BankCommand;
  void set(FilterBank bank, int select);
  void push(const BankEdit& edit, const BankInfo& info, const QString& what);

  FilterBank bank_;
  int selected_ = 0;
  bool fromOutside_ = false;
  QUndoStack history_;
};

}  // namespace bankside::window
