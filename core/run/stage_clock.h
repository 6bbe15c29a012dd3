/// What the threads of a run do, added up whenever one of them begins or ends something: all stages together
/// never take more than the threads could give.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "core/run/stage_times.h"
#include "core/stopwatch.h"

namespace bankside {

class StageClock {
 public:
  using Stage = StageTimes::Stage;

  StageClock(int threads, Clock::time_point start);

  /// What one thread does from here to its end.
  struct Task {
    Clock::time_point begun;
    double before = 0;    ///< what one like it had been given by then
    bool helped = false;  ///< threads that do nothing else do it too
  };
  Task begin(bool helped, Clock::time_point at);
  /// `deviceSeconds`: of its time, in which the thread waited for a device and those that helped did nothing.
  void end(const Task& task, Stage stage, Clock::time_point at, double deviceSeconds = 0);

  /// Thread seconds of work that nothing else was beside.
  void add(Stage stage, double seconds);
  /// Until then a device had something to do for so long. Times in which several had count once.
  void addDevice(Clock::time_point until, double seconds);

  StageTimes times(Clock::time_point end) const;

 private:
  void pass(Clock::time_point at);
  void addPeriod(Clock::time_point until, double seconds);

  /// Seconds from the start.
  struct Period {
    double from, to;
  };

  mutable std::mutex mutex_;
  int threads_;
  Clock::time_point start_;
  Clock::time_point last_;
  int tasks_ = 0;
  int helped_ = 0;
  double ofATask_ = 0;      ///< thread seconds that a task would have been given that lasts from the start
  double ofOneHelped_ = 0;  ///< and one that is helped
  std::array<double, StageTimes::stages> busySeconds_ = {};
  std::vector<Period> devicePeriods_;  ///< the last ones, apart from each other
  double deviceSeconds_ = 0;           ///< of those before
  double countedUntil_ = 0;            ///< where the last of those ends
};

/// One thread's work at a stage, from its making to its end.
class StageTask {
 public:
  StageTask(StageClock& clock, StageClock::Stage stage, bool helped = false)
      : clock_(clock), stage_(stage), task_(clock.begin(helped, Clock::now())) {}
  ~StageTask() { clock_.end(task_, stage_, Clock::now(), deviceSeconds_); }
  StageTask(const StageTask&) = delete;
  StageTask& operator=(const StageTask&) = delete;

  /// What it did until now was waiting for a device, but for so many seconds.
  void waitedBut(double seconds) { deviceSeconds_ = secondsSince(task_.begun) - seconds; }

 private:
  StageClock& clock_;
  StageClock::Stage stage_;
  StageClock::Task task_;
  double deviceSeconds_ = 0;
};

}  // namespace bankside
