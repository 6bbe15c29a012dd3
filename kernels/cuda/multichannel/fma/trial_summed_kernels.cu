// Instances of the tuner's extra shapes.
#include "kernels/cuda/multichannel/fma/summed_instances.cuh"

namespace bankside::cuda {

void addTrialSummedKernels(std::vector<const void*>& table) {
#define BANKSIDE_SUMMED_VARIANT(name, filterWidth, filterHeight, filtersPerBlock, tileWidth, tileHeight,    \
                                channelsPerStep, filtersPerThread, pixelsPerThread, minBlocks)              \
  addSummed<                                                                                                \
      Block<filtersPerBlock, tileWidth, tileHeight, channelsPerStep, filtersPerThread, pixelsPerThread, 2>, \
      filterWidth, filterHeight, minBlocks, true>(table, #name);
#include "kernels/cuda/multichannel/fma/summed_variants_trial.def"
#undef BANKSIDE_SUMMED_VARIANT
}

}  // namespace bankside::cuda
