/// Long work that no plan runs looks now and then whether it is still wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <utility>

#include "core/engine.h"

namespace bankside {

/// Called between two bits of work, each of some milliseconds at most; throws where the work is to end.
/// Empty: nobody ends it.
using StopCheck = std::function<void()>;

/// Errors, of what is returned  Cancelled
inline StopCheck checkOf(std::stop_token stop) {
  return [stop = std::move(stop)] {
    if (stop.stop_requested()) throw Cancelled();
  };
}

/// What is some milliseconds of work where every value is looked at, or sorted.
inline constexpr std::ptrdiff_t valuesBetweenAsks = std::ptrdiff_t{1} << 18;

inline void ask(const StopCheck& check) {
  if (check) check();
}

}  // namespace bankside
