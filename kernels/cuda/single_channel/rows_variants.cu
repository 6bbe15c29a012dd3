// Instances of the register form: every row of variants.def for every source type.
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/single_channel/launch_table.h"
#include "kernels/cuda/single_channel/register_rows_kernel.cuh"

namespace bankside::cuda {
namespace {

template <class Shape, class T, int minBlocks>
void addType(KernelRow& row) {
  const void** kernel = row.kernel[static_cast<int>(elementTypeOf<T>)];
  using Pixel = std::conditional_t<std::is_same_v<T, Half>, __half, T>;
  kernel[0] = kernelAddress(registerRowsKernel<Shape, Pixel, minBlocks, Fused::None>);
  if constexpr (!Shape::single) {
    kernel[1] = kernelAddress(registerRowsKernel<Shape, Pixel, minBlocks, Fused::Value>);
    kernel[2] = kernelAddress(
        registerRowsKernel<Shape, Pixel, blocksWhenFused(minBlocks, Fused::Index), Fused::Index>);
  }
}

template <class Shape, int minBlocks>
void add(KernelRow& row) {
  addType<Shape, std::uint8_t, minBlocks>(row);
  addType<Shape, std::uint16_t, minBlocks>(row);
  addType<Shape, Half, minBlocks>(row);
  addType<Shape, float, minBlocks>(row);
  row.constantTaps = &constantTaps;
}

}  // namespace

void addRowsKernels(std::vector<KernelRow>& table) {
#define BANKSIDE_ROWS_VARIANT(name, filterSize, rows, warps, across, single, minBlocks, loadedTaps) \
  add<Rows<filterSize, rows, warps, single, across, loadedTaps>, minBlocks>(                        \
      table[static_cast<std::size_t>(findVariant(#name))]);
#include "kernels/cuda/single_channel/variants.def"
#undef BANKSIDE_ROWS_VARIANT
}

}  // namespace bankside::cuda
