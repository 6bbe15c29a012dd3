/// Taps as sums of products: T[ky][kx] = sum over terms of column[ky] row[kx].
///
/// A singular value decomposition of each filter gives the terms, largest first; as many are kept as the
/// tolerance asks for. A column factor is scaled so that it can be told from others and its taps' absolute
/// values add up to at most 1 (so that a column's sum never overflows): filters, and terms of one filter,
/// whose column factors agree in one channel then share it. Where filters share row factors instead, the same
/// is done with the filters turned over, and rows come first.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/parallel.h"
#include "core/problem.h"

namespace bankside::direct {

/// Taps that were rounded to f32 once count as separable.
inline constexpr double roundedOnce = 0x1p-23;

struct RankOne {
  std::vector<float> column;  ///< kh, sum of absolute values in (0.5, 1], or 1.0 alone
  std::vector<float> row;     ///< kw
};

/// The fewest terms for which the discarded part is at most `tolerance`: sum |T - terms| <= tolerance x
/// sum |T|, before the factors are rounded to f32. At most min(kh, kw) terms, and then (or where
/// the rounding would lose a tap that is not zero) the taps' own rows, which are exact. No terms where all
/// taps are zero. Shapes  taps [height][width]
std::vector<RankOne> factorize(const float* taps, int height, int width, double tolerance);

/// Whether so few terms would do, without finding them: elimination with the largest element as pivot.
/// Cheap, and right but for taps at the edge of the tolerance.
bool hasRank(const float* taps, int height, int width, int rank, double tolerance);

/// A bank in factors: those that are applied to the source first, each of them once, and for each filter what
/// is applied to their results.
struct SeparableBank {
  struct First {
    int channel = 0;          ///< tap channel
    std::vector<float> taps;  ///< kh of a column, or kw of a row where `rowsFirst`
  };
  struct Term {
    int first = 0;            ///< into `firsts`
    std::vector<float> taps;  ///< kw of a row, or kh of a column where `rowsFirst`
  };
  bool rowsFirst = false;
  bool nearlyShared = false;  ///< a filter uses another's factor that is not bit for bit its own
  std::vector<First> firsts;
  std::vector<std::vector<Term>> filters;
  int largestRank = 0;  ///< most terms of one filter in one channel
  ErrorBound bound;
};

/// Columns first, unless rows first takes clearly fewer multiply-adds. `team` shares the filters.
SeparableBank separate(const ConvolutionProblem& problem, const CorrelationTaps& taps, double tolerance,
                       const ThreadTeam& team = ThreadTeam(1));

}  // namespace bankside::direct
