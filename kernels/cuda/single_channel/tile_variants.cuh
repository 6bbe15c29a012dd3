/// Instances of the tile form. A translation unit includes this after saying which filter widths are its own.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/single_channel/launch_table.h"
#include "kernels/cuda/single_channel/tile_kernel.cuh"

namespace bankside::cuda {
namespace {

template <class Tile, int minBlocks, bool mine>
void addTile(KernelRow& row) {
  if constexpr (mine) {
    for (auto& kernel : row.kernel) {
      kernel[0] = kernelAddress(tileKernel<Tile, minBlocks, Fused::None>);
      kernel[1] = kernelAddress(tileKernel<Tile, blocksWhenFused(minBlocks, Fused::Value), Fused::Value>);
      kernel[2] = kernelAddress(tileKernel<Tile, blocksWhenFused(minBlocks, Fused::Index), Fused::Index>);
    }
    row.constantTaps = &constantTaps;
  }
}

template <class Tile, int minBlocks, Fused fused, bool mine>
void addFusedTile(KernelRow& row) {
  if constexpr (mine) {
    for (auto& kernel : row.kernel)
      kernel[static_cast<int>(fused)] = kernelAddress(tileKernel<Tile, minBlocks, fused>);
    row.constantTaps = &constantTaps;
  }
}

template <class Mine>
void addTileKernels(std::vector<KernelRow>& table) {
#define BANKSIDE_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps, minBlocks)      \
  addTile<Tile<filterWidth, rows, pixels, filtersPerPass, lanes, warps>, minBlocks, Mine::has(filterWidth)>( \
      table[static_cast<std::size_t>(findVariant(#name))]);
#define BANKSIDE_FUSED_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps,     \
                                    minBlocks)                                                         \
  addFusedTile<Tile<filterWidth, rows, pixels, filtersPerPass, lanes, warps>, minBlocks, Fused::Value, \
               Mine::has(filterWidth)>(table[static_cast<std::size_t>(findVariant(#name))]);
#define BANKSIDE_INDEX_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps,     \
                                    minBlocks)                                                         \
  addFusedTile<Tile<filterWidth, rows, pixels, filtersPerPass, lanes, warps>, minBlocks, Fused::Index, \
               Mine::has(filterWidth)>(table[static_cast<std::size_t>(findVariant(#name))]);
#include "kernels/cuda/single_channel/variants.def"
#undef BANKSIDE_INDEX_TILE_VARIANT
#undef BANKSIDE_FUSED_TILE_VARIANT
#undef BANKSIDE_TILE_VARIANT
}

}  // namespace
}  // namespace bankside::cuda
