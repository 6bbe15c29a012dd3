/// From a shape of warps to its compiled kernel.
#pragma once

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/tensor/tensor_kernels.h"
#include "kernels/cuda/tensor/warp_kernel.cuh"

namespace bankside::cuda {

template <PixelParts parts, TapParts halves, bool chained = false>
const void* warpInstanceOf(Fused fused) {
  switch (fused) {
    case Fused::None: return kernelAddress(warpKernel<WarpShape<parts, halves, chained, Fused::None>>);
    case Fused::Value: return kernelAddress(warpKernel<WarpShape<parts, halves, chained, Fused::Value>>);
    case Fused::Index: return kernelAddress(warpKernel<WarpShape<parts, halves, chained, Fused::Index>>);
  }
  return nullptr;
}

}  // namespace bankside::cuda
