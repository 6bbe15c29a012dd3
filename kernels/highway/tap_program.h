/// The bank rewritten for the direct kernel: blocks of filters, and for each the runs of taps it walks.
///
/// A block is 1 to 6 consecutive filters that share every loaded pixel. Its program visits the source rows of
/// a step of output rows from top to bottom; at each row it lists the columns at which at least one filter of
/// the block has a tap that is not zero. So dense banks pay one run a row, banks with wide empty margins skip
/// them, and a tap is applied or skipped by the bank alone: never by strip, thread or vector length.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem.h"

namespace bankside::direct {

inline constexpr int maxBlockFilters = 6;

/// Output rows that a block of that many filters makes at once: few filters share loaded pixels between rows
/// instead of between filters.
constexpr int rowsAtOnce(int blockFilters) { return blockFilters == 1 ? 4 : blockFilters <= 3 ? 2 : 1; }

/// Taps at `count` neighbouring columns from `column` on, in source row `row` = channel * window rows + row
/// of the window. They belong to output rows [firstRow, lastRow] of the step.
struct TapRun {
  int row = 0;
  int column = 0;
  int count = 0;
  int firstRow = 0;
  int lastRow = 0;
};

/// `taps`: for each run, each column, each output row of the run, one tap for every filter of the block.
struct TapProgram {
  std::vector<TapRun> runs;
  std::vector<float> taps;
  int denseSide =
      0;  ///< where the program is that of one channel's side x side without a gap, see squareOf()
};

/// Sides that the kernels know unrolled: 1, 2, 3 and 5.
inline constexpr int squares = 4;
/// 0 .. squares - 1, or -1.
constexpr int squareOf(int side) { return side >= 1 && side <= 3 ? side - 1 : side == 5 ? 3 : -1; }

struct FilterBlock {
  int first = 0;
  int count = 0;
  TapProgram step;  ///< rowsAtOnce(count) output rows
  TapProgram row;   ///< one output row; empty where a step is one row
};

struct DirectProgram {
  std::vector<FilterBlock> blocks;
  int stepRows = 1;    ///< output rows between two looks at the source: the largest of the blocks
  int windowRows = 0;  ///< source rows a step reads in a channel: kh + stepRows - 1
};

/// Splits the bank where that costs the fewest multiply-adds, weighted by how well each block size runs.
/// No block makes more than `mostRows` output rows at once (1 where rows have no pixels in common).
DirectProgram makeDirectProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                int mostRows = 4);

/// Its blocks without their programs.
std::vector<FilterBlock> filterBlocks(const ConvolutionProblem& problem, const CorrelationTaps& taps);

/// The program of so many output rows of a block, 1 or rowsAtOnce(block), in windows of `windowRows` rows.
TapProgram rowProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                      const FilterBlock& block, int windowRows, int rows = 1);

/// Time of one multiply-add in a block of so many filters, relative to the best: small blocks load more
/// pixels for each.
double relativeCost(int blockFilters);

/// Multiply-adds for one pixel of each result, weighted by how well each block size runs.
double weightedTaps(const DirectProgram& program);
/// The same of the program that `makeDirectProgram` would make.
double weightedTaps(const ConvolutionProblem& problem, const CorrelationTaps& taps);

}  // namespace bankside::direct
