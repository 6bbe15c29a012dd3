/// The terms behind one output pixel, in the order in which they are summed; taps that are zero come last.
#pragma once

#include "gui/window/compute/pixel_explanation.h"
#include "gui/window/models/flat_table_model.h"

namespace bankside::window {

class ExplanationModel : public FlatTableModel {
  Q_OBJECT
 public:
  enum Column { Position, Source, Tap, Pixel, Product, RunningSum, ColumnCount };
  enum Role { BorderRole = Qt::UserRole + 1 };  ///< the tap lies outside the image

  explicit ExplanationModel(QObject* parent = nullptr) : FlatTableModel(ColumnCount, parent) {}
  void setExplanation(PixelExplanation explanation);
  const PixelExplanation& explanation() const { return explanation_; }
  /// The value in f32 against the same sum in double, and how far they may be apart.
  QString summary() const;

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::size_t rows() const override { return explanation_.terms.size(); }
  PixelExplanation explanation_;
};

}  // namespace bankside::window
