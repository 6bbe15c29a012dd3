/// One line an engine and thread count of the last measurement.
#pragma once

#include <memory>

#include "gui/window/models/flat_table_model.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {

class TimingModel : public FlatTableModel {
  Q_OBJECT
 public:
  enum Column {
    EngineName,
    Threads,
    Verdict,
    Ratio,
    EndToEnd,
    Floor,
    Path,
    Upload,
    Compute,
    Combine,
    Download,
    Bytes,
    Rate,
    Error,
    ColumnCount
  };
  /// FailedRole: the engine was wrong or broke, and has no speed. ReasonRole: its sentence.
  enum Role { FailedRole = Qt::UserRole + 1, ReasonRole };

  explicit TimingModel(QObject* parent = nullptr) : FlatTableModel(ColumnCount, parent) {}
  void setMeasurement(std::shared_ptr<const Measurement> measurement);
  const std::shared_ptr<const Measurement>& measurement() const { return measurement_; }

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::size_t rows() const override { return measurement_ ? measurement_->report.rows.size() : 0; }
  QString text(const BenchRow& run, int column) const;
  QString floorHint(const BenchRow& run) const;
  std::shared_ptr<const Measurement> measurement_;
};

}  // namespace bankside::window
