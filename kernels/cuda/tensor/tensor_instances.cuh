/// Every kernel for one kind of pixel parts.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernel.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {

template <int tapColumns, PixelParts parts, bool chained, bool halvesApart = false>
const void* instanceOf(Fused fused) {
  switch (fused) {
    case Fused::None:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, chained, halvesApart, Fused::None>>);
    case Fused::Value:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, chained, halvesApart, Fused::Value>>);
    case Fused::Index:
      return kernelAddress(tensorKernel<TensorShape<tapColumns, parts, chained, halvesApart, Fused::Index>>);
  }
  return nullptr;
}

/// Of the layouts that `tensorLayout` makes.
template <PixelParts parts>
const void* instanceOf(const TensorLayout& layout, Fused fused) {
  constexpr bool split = parts == PixelParts::Split;
  const bool chained = layout.chained();
  switch (layout.tapColumns) {
    case 48: return chained ? instanceOf<48, parts, true>(fused) : instanceOf<48, parts, false>(fused);
    case 64: return chained ? instanceOf<64, parts, true>(fused) : instanceOf<64, parts, false>(fused);
    case 96:
      if constexpr (split)
        if (layout.halvesApart) return instanceOf<96, parts, false, true>(fused);
      return chained ? instanceOf<96, parts, true>(fused) : instanceOf<96, parts, false>(fused);
    case 128: return chained ? nullptr : instanceOf<128, parts, false, split>(fused);
  }
  return nullptr;
}

}  // namespace bankside::cuda
