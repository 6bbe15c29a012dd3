// Instances of the tile form for filters 11 wide and up.
#include "kernels/cuda/single_channel/tile_variants.cuh"

namespace bankside::cuda {
namespace {

struct Large {
  static constexpr bool has(int filterWidth) { return filterWidth > 9; }
};

}  // namespace

void addLargeTileKernels(std::vector<KernelRow>& table) { addTileKernels<Large>(table); }

}  // namespace bankside::cuda
