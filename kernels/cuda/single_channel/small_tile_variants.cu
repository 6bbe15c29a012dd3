// Instances of the tile form for filters up to 9 wide, and the form of any size.
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/single_channel/any_size_kernel.cuh"
#include "kernels/cuda/single_channel/tile_variants.cuh"

namespace bankside::cuda {
namespace {

struct Small {
  static constexpr bool has(int filterWidth) { return filterWidth <= 9; }
};

}  // namespace

void addSmallTileKernels(std::vector<KernelRow>& table) {
  addTileKernels<Small>(table);
  for (auto& kernel : table[static_cast<std::size_t>(findVariant("any-size"))].kernel) {
    kernel[0] = kernelAddress(anySizeKernel<Fused::None, 1>);
    kernel[1] = kernelAddress(anySizeKernel<Fused::Value, 1>);
    kernel[2] = kernelAddress(anySizeKernel<Fused::Index, 1>);
  }
  for (auto& kernel : table[static_cast<std::size_t>(findVariant("any-size-wide"))].kernel) {
    kernel[0] = kernelAddress(anySizeKernel<Fused::None, 2>);
    kernel[1] = kernelAddress(anySizeKernel<Fused::Value, 2>);
  }
}

}  // namespace bankside::cuda
