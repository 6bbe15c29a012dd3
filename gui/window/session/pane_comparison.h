/// The two panes that are held against one another, inside the region.
#pragma once

#include "gui/window/compute/plane_metrics.h"
#include "gui/window/session/inquiry.h"

namespace bankside::window {

/// `comparePlanes`; tests bring their own.
using ComparePlanes =
    std::function<PlaneMetrics(const Plane&, const Plane&, const Image* mask, const std::stop_token&)>;

struct PanesQuestion {
  PlanePtr a;
  PlanePtr b;
  MaskPtr inside;
  bool operator==(const PanesQuestion&) const = default;
};

class PaneComparison : public InquiryOf<PanesQuestion> {
  Q_OBJECT
 public:
  explicit PaneComparison(Session& session, QObject* parent = nullptr);

  /// Nothing until it is measured, and where `sentence` says why it cannot be.
  const std::optional<PlaneMetrics>& metrics() const { return metrics_; }
  /// What tells the two apart and how far they are.
  const QString& words() const { return words_; }
  const QString& sentence() const { return sentence_; }
  void setMeasure(ComparePlanes measure) { measure_ = std::move(measure); }

 private:
  void look(bool hold) override;
  /// There are no figures, and why.
  void say(const QString& sentence);
  /// There is nothing to compare, and why.
  void drop(const QString& sentence);

  ComparePlanes measure_ = comparePlanes;
  std::optional<PanesQuestion> answered_;
  std::optional<PlaneMetrics> metrics_;
  QString words_;
  QString sentence_;
};

}  // namespace bankside::window
