/// Every kernel for one kind of pixel parts.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernel.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {

template <int columns, bool paired, PixelParts parts>
const void* instanceOf(const TensorLayout& layout, Fused fused) {
  const auto address = []<class S>(S) { return kernelAddress(tensorKernel<S>); };
  if (layout.rowStep > 1) return address(TensorShape<columns, paired, parts, true, Fused::None>());
  switch (fused) {
    case Fused::None: return address(TensorShape<columns, paired, parts, false, Fused::None>());
    case Fused::Value: return address(TensorShape<columns, paired, parts, false, Fused::Value>());
    case Fused::Index: return address(TensorShape<columns, paired, parts, false, Fused::Index>());
  }
  return nullptr;
}

template <int columns, PixelParts parts>
const void* instanceOf(const TensorLayout& layout, Fused fused) {
  if (layout.columns != columns || layout.parts != parts) return nullptr;
  return layout.paired ? instanceOf<columns, true, parts>(layout, fused)
                       : instanceOf<columns, false, parts>(layout, fused);
}

}  // namespace bankside::cuda
