/// What the threads of a run do, added up whenever one of them begins or ends something: all stages together
/// never take more than the threads could give.
#pragma once

#include <array>
#include <mutex>

#include "core/run/stage_times.h"
#include "core/stopwatch.h"

namespace bankside {

class StageClock {
 public:
  using Stage = StageTimes::Stage;

  StageClock(int threads, Clock::time_point start) : threads_(threads), start_(start), last_(start) {}

  /// One thread begins or ends something. `helped`: threads that do nothing else do it too.
  void begin(Stage stage, bool helped, Clock::time_point at);
  void end(Stage stage, bool helped, Clock::time_point at);

  /// Thread seconds of work that nothing else was beside.
  void add(Stage stage, double seconds);
  /// Seconds in which devices had something to do.
  void addDevice(double seconds);

  StageTimes times(Clock::time_point end) const;

 private:
  void pass(Clock::time_point at);

  mutable std::mutex mutex_;
  int threads_;
  Clock::time_point start_;
  Clock::time_point last_;
  std::array<int, StageTimes::stages> threadsAt_ = {};
  std::array<int, StageTimes::stages> helpedAt_ = {};
  std::array<double, StageTimes::stages> busySeconds_ = {};
  double deviceSeconds_ = 0;
};

/// One thread's work at a stage, from its making to its end.
class StageTask {
 public:
  StageTask(StageClock& clock, StageClock::Stage stage, bool helped = false)
      : clock_(clock), stage_(stage), helped_(helped) {
    clock_.begin(stage_, helped_, Clock::now());
  }
  ~StageTask() { clock_.end(stage_, helped_, Clock::now()); }
  StageTask(const StageTask&) = delete;
  StageTask& operator=(const StageTask&) = delete;

 private:
  StageClock& clock_;
  StageClock::Stage stage_;
  bool helped_;
};

}  // namespace bankside
