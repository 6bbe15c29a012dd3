/// Whether, and how often, the trick of group_program.h is applied to a bank: a pure function of problem and
/// bank.
#pragma once

#include <limits>
#include <string>

#include "core/engine.h"
#include "kernels/highway/group_program.h"

namespace bankside::direct {

struct KaratsubaChoice {
  GroupProgram program;  ///< of groups of 1 row where the trick does not apply
  std::string whyNot;    ///< then
  float mostPixel = 0;   ///< no sum of a group overflows with |pixel| up to this; infinity: none is larger
  ErrorBound bound;
};

/// None where taps are so large that their sums might overflow; else the groups with the least work among
/// those that keep integers exact wherever direct sums are sure to: u8 and u16 sources whose pixels times
/// taps, multiples of one power of two, add up to less than 2^24 of that.
///
/// The bound of a group of 2^L rows is 3^L gamma_n times the largest sum of |tap x pixel| that one of its
/// rows has at that column, n the roundings on the longest way to a result. For L = 1: the terms of row 0 are
///   sum |A_k + B_k| |x[2k+1]| + sum |A_k| (|x[2k]| + |x[2k+1]|)
///     <= sum (|A_k| |x[2k]| + |B_k| |x[2k+1]|)  +  2 sum |A_k| |x[2k+1]|
/// of which the first sum is row 0's own and the second is a part of row 1's, whose upper taps lie there. So
/// they are at most its own sum and twice its neighbour's; the same holds for row 1, and again for each of
/// the three sums where they are split once more. The pixelwise bound of direct sums does not hold: with A
/// large, B zero and the odd rows huge, row 0 has the rounding of products that only cancel in it.
KaratsubaChoice chooseKaratsuba(const ConvolutionProblem& problem, const CorrelationTaps& taps);

/// Every sum and term of a group is at most so many times that largest sum.
constexpr double groupGrowth(int rows) { return rows == 4 ? 9 : rows == 2 ? 3 : 1; }

}  // namespace bankside::direct
