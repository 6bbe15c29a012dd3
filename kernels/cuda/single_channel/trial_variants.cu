// Instances of the tuner's extra shapes.
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/single_channel/register_rows_kernel.cuh"
#include "kernels/cuda/single_channel/tile_variants.cuh"

namespace bankside::cuda {
namespace {

template <class Shape, int minBlocks>
void addRows(KernelRow& row) {
  row.kernel[static_cast<int>(ElementType::F32)][0] =
      kernelAddress(registerRowsKernel<Shape, float, minBlocks, Fused::None>);
  row.constantTaps = &constantTaps;
}

template <class Shape, int minBlocks, Fused fused>
void addOne(KernelRow& row) {
  for (auto& kernel : row.kernel)
    kernel[static_cast<int>(fused)] = kernelAddress(tileKernel<Shape, minBlocks, fused>);
  row.constantTaps = &constantTaps;
}

}  // namespace

void addTrialKernels(std::vector<KernelRow>& table) {
#define BANKSIDE_ROWS_TRIAL(name, filterSize, rows, warps, across, single, minBlocks, loadedTaps) \
  addRows<Rows<filterSize, rows, warps, single, across, loadedTaps>, minBlocks>(                  \
      table[static_cast<std::size_t>(findVariant(#name))]);
#define BANKSIDE_TILE_TRIAL(fused, name, filterWidth, rows, pixels, filtersPerPass, lanes, warps, minBlocks, \
                            loadedTaps)                                                                      \
  addOne<Tile<filterWidth, rows, pixels, filtersPerPass, lanes, warps, loadedTaps>, minBlocks,               \
         fused == 2   ? Fused::Index                                                                         \
         : fused == 1 ? Fused::Value                                                                         \
                      : Fused::None>(table[static_cast<std::size_t>(findVariant(#name))]);
#include "kernels/cuda/single_channel/variants_trial.def"
#undef BANKSIDE_ROWS_TRIAL
#undef BANKSIDE_TILE_TRIAL
}

}  // namespace bankside::cuda
