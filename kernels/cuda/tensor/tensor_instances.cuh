/// From a shape to its compiled kernel.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernel.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {

template <int tapColumns, PixelParts parts, TapParts halves, bool chained = false>
const void* instanceOf(Fused fused) {
  switch (fused) {
    case Fused::None:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, halves, chained, Fused::None>>);
    case Fused::Value:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, halves, chained, Fused::Value>>);
    case Fused::Index:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, halves, chained, Fused::Index>>);
  }
  return nullptr;
}

/// Instructions of the high halves of taps alone.
template <PixelParts parts>
const void* highHalvesOf(const TensorLayout& layout, Fused fused) {
  switch (layout.tapColumns) {
    case 48: return instanceOf<48, parts, TapParts::High>(fused);
    case 64: return instanceOf<64, parts, TapParts::High>(fused);
    case 96: return instanceOf<96, parts, TapParts::High>(fused);
    case 128: return instanceOf<128, parts, TapParts::High>(fused);
  }
  return nullptr;
}

/// Instructions of both halves of taps, of `tapColumns` below 128.
template <PixelParts parts>
const void* bothHalvesOf(const TensorLayout& layout, Fused fused) {
  constexpr TapParts both = TapParts::Both;
  const bool chained = layout.chained();
  switch (layout.tapColumns) {
    case 48: return chained ? instanceOf<48, parts, both, true>(fused) : instanceOf<48, parts, both>(fused);
    case 64: return chained ? instanceOf<64, parts, both, true>(fused) : instanceOf<64, parts, both>(fused);
    case 96: return chained ? instanceOf<96, parts, both, true>(fused) : instanceOf<96, parts, both>(fused);
  }
  return nullptr;
}

}  // namespace bankside::cuda
