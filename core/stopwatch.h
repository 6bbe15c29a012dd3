/// Seconds of a clock that never goes back.
#pragma once

#include <chrono>

namespace bankside {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace bankside
