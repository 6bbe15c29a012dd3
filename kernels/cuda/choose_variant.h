/// Which compiled shape computes a problem: a pure function of the problem and the list.
#pragma once

#include "kernels/cuda/variant.h"

namespace bankside::cuda {

/// What a problem is run with.
struct Choice {
  int variant = -1;         ///< position in `variants()`
  int filtersPerBlock = 0;  ///< filters that one thread block makes; 0: chooseFiltersPerBlock's
};

/// Position in `variants()`. `anchorX` and `anchorY` are those of the correlation form. Always finds one.
int chooseVariant(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// All that could, in the list's order: what a tuner measures.
std::vector<int> fittingVariants(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// Filters that one thread block makes: all of them if the result has blocks enough to fill the device many
/// times over, else fewer. A fused combine needs all.
int chooseFiltersPerBlock(const Variant& variant, const ConvolutionProblem& problem, int width, int height,
                          int multiprocessors);

}  // namespace bankside::cuda
