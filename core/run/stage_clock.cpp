#include "core/run/stage_clock.h"

#include <algorithm>

namespace bankside {
namespace {

/// More than end while a thread waits for a device.
constexpr std::size_t keptPeriods = 256;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

StageClock::StageClock(int threads, Clock::time_point start)
    : threads_(threads), start_(start), last_(start) {
  devicePeriods_.reserve(keptPeriods);
}

StageClock::Task StageClock::begin(bool helped, Clock::time_point at) {
  const std::lock_guard lock(mutex_);
  pass(at);
  ++tasks_;
  if (helped) ++helped_;
  return {at, helped ? ofOneHelped_ : ofATask_, helped};
}

void StageClock::end(const Task& task, Stage stage, Clock::time_point at, double deviceSeconds) {
  const std::lock_guard lock(mutex_);
  pass(at);
  --tasks_;
  if (task.helped) --helped_;
  const double given = (task.helped ? ofOneHelped_ : ofATask_) - task.before;
  const double all = seconds(at - task.begun);
  const double there = std::min(deviceSeconds, all);
  busySeconds_[stage] += there > 0 ? given * (1 - there / all) : given;
  if (there > 0) addPeriod(at, there);
}

void StageClock::add(Stage stage, double seconds) {
  const std::lock_guard lock(mutex_);
  busySeconds_[stage] += seconds;
}

void StageClock::addDevice(Clock::time_point until, double seconds) {
  const std::lock_guard lock(mutex_);
  if (seconds > 0) addPeriod(until, seconds);
}

StageTimes StageClock::times(Clock::time_point end) const {
  const std::lock_guard lock(mutex_);
  StageTimes times{threads_, seconds(end - start_), busySeconds_, deviceSeconds_};
  for (const Period& period : devicePeriods_) times.deviceSeconds += period.to - period.from;
  return times;
}

/// The time since the last change, in which every thread did what it does now. Threads that see the clock
/// before others may ask for the lock behind them: time stands still then.
void StageClock::pass(Clock::time_point at) {
  if (at <= last_) return;
  const double passed = seconds(at - last_);
  last_ = at;
  if (tasks_ == 0) return;
  const double each = tasks_ > threads_ ? static_cast<double>(threads_) / tasks_ : 1;
  const int idle = std::max(threads_ - tasks_, 0);
  ofATask_ += passed * each;
  ofOneHelped_ += passed * each;
  if (helped_ > 0) ofOneHelped_ += passed * idle / helped_;
}

void StageClock::addPeriod(Clock::time_point until, double length) {
  if (devicePeriods_.size() == keptPeriods) {
    deviceSeconds_ += devicePeriods_.front().to - devicePeriods_.front().from;
    countedUntil_ = devicePeriods_.front().to;
    devicePeriods_.erase(devicePeriods_.begin());
  }
  Period period{std::max(seconds(until - start_) - length, countedUntil_), seconds(until - start_)};
  if (period.from >= period.to) return;
  const auto first = std::find_if(devicePeriods_.begin(), devicePeriods_.end(),
                                  [&](const Period& other) { return other.to >= period.from; });
  auto last = first;
  for (; last != devicePeriods_.end() && last->from <= period.to; ++last) {
    period.from = std::min(period.from, last->from);
    period.to = std::max(period.to, last->to);
  }
  devicePeriods_.insert(devicePeriods_.erase(first, last), period);
}

}  // namespace bankside
