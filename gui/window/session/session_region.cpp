/// The session's region: which, its mask, and what was measured inside; and the manual vessels.
#include <algorithm>

#include "gui/window/session/session.h"

namespace bankside::window {

void Session::forgetRegion() {
  mask_.reset();
  maskKnown_ = false;
  maskStopped_ = false;
  regionError_.clear();
  measured_.clear();
}

void Session::setRegion(const RegionSpec& spec) {
  if (spec == state_.region && !maskStopped_) return;
  state_.region = spec;
  forgetRegion();
  Q_EMIT regionChanged();
  Q_EMIT levelsChanged();
}

void Session::setTruth(const TruthSpec& spec) {
  if (spec == state_.truth) return;
  const bool another = spec.file != state_.truth.file;
  state_.truth = spec;
  Q_EMIT truthChanged();
  if (another) Q_EMIT panesChanged();  // our output is wanted, or no more
}

void Session::setMask(MaskPtr mask, const QString& error) {
  mask_ = std::move(mask);
  maskKnown_ = true;
  maskStopped_ = false;
  regionError_ = error;
  measured_.clear();
  Q_EMIT regionMeasured();
}

void Session::setMaskStopped(bool stopped) {
  if (stopped == maskStopped_) return;
  maskStopped_ = stopped;
  Q_EMIT regionMeasured();
}

QString Session::regionTrouble() const {
  return maskStopped_ ? tr("Stopped before the region was found.") : regionError_;
}

void Session::addStatistics(const PlaneKey& key, const PlanePtr& plane, const RegionStatistics& statistics) {
  measured_[key] = {plane, statistics};
  // Planes that are no longer on show must not be kept alive from here.
  std::erase_if(measured_, [&](const auto& entry) {
    return std::none_of(state_.panes.begin(), state_.panes.end(),
                        [&](const PaneSpec& pane) { return keyOf(pane) == entry.first; });
  });
  Q_EMIT regionMeasured();
  if (state_.region.kind != RegionKind::Whole) Q_EMIT levelsChanged();
}

const RegionStatistics* Session::statistics(const PlaneKey& key) const {
  const auto at = measured_.find(key);
  const PlaneResult* held = result(key);
  const bool current = at != measured_.end() && held != nullptr && held->plane == at->second.plane;
  return current ? &at->second.statistics : nullptr;
}

std::vector<std::pair<PlaneKey, PlanePtr>> Session::unmeasured() const {
  std::vector<std::pair<PlaneKey, PlanePtr>> planes;
  if (maskStopped_ || !regionError_.isEmpty()) return planes;
  for (const PaneSpec& pane : state_.panes) {
    const PlaneKey key = keyOf(pane);
    const PlaneResult* held = result(key);
    if (held == nullptr || !held->plane || !held->plane->whole() || statistics(key) != nullptr) continue;
    // What was kept of another picture has no region here.
    const Plane& plane = *held->plane;
    const bool fits =
        picture_ && plane.width() == picture_->info.width && plane.height() == picture_->info.height;
    if (fits || state_.region.kind == RegionKind::Whole) planes.emplace_back(key, held->plane);
  }
  return planes;
}

const Histogram& Session::histogramOf(const PlaneKey& key, const Plane& plane) const {
  const RegionStatistics* inside = state_.region.kind == RegionKind::Whole ? nullptr : statistics(key);
  return inside != nullptr && inside->histogram.total > 0 ? inside->histogram : plane.histogram;
}

}  // namespace bankside::window
