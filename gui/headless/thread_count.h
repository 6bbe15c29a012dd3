/// Thread counts as they are written on a command line.
#pragma once

#include <string>

namespace bankside::headless {

/// "all" is 0, a count from 1 to 4096 itself, everything else -1.
int parseThreads(const std::string& text);

}  // namespace bankside::headless
