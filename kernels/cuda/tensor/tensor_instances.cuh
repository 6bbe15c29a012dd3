/// Every kernel for one kind of pixel parts.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernel.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {

template <int columns, int shifts, PixelParts parts, bool chained>
const void* instanceOf(Fused fused) {
  const auto address = []<class S>(S) { return kernelAddress(tensorKernel<S>); };
  switch (fused) {
    case Fused::None: return address(TensorShape<columns, shifts, parts, chained, Fused::None>());
    case Fused::Value: return address(TensorShape<columns, shifts, parts, chained, Fused::Value>());
    case Fused::Index: return address(TensorShape<columns, shifts, parts, chained, Fused::Index>());
  }
  return nullptr;
}

template <int columns, PixelParts parts, bool chained>
const void* instanceOf(const TensorLayout& layout, Fused fused) {
  return layout.shifts == 2 ? instanceOf<columns, 2, parts, chained>(fused)
                            : instanceOf<columns, 4, parts, chained>(fused);
}

template <PixelParts parts, bool chained>
const void* instanceOf(const TensorLayout& layout, Fused fused) {
  return layout.columns == 128 ? instanceOf<128, parts, chained>(layout, fused)
                               : instanceOf<64, parts, chained>(layout, fused);
}

}  // namespace bankside::cuda
