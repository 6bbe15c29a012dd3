/// Which rows to look at where looking at all would take too long.
#pragma once

#include <cstdint>
#include <vector>

namespace bankside {

/// Of `height` rows the first, the last, and `count` - 2
/// between them, one at a random place of each of as many equal stretches. Increasing, without repeats; all
/// rows where `count` is 0 or reaches them all. The same for the same seed.
std::vector<int> sampleRows(int height, int count, std::uint64_t seed);

}  // namespace bankside
