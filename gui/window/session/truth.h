/// Manual vessels that our output is held against, live while settings change. Part of the state; its worker
/// is its own, so that nothing on show waits for it.
#pragma once

#include <QTimer>

#include "gui/window/compute/run_controller.h"
#include "gui/window/compute/truth_score.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class Truth : public QObject {
  Q_OBJECT
 public:
  explicit Truth(Session& session, QObject* parent = nullptr);

  const QString& file() const { return file_; }
  void setFile(const QString& file);  ///< empty: none
  /// Nothing: the one with the best MCC, whatever that is.
  const std::optional<float>& threshold() const { return threshold_; }
  void setThreshold(std::optional<float> threshold);

  /// Of the selected plane of our output; null until it is there, and where there is none.
  const std::shared_ptr<const TruthCurve>& curve() const { return curve_; }
  const TruthScore& score() const { return score_; }
  const QString& error() const { return error_; }
  bool busy() const { return controller_.busy(); }

 Q_SIGNALS:
  void changed();

 private:
  void compare();
  /// Instead of a curve.
  void say(const QString& why);

  Session& session_;
  RunController controller_;
  QTimer soon_;
  QString file_;
  QString picture_;  // that the marks are of
  std::optional<float> threshold_;
  std::shared_ptr<const TruthCurve> curve_;
  TruthScore score_;
  QString error_;
  PlanePtr plane_;  // what `curve_`, or what is under way, is of
  MaskPtr inside_;
};

}  // namespace bankside::window
