/// Instances of the multichannel kernel. A translation unit includes this after saying which rows of
/// summed_variants.def are its own.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/fma/summed_kernel.cuh"
#include "kernels/cuda/multichannel/fma/summed_table.h"

namespace bankside::cuda {
namespace {

template <class Block, int filterWidth, int filterHeight, int minBlocks, bool mine>
void addSummed(std::vector<const void*>& table, const char* name) {
  if constexpr (mine) {
    table[static_cast<std::size_t>(findSummedVariant(name))] =
        kernelAddress(summedKernel<Block, filterWidth, filterHeight, minBlocks>);
  }
}

/// `Mine::has(filterHeight, filtersPerBlock)`.
template <class Mine>
void addSummedKernels(std::vector<const void*>& table) {
#define BANKSIDE_SUMMED_VARIANT(name, filterWidth, filterHeight, filtersPerBlock, tileWidth, tileHeight,    \
                                channelsPerStep, filtersPerThread, pixelsPerThread, minBlocks)              \
  addSummed<                                                                                                \
      Block<filtersPerBlock, tileWidth, tileHeight, channelsPerStep, filtersPerThread, pixelsPerThread, 2>, \
      filterWidth, filterHeight, minBlocks, Mine::has(filterHeight, filtersPerBlock)>(table, #name);
#include "kernels/cuda/multichannel/fma/summed_variants.def"
#undef BANKSIDE_SUMMED_VARIANT
}

}  // namespace
}  // namespace bankside::cuda
