/// Every kernel for one kind of pixel parts.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernel.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside::cuda {

template <int columns, int shifts, PixelParts parts, bool chained, int warpgroups>
const void* instanceOf(Fused fused) {
  const auto address = []<class S>(S) { return kernelAddress(tensorKernel<S>); };
  // See TensorLayout::keepsMuch and tensorLayout.
  constexpr bool combines = columns == 64 || !chained;
  switch (fused) {
    case Fused::None: return address(TensorShape<columns, shifts, parts, chained, Fused::None, warpgroups>());
    case Fused::Value:
      if constexpr (combines)
        return address(TensorShape<columns, shifts, parts, chained, Fused::Value, warpgroups>());
      break;
    case Fused::Index:
      if constexpr (combines && shifts == 2)
        return address(TensorShape<columns, shifts, parts, chained, Fused::Index, warpgroups>());
      break;
  }
  return nullptr;
}

template <int columns, int shifts, PixelParts parts, bool chained>
const void* instanceOf(int warpgroups, Fused fused) {
  return warpgroups == 2 ? instanceOf<columns, shifts, parts, chained, 2>(fused)
                         : instanceOf<columns, shifts, parts, chained, 4>(fused);
}

template <int columns, PixelParts parts, bool chained>
const void* instanceOf(const TensorLayout& layout, int warpgroups, Fused fused) {
  return layout.shifts == 2 ? instanceOf<columns, 2, parts, chained>(warpgroups, fused)
                            : instanceOf<columns, 4, parts, chained>(warpgroups, fused);
}

template <PixelParts parts, bool chained>
const void* instanceOf(const TensorLayout& layout, int warpgroups, Fused fused) {
  return layout.columns == 128 ? instanceOf<128, parts, chained>(layout, warpgroups, fused)
                               : instanceOf<64, parts, chained>(layout, warpgroups, fused);
}

}  // namespace bankside::cuda
