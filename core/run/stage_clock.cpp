#include "core/run/stage_clock.h"

#include <algorithm>
#include <numeric>

namespace bankside {

void StageClock::begin(Stage stage, bool helped, Clock::time_point at) {
  const std::lock_guard lock(mutex_);
  pass(at);
  ++threadsAt_[stage];
  if (helped) ++helpedAt_[stage];
}

void StageClock::end(Stage stage, bool helped, Clock::time_point at) {
  const std::lock_guard lock(mutex_);
  pass(at);
  --threadsAt_[stage];
  if (helped) --helpedAt_[stage];
}

void StageClock::add(Stage stage, double seconds) {
  const std::lock_guard lock(mutex_);
  busySeconds_[stage] += seconds;
}

void StageClock::addDevice(double seconds) {
  const std::lock_guard lock(mutex_);
  deviceSeconds_ += seconds;
}

StageTimes StageClock::times(Clock::time_point end) const {
  const std::lock_guard lock(mutex_);
  return {threads_, std::chrono::duration<double>(end - start_).count(), busySeconds_, deviceSeconds_};
}

/// The time since the last change, in which every thread did what it does now. Threads that see the clock
/// before others may ask for the lock behind them: time stands still then.
void StageClock::pass(Clock::time_point at) {
  if (at <= last_) return;
  const double seconds = std::chrono::duration<double>(at - last_).count();
  last_ = at;
  const int busy = std::accumulate(threadsAt_.begin(), threadsAt_.end(), 0);
  const int helped = std::accumulate(helpedAt_.begin(), helpedAt_.end(), 0);
  const int idle = std::max(threads_ - busy, 0);
  const double each = busy > threads_ ? static_cast<double>(threads_) / busy : 1;
  for (std::size_t i = 0; i < busySeconds_.size(); ++i) {
    busySeconds_[i] += seconds * threadsAt_[i] * each;
    if (helped > 0) busySeconds_[i] += seconds * idle * helpedAt_[i] / helped;
  }
}

}  // namespace bankside
