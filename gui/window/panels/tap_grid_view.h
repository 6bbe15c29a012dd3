/// The taps as a table of numbers on their heat colours, the anchor framed.
#pragma once

#include <QTableView>

namespace bankside::window {

class TapGridView : public QTableView {
  Q_OBJECT

 public:
  explicit TapGridView(QWidget* parent = nullptr);

  /// The smallest rectangle around the selected cells, or around the current one; null if there is neither.
  QRect selectedCells() const;
};

}  // namespace bankside::window
