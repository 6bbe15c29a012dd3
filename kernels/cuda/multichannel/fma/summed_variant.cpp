#include "kernels/cuda/multichannel/fma/summed_variant.h"

#include <algorithm>

#include "kernels/cuda/multichannel/fma/predicted_device.h"

namespace bankside::cuda {
namespace {

/// What the driver takes of shared memory for every block.
constexpr std::size_t sharedOfDriver = 1024;

std::vector<SummedVariant> makeVariants() {
  std::vector<SummedVariant> list;
  bool trial = false;
#define BANKSIDE_SUMMED_VARIANT(name, filterWidth, filterHeight, filtersPerBlock, tileWidth, tileHeight, \
                                channelsPerStep, filtersPerThread, pixelsPerThread, minBlocks)           \
  list.push_back(                                                                                        \
      {#name,                                                                                            \
       filterWidth,                                                                                      \
       filterHeight,                                                                                     \
       {filtersPerBlock, tileWidth, tileHeight, channelsPerStep, filtersPerThread, pixelsPerThread, 2},  \
       minBlocks,                                                                                        \
       trial});
#include "kernels/cuda/multichannel/fma/summed_variants.def"
#ifdef BANKSIDE_CUDA_TRIALS
  trial = true;
#include "kernels/cuda/multichannel/fma/summed_variants_trial.def"
#endif
#undef BANKSIDE_SUMMED_VARIANT
  return list;
}

}  // namespace

const std::vector<SummedVariant>& summedVariants() {
  static const std::vector<SummedVariant> list = makeVariants();
  return list;
}

int findSummedVariant(const std::string& name) {
  for (std::size_t i = 0; i < summedVariants().size(); ++i) {
    if (summedVariants()[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool fits(const SummedVariant& v, const ConvolutionProblem& p) {
  if (p.filterWidth != v.filterWidth) return false;
  return v.filterHeight == 0 ? p.filterHeight <= mostFilterHeight : p.filterHeight == v.filterHeight;
}

int residentBlocks(const SummedVariant& v, const ConvolutionProblem& p, bool sumsShared) {
  const std::size_t each = v.shape.sharedBytes(p.filterHeight, p.filterWidth, sumsShared) + sharedOfDriver;
  return std::max(1, std::min(v.minBlocks, static_cast<int>(predictedSharedBytes / each)));
}

}  // namespace bankside::cuda
