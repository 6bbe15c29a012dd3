#include "core/sample_rows.h"

#include <random>

namespace bankside {

std::vector<int> sampleRows(int height, int count, std::uint64_t seed) {
  std::vector<int> rows;
  if (count <= 0 || count >= height) {
    for (int y = 0; y < height; ++y) rows.push_back(y);
    return rows;
  }
  std::mt19937_64 random(seed);
  rows.push_back(0);
  const std::int64_t inner = height - 2;
  for (int i = 0; i < count - 2; ++i) {
    const std::int64_t first = 1 + inner * i / (count - 2);
    const std::int64_t last = 1 + inner * (i + 1) / (count - 2);
    rows.push_back(static_cast<int>(first + static_cast<std::int64_t>(random() % (last - first))));
  }
  if (count > 1) rows.push_back(height - 1);
  return rows;
}

}  // namespace bankside
