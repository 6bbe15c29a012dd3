/// The two panes that are held against one another, inside the region. Its worker is its own, so that nothing
/// on show waits for it.
#pragma once

#include <QTimer>

#include "gui/window/compute/plane_metrics.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/session.h"

namespace bankside::window {

/// `comparePlanes`; tests bring their own.
using ComparePlanes =
    std::function<PlaneMetrics(const Plane&, const Plane&, const Image* mask, const std::stop_token&)>;

class PaneComparison : public QObject {
  Q_OBJECT
 public:
  explicit PaneComparison(Session& session, QObject* parent = nullptr);

  /// Nothing until it is measured, and where `sentence` says why it cannot be.
  const std::optional<PlaneMetrics>& metrics() const { return metrics_; }
  /// What tells the two apart and how far they are.
  const QString& words() const { return words_; }
  const QString& sentence() const { return sentence_; }
  /// What is under way, or about to begin, is left until `resume`, or until there is something else to
  /// compare.
  void stop();
  void resume();
  bool stopped() const { return stopped_; }
  void setMeasure(ComparePlanes measure) { measure_ = std::move(measure); }
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy() || soon_.isActive(); }

 Q_SIGNALS:
  void changed();

 private:
  /// `held`: without beginning.
  void compare(bool held);
  void say(const QString& sentence);

  Session& session_;
  ComparePlanes measure_ = comparePlanes;
  RunController controller_;
  QTimer soon_;
  PlanePtr a_;  // what `metrics_`, or what is under way, is of
  PlanePtr b_;
  MaskPtr inside_;
  std::optional<PlaneMetrics> metrics_;
  QString words_;
  QString sentence_;
  bool stopped_ = false;
};

}  // namespace bankside::window
