/// A first run in a process of its own, for engines that are known to hang: that process can be ended.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace bankside::headless {

/// Runs this program with `words` and nothing of its output. Empty if it ends with 0 within
/// `seconds`, else one sentence: "timed out after 60 s". The child is ended when the time is up or a stop is
/// requested. Throws Cancelled, Error{Io} if no process can be started.
std::string tryInProcess(const std::vector<std::string>& words, double seconds, std::stop_token stop);

}  // namespace bankside::headless
