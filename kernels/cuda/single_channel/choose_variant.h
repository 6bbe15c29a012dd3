/// Which compiled shape computes a problem: a pure function of the problem and the list.
#pragma once

#include "kernels/cuda/single_channel/variant.h"

namespace bankside::cuda {

/// What a problem is run with.
struct Choice {
  int variant = -1;         ///< position in `variants()`; -1: pixel by pixel (direct_pixels.h)
  int filtersPerBlock = 0;  ///< filters that one thread block makes; 0: `splitBank` says
  bool tailOnly = false;    ///< whole waves of thread blocks make every filter, what is left over is split
  bool operator==(const Choice&) const = default;
};

/// How a bank is spread over thread blocks (see placeOf).
struct BankSplit {
  int filtersPerBlock = 1;
  int wholeRows = 0;
};

/// The split of a choice for a result of width x height. A fused combine needs all filters in one block.
BankSplit splitBank(const Choice& choice, const ConvolutionProblem& problem, int width, int height,
                    int multiprocessors);

/// Position in `variants()`, or -1 where a filter is so large that no block with `mostShared` bytes of shared
/// memory holds a tile's windows. `anchorX` and `anchorY` are those of the correlation form.
int chooseVariant(const ConvolutionProblem& problem, int anchorX, int anchorY,
                  std::size_t mostShared = anyShared);

/// The same of the form of any size alone, whose taps lie in global memory.
int chooseAnySize(const ConvolutionProblem& problem, int anchorX, int anchorY,
                  std::size_t mostShared = anyShared);

/// The same for part of a result, behind a faster kernel (see FallbackMap): the form looks at the map, reads
/// rows that lie anyhow, and has all taps ready.
int chooseFallback(const ConvolutionProblem& problem, int anchorX, int anchorY,
                   std::size_t mostShared = anyShared);

/// Algorithm 1's shape for a problem, its unit as wide as a bank of shared memory (the paper's matched case):
/// a position in `variants()`, or -1.
int matchedPaperVariant(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// The one that was fastest where all were measured (f32), else the matched one.
int choosePaperVariant(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// All that could, in the list's order: what a tuner measures.
std::vector<int> fittingVariants(const ConvolutionProblem& problem, int anchorX, int anchorY,
                                 std::size_t mostShared = anyShared);

}  // namespace bankside::cuda
