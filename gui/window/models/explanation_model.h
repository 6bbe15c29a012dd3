/// The terms behind one output pixel, in the order in which they are summed; taps that are zero come last.
#pragma once

#include <QAbstractTableModel>

#include "gui/window/compute/pixel_explanation.h"

namespace bankside::window {

class ExplanationModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Position, Source, Tap, Pixel, Product, RunningSum, ColumnCount };
  enum Role { BorderRole = Qt::UserRole + 1 };  ///< the tap lies outside the image

  explicit ExplanationModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
  void setExplanation(PixelExplanation explanation);
  const PixelExplanation& explanation() const { return explanation_; }
  /// The value in f32 against the same sum in double, and how far they may be apart.
  QString summary() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  PixelExplanation explanation_;
};

}  // namespace bankside::window
