/// How far the work is: a line on the terminal that is written over; where stderr is no terminal, a line of
/// the log every half minute, so that a long run in a batch system is seen to live.
#pragma once

#include <chrono>
#include <string>

namespace bankside::headless {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `total` steps of work; 0 where it is not known. `logEvery`: between two lines of the log.
  Progress(bool wanted, int total, Clock::duration logEvery = std::chrono::seconds(30));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` steps are finished; `what` is under way.
  void show(int done, const std::string& what);
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  std::string timeLeft(int done) const;
  void showInLog(int done, const std::string& what);

  bool wanted_;
  bool terminal_;
  int total_;
  Clock::duration logEvery_;
  Clock::time_point start_;
  Clock::time_point logged_;
  bool shown_ = false;
};

}  // namespace bankside::headless
