/// Every filter of the bank as a small heat map with its label; the selection is the document's. Filters are
/// added, doubled, removed and moved here.
#pragma once

#include <QWidget>

class QLabel;
class QListView;
class QToolButton;

namespace bankside::window {

class BankDocument;
class FilterListModel;

class FilterGallery : public QWidget {
  Q_OBJECT

 public:
  explicit FilterGallery(BankDocument& document, QWidget* parent = nullptr);

  /// Planes made of all filters, listed after them; `selected` counts them, -1 for the document's filter.
  void setCombined(const QStringList& titles, int selected);

 signals:
  /// A filter was double-clicked or Return was pressed on it.
  void editWanted();
  /// A filter or, counted from 0, a combined plane was picked.
  void filterPicked(int filter);
  void combinedPicked(int plane);

 private:
  void followBank();
  void followSelection();
  void addFilter();
  void duplicateFilter();
  void removeFilter();
  void moveFilter(int by);
  QToolButton* button(const QString& text, const QString& name, const QString& tip,
                      void (FilterGallery::*action)());

  BankDocument& document_;
  FilterListModel* model_;
  QListView* list_;
  QLabel* summary_;
  QToolButton* remove_;
  QToolButton* earlier_;
  QToolButton* later_;
  int combined_ = -1;
  bool following_ = false;
};

}  // namespace bankside::window
