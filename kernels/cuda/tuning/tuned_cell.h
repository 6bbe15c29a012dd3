/// What all kinds of entries of a tuning table have.
#pragma once

#include <cmath>
#include <vector>

#include "core/environment.h"
#include "core/problem.h"
#include "kernels/cuda/pixels/fused.h"

namespace bankside::cuda {

struct TunedTimes {
  double microseconds = 0;      ///< cold median, for the reader
  double ruleMicroseconds = 0;  ///< of what the rules without a table take; 0: not measured
  double floorMicroseconds = 0;
};

/// Entries of one kind, measured in `environment`.
template <class Entry>
struct TunedEntries {
  Environment environment;
  std::vector<Entry> entries;
};

/// One channel: a bank of square, centred filters over images of about `side` x `side` pixels.
struct TunedCell : TunedTimes {
  int filterSize = 1;
  int filterCount = 1;
  int side = 512;
  ElementType srcType = ElementType::F32;
  ElementType dstType = ElementType::F32;
  Fused fused = Fused::None;
};

/// In doublings.
inline double apart(double a, double b) { return std::fabs(std::log2(a / b)); }
/// The side of the square that has as many pixels.
inline double sideOf(const ConvolutionProblem& p) {
  return std::sqrt(static_cast<double>(p.width) * p.height);
}

/// Whether the problem's filters are of that size, and its types and what becomes of responses the same.
inline bool isForBankOf(const TunedCell& cell, const ConvolutionProblem& p) {
  return cell.filterSize == p.filterWidth && cell.filterSize == p.filterHeight && cell.srcType == p.srcType &&
         cell.dstType == p.dstType && cell.fused == fusedOf(p.combine);
}

/// Whether both are of one bank and one size of image.
inline bool isSameCell(const TunedCell& one, const TunedCell& other) {
  return one.filterSize == other.filterSize && one.filterCount == other.filterCount &&
         one.side == other.side && one.srcType == other.srcType && one.dstType == other.dstType &&
         one.fused == other.fused;
}

}  // namespace bankside::cuda
