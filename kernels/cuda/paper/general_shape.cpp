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

std::vector<int> fittingGeneralVariants(const ConvolutionProblem& p) {
  std::vector<int> list;
  if (p.filterHeight != p.filterWidth) return list;
  for (std::size_t i = 0; i < generalVariants().size(); ++i) {
    if (generalVariants()[i].filterSize == p.filterWidth) list.push_back(static_cast<int>(i));
  }
  return list;
}

int chooseGeneralVariant(const ConvolutionProblem& p) {
  const std::vector<int> fitting = fittingGeneralVariants(p);
  return fitting.empty() ? -1 : fitting.front();
}

}  // namespace bankside::cuda
