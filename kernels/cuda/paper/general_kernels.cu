// Instances of Algorithm 2 as the paper has it: every row of general_variants.def.
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/paper/general_kernel.cuh"
#include "kernels/cuda/paper/general_table.h"

namespace bankside::cuda {
namespace {

template <int tileWidth, int tileHeight, int filtersPerBlock, int pixelsPerThread, int filtersPerThread,
          int channelsPerStep, int unit>
struct Shape {
  static constexpr GeneralShape tile{
      tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, filtersPerThread, channelsPerStep, unit};
};

}  // namespace

const std::vector<const void*>& generalKernels() {
  static const std::vector<const void*> table = {
#define BANKSIDE_GENERAL_VARIANT(name, filterSize, tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, \
                                 filtersPerThread, channelsPerStep, unit)                                   \
  kernelAddress(generalKernel<Shape<tileWidth, tileHeight, filtersPerBlock, pixelsPerThread,                \
                                    filtersPerThread, channelsPerStep, unit>,                               \
                              filterSize>),
#include "kernels/cuda/paper/general_variants.def"
#undef BANKSIDE_GENERAL_VARIANT
#ifdef BANKSIDE_CUDA_TRIALS
#define BANKSIDE_GENERAL_TRIAL(name, filterSize, tileWidth, tileHeight, filtersPerBlock, pixelsPerThread, \
                               filtersPerThread, channelsPerStep, unit)                                   \
  kernelAddress(generalKernel<Shape<tileWidth, tileHeight, filtersPerBlock, pixelsPerThread,              \
                                    filtersPerThread, channelsPerStep, unit>,                             \
                              filterSize>),
#include "kernels/cuda/paper/general_variants_trial.def"
#undef BANKSIDE_GENERAL_TRIAL
#endif
  };
  return table;
}

}  // namespace bankside::cuda
