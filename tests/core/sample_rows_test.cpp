/// Which rows are looked at where not all of them can be.
#include "core/sample_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bankside {
namespace {

TEST(SampleRows, HaveBothEndsAndARowOfEveryStretch) {
  for (const int height : {3, 10, 1000}) {
    for (int count = 2; count < std::min(height, 20); ++count) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<int> rows = sampleRows(height, count, seed);
        ASSERT_EQ(rows.size(), static_cast<std::size_t>(count));
        EXPECT_EQ(rows.front(), 0);
        EXPECT_EQ(rows.back(), height - 1);
        EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), std::less_equal<>())) << "without repeats";
      }
    }
  }
  EXPECT_EQ(sampleRows(1000, 12, 1), sampleRows(1000, 12, 1));
  EXPECT_NE(sampleRows(1000, 12, 1), sampleRows(1000, 12, 2));
  EXPECT_EQ(sampleRows(3, 0, 1), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sampleRows(3, 3, 1), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sampleRows(9, 1, 1), std::vector<int>{0});
}

}  // namespace
}  // namespace bankside
