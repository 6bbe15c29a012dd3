#include "kernels/cuda/paper/general_shape.h"

namespace bankside::cuda {

const std::vector<GeneralVariant>& generalVariants() {
  static const std::vector<GeneralVariant> list = {
#define BANKSIDE_GENERAL_VARIANT(name, filterSize, tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, \
                                 filtersPerThread, channelsPerStep, unit)                                   \
  {#name,                                                                                                   \
   filterSize,                                                                                              \
   {tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, filtersPerThread, channelsPerStep, unit}},
#include "kernels/cuda/paper/general_variants.def"
#undef BANKSIDE_GENERAL_VARIANT
#ifdef BANKSIDE_CUDA_TRIALS
#define BANKSIDE_GENERAL_TRIAL(name, filterSize, tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, \
                               filtersPerThread, channelsPerStep, unit)                                   \
  {#name,                                                                                                 \
   filterSize,                                                                                            \
   {tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, filtersPerThread, channelsPerStep, unit}},
#include "kernels/cuda/paper/general_variants_trial.def"
#undef BANKSIDE_GENERAL_TRIAL
#endif
  };
  return list;
}

int chooseGeneralVariant(const ConvolutionProblem& p) {
  if (p.filterHeight != p.filterWidth) return -1;
  for (std::size_t i = 0; i < generalVariants().size(); ++i) {
    if (generalVariants()[i].filterSize == p.filterWidth) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace bankside::cuda
