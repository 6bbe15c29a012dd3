/// What a compiled multichannel shape is called and what it can do: summed_variants.def as data, without
/// CUDA.
#pragma once

#include <string>
#include <vector>

#include "core/problem.h"
#include "kernels/cuda/multichannel/fma/block_shape.h"

namespace bankside::cuda {

struct SummedVariant {
  std::string name;
  int filterWidth = 1;
  int filterHeight = 0;  ///< 0: any up to mostFilterHeight
  BlockShape shape;
  int minBlocks = 1;   ///< thread blocks that an SM's registers hold
  bool trial = false;  ///< for the tuner alone
};

/// In the order of summed_variants.def; after them those of summed_variants_trial.def where they are
/// compiled.
const std::vector<SummedVariant>& summedVariants();

/// Position in `summedVariants()`, or -1.
int findSummedVariant(const std::string& name);

/// Whether a variant can compute a problem: its filter size alone decides.
bool fits(const SummedVariant& variant, const ConvolutionProblem& problem);

/// Thread blocks that an SM holds at once: registers and shared memory of a device of compute capability 9.0.
int residentBlocks(const SummedVariant& variant, const ConvolutionProblem& problem, bool sumsShared);

}  // namespace bankside::cuda
