// Instances of Algorithm 1 as the paper has it: every row of variants.def for every source type.
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/paper/paper_kernel.cuh"
#include "kernels/cuda/single_channel/launch_table.h"

namespace bankside::cuda {
namespace {

template <int filterSize, int unitPixels, int width, int height, class T>
void addType(KernelRow& row) {
  if constexpr (unitPixels * sizeof(T) <= 16) {
    using Pixel = std::conditional_t<std::is_same_v<T, Half>, __half, T>;
    row.kernel[static_cast<int>(elementTypeOf<T>)][0] =
        kernelAddress(paperKernel<filterSize, Pixel, unitPixels, width, height>);
  }
}

template <int filterSize, int unitPixels, int width, int height>
void add(KernelRow& row) {
  addType<filterSize, unitPixels, width, height, std::uint8_t>(row);
  addType<filterSize, unitPixels, width, height, std::uint16_t>(row);
  addType<filterSize, unitPixels, width, height, Half>(row);
  addType<filterSize, unitPixels, width, height, float>(row);
  row.constantTaps = &constantTaps;
}

}  // namespace

void addPaperKernels(std::vector<KernelRow>& table) {
#define BANKSIDE_PAPER_VARIANT(name, filterSize, unitPixels, width, height) \
  add<filterSize, unitPixels, width, height>(table[static_cast<std::size_t>(findVariant(#name))]);
#define BANKSIDE_PAPER_TUNED BANKSIDE_PAPER_VARIANT
#include "kernels/cuda/single_channel/variants.def"
#undef BANKSIDE_PAPER_TUNED
#undef BANKSIDE_PAPER_VARIANT
#ifdef BANKSIDE_CUDA_TRIALS
#define BANKSIDE_PAPER_TRIAL(name, filterSize, unitPixels, width, height) \
  {                                                                       \
    KernelRow& row = table[static_cast<std::size_t>(findVariant(#name))]; \
    addType<filterSize, unitPixels, width, height, float>(row);           \
    row.constantTaps = &constantTaps;                                     \
  }
#include "kernels/cuda/single_channel/variants_trial.def"
#undef BANKSIDE_PAPER_TRIAL
#endif
}

}  // namespace bankside::cuda
