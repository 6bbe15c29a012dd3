/// A bank rewritten for groups of output rows that share products: Karatsuba's trick along the columns.
///
/// Two rows of results need, of a filter with tap rows t, with A_k = t[2k], B_k = t[2k + 1] and source rows
/// x,
///   shared = sum (A_k + B_k) x[2k + 1]
///   upper  = shared + sum A_k (x[2k] - x[2k + 1])
///   lower  = shared - sum B_k (x[2k + 1] - x[2k + 2])
/// which is three half filters instead of four: the differences of source rows serve all filters, and the
/// shared sum is where both rows begin, so that nothing is added afterwards. The three are filters over every
/// second row, so the same again makes four rows from nine quarters instead of sixteen.
/// Source  Z.-J. Mou, P. Duhamel: Short-length FIR filters and their use in fast nonrecursive filtering, IEEE
/// Trans. Signal Processing 39(6), 1991 (the transposed form); A. Karatsuba, Y. Ofman 1962.
#pragma once

#include "kernels/highway/tap_program.h"

namespace bankside::direct {

/// Sums that wait for others.
inline constexpr int groupSlots = 3;

/// acc = kept[from] (-1: 0) + kept[plus] (-1: 0) + program; then kept[to] = acc or, where `to` is -1, the
/// group's result row `row`. Runs of the program name row [set][channel][window row], see DifferenceRows.
struct GroupStep {
  TapProgram program;
  int from = -1;
  int plus = -1;
  int to = -1;
  int row = 0;
  unsigned wantedBy = 0;  ///< bit j: result row j needs this step
};

struct GroupBlock {
  int first = 0;
  int count = 0;
  std::vector<GroupStep> steps;
  TapProgram plain;     ///< one result row as the direct path makes it
  int plainRows = 1;    ///< rowsAtOnce(count) where a group has as many
  TapProgram plainAll;  ///< so many result rows; empty where that is one
};

struct GroupProgram {
  std::vector<GroupBlock> blocks;
  int rows = 2;        ///< of a group: 1, 2 or 4
  int windowRows = 0;  ///< source rows of a group: kh + rows - 1
};

/// `rows`: 2, 4 or, for plain rows alone, 1.
GroupProgram makeGroupProgram(const ConvolutionProblem& problem, const CorrelationTaps& taps, int rows);

/// Multiply-adds for one pixel of each result, weighted by how well each block size runs here: a step shares
/// pixels between filters only.
double weightedTaps(const GroupProgram& program);

/// Steps times filters for one pixel of each result: each is a sum stored and another loaded.
double stepsAPixel(const GroupProgram& program);

/// Both in units of one multiply-add.
double groupWork(const GroupProgram& program);

/// Roundings of one result at most: taps on its way, sums that meet, differences and sums of taps.
double roundings(const ConvolutionProblem& problem, int rows);

}  // namespace bankside::direct
