/// The grids of the paper's general case.
#include "core/bench/paper_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bankside {
namespace {

TEST(PaperGrid, TableHasNineCellsAFilterSize) {
  const auto cells = generalTable();
  EXPECT_EQ(cells.size(), 27u);
  for (const int k : {3, 5, 7}) {
    EXPECT_EQ(
        std::count_if(cells.begin(), cells.end(), [&](const GeneralCell& c) { return c.filterSize == k; }),
        9);
  }
  EXPECT_EQ(cells.front(), (GeneralCell{32, 3, 64, 128}));
  EXPECT_EQ(cells.back(), (GeneralCell{256, 7, 64, 64}));
}

TEST(PaperGrid, GridHasTheWholeRangeAndTheTable) {
  const auto cells = generalGrid();
  EXPECT_EQ(cells.size(), 3u * 4 * 4 * 3);
  for (const GeneralCell& cell : generalTable())
    EXPECT_NE(std::find(cells.begin(), cells.end(), cell), cells.end()) << format(problemOf(cell));
}

TEST(PaperGrid, ProblemsHaveZeroBordersAndCentredFilters) {
  EXPECT_EQ(format(problemOf({64, 5, 16, 32})), "c16h64w64-f32k5-constant-f32:f32-none");
  EXPECT_EQ(generalCells({8, 9}, {3}, {2, 4}, {1}),
            (std::vector<GeneralCell>{{8, 3, 2, 1}, {8, 3, 4, 1}, {9, 3, 2, 1}, {9, 3, 4, 1}}));
}

}  // namespace
}  // namespace bankside
