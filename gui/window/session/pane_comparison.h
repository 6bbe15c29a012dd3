/// The two panes that are held against one another, inside the region. Its worker is its own, so that nothing
/// on show waits for it.
#pragma once

#include <QTimer>

#include "gui/window/compute/plane_metrics.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class PaneComparison : public QObject {
  Q_OBJECT
 public:
  explicit PaneComparison(Session& session, QObject* parent = nullptr);

  /// Nothing until it is measured, and where `sentence` says why it cannot be.
  const std::optional<PlaneMetrics>& metrics() const { return metrics_; }
  /// What tells the two apart and how far they are.
  const QString& words() const { return words_; }
  const QString& sentence() const { return sentence_; }
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy() || soon_.isActive(); }

 Q_SIGNALS:
  void changed();

 private:
  void compare();
  void say(const QString& sentence);

  Session& session_;
  RunController controller_;
  QTimer soon_;
  PlanePtr a_;  // what `metrics_`, or what is under way, is of
  PlanePtr b_;
  MaskPtr inside_;
  std::optional<PlaneMetrics> metrics_;
  QString words_;
  QString sentence_;
};

}  // namespace bankside::window
