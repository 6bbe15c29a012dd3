/// Seconds of a clock that never goes back.
#pragma once

#include <chrono>

namespace bankside {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Adds the seconds of its life to a sum.
class SecondsInto {
 public:
  explicit SecondsInto(double& sum) : sum_(sum) {}
  ~SecondsInto() { sum_ += secondsSince(start_); }
  SecondsInto(const SecondsInto&) = delete;
  SecondsInto& operator=(const SecondsInto&) = delete;

 private:
  double& sum_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace bankside
