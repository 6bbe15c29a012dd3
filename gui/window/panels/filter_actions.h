/// What can be done to the filter in the editor, as actions with shortcuts: clipboard, fill, anchor,
/// normalise, turn and mirror.
#pragma once

#include <functional>

#include <QList>
#include <QObject>

#include "core/filter_bank.h"

class QAction;
class QWidget;

namespace bankside::window {

class BankDocument;
class FilterTableModel;
class TapGridView;

class FilterActions : public QObject {
  Q_OBJECT

 public:
  /// The shortcuts work while the focus is inside `scope`.
  FilterActions(BankDocument& document, FilterTableModel& model, TapGridView& view, QWidget* scope);

  /// Two rows of tool buttons, menus for those that belong together; the first ends with `last`.
  QWidget* makeToolBars(QAction* last, QWidget* parent) const;

 signals:
  void refused(const QString& sentence);
  void done(const QString& note);

 private:
  using Change = std::function<Filter(const Filter&)>;
  QAction* add(const QString& text, const QString& name, const QString& tip, const QKeySequence& keys,
               std::function<void()> run);
  QAction* addChange(const QString& text, const QString& name, const QString& tip, Change change);
  void change(const QString& what, const Change& change);
  void copy();
  void paste();
  void pasteAll();
  void fill();
  void setAnchor();
  QString clipboardText() const;

  BankDocument& document_;
  FilterTableModel& model_;
  TapGridView& view_;
  QWidget* scope_;
  QList<QAction*> history_;
  QList<QAction*> clipboard_;
  QList<QAction*> cells_;
  QList<QAction*> normalise_;
  QList<QAction*> turn_;
};

}  // namespace bankside::window
