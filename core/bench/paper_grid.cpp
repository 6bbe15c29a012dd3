#include "core/bench/paper_grid.h"

namespace bankside {

std::vector<GeneralCell> generalTable() {
  constexpr int sizeChannelsFilters[][3] = {{32, 64, 128},  {32, 128, 128}, {64, 64, 64},
                                            {64, 128, 128}, {128, 32, 64},  {128, 64, 64},
                                            {128, 64, 128}, {256, 16, 32},  {256, 64, 64}};
  std::vector<GeneralCell> cells;
  for (const int k : {3, 5, 7})
    for (const auto& [n, c, f] : sizeChannelsFilters) cells.push_back({n, k, c, f});
  return cells;
}

std::vector<GeneralCell> generalGrid() {
  return generalCells({32, 64, 128, 256}, {3, 5, 7}, {16, 32, 64, 128}, {32, 64, 128});
}

std::vector<GeneralCell> generalCells(const std::vector<int>& sizes, const std::vector<int>& filterSizes,
                                      const std::vector<int>& channels,
                                      const std::vector<int>& filterCounts) {
  std::vector<GeneralCell> cells;
  for (const int k : filterSizes)
    for (const int n : sizes)
      for (const int c : channels)
        for (const int f : filterCounts) cells.push_back({n, k, c, f});
  return cells;
}

ConvolutionProblem problemOf(const GeneralCell& cell) {
  ConvolutionProblem p;
  p.channels = cell.channels;
  p.height = p.width = cell.size;
  p.filterCount = cell.filterCount;
  p.filterHeight = p.filterWidth = cell.filterSize;
  p.anchorX = p.anchorY = cell.filterSize / 2;
  p.border = zeroBorder;
  return p;
}

}  // namespace bankside
