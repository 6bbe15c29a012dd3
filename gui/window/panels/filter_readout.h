/// What the taps add up to, in words and as a picture of the frequency response.
#pragma once

#include <QWidget>

#include "core/filter_bank.h"

class QLabel;

namespace bankside::window {

class FilterReadout : public QWidget {
  Q_OBJECT

 public:
  explicit FilterReadout(QWidget* parent = nullptr);

  /// Measured at once if the read-out can be seen, else when it next can.
  void setFilter(const Filter& filter, int channel);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class ResponseView;
  void measure();

  Filter filter_;
  int channel_ = 0;
  bool stale_ = false;
  QLabel* count_;
  QLabel* sum_;
  QLabel* absoluteSum_;
  QLabel* range_;
  QLabel* symmetry_;
  QLabel* rank_;
  ResponseView* response_;
};

}  // namespace bankside::window
