/// The cells of the general case, figure 8 of Chen et al., DAC 2017. The paper's figure is not published as
/// numbers, nor is its list of (N, K, C, F): these grids are ours.
#pragma once

#include <vector>

#include "core/problem.h"

namespace bankside {

/// One square image of several channels under a bank of square filters.
struct GeneralCell {
  int size = 32;
  int filterSize = 3;
  int channels = 16;
  int filterCount = 32;
  bool operator==(const GeneralCell&) const = default;
};

/// 27 cells that look like layers of a network, from too small to fill a GPU to large: K 3, 5, 7.
std::vector<GeneralCell> generalTable();

/// Every combination of K 3, 5, 7; N 32, 64, 128, 256; C 16, 32, 64, 128; F 32, 64, 128: 144 cells.
std::vector<GeneralCell> generalGrid();

/// Every combination of the lists; the filter size varies slowest, then size, channels, filters.
std::vector<GeneralCell> generalCells(const std::vector<int>& sizes, const std::vector<int>& filterSizes,
                                      const std::vector<int>& channels, const std::vector<int>& filterCounts);

/// f32 in and out, filters anchored in the middle, zero borders, which every library has.
ConvolutionProblem problemOf(const GeneralCell& cell);

}  // namespace bankside
