// By warps, pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/warp_instances.cuh"

namespace bankside::cuda {

const void* warpWholeKernelOf(const TensorLayout& layout, Fused fused) {
  switch (layout.halves) {
    case TapHalves::High: return warpInstanceOf<PixelParts::Whole, TapHalves::High>(fused);
    case TapHalves::Both:
      return layout.chained() ? warpInstanceOf<PixelParts::Whole, TapHalves::Both, true>(fused)
                              : warpInstanceOf<PixelParts::Whole, TapHalves::Both>(fused);
    case TapHalves::Apart: break;
  }
  return nullptr;
}

}  // namespace bankside::cuda
