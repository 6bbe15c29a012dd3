/// Thread counts as they are written on a command line.
#pragma once

#include <string>
#include <vector>

namespace bankside::headless {

/// "all" is 0, a count from 1 to 4096 itself, everything else -1.
int parseThreads(const std::string& text);

/// Each once; no more than there are, which the log then says. 0 is all of them.
std::vector<int> usedThreads(const std::vector<int>& asked);

}  // namespace bankside::headless
