/// A line on the terminal that says how far the work is. Silent where stderr is no terminal.
#pragma once

#include <chrono>
#include <string>

namespace bankside::headless {

class Progress {
 public:
  /// `total` steps of work; 0 where it is not known.
  Progress(bool wanted, int total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` steps are finished; `what` is under way.
  void show(int done, const std::string& what);
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  bool active_;
  int total_;
  std::chrono::steady_clock::time_point start_;
  bool shown_ = false;
};

}  // namespace bankside::headless
