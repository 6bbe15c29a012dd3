// By warps, pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/warp_instances.cuh"

namespace bankside::cuda {

const void* warpWholeKernelOf(const TensorLayout& layout, Fused fused) {
  switch (layout.halves) {
    case TapParts::High: return warpInstanceOf<PixelParts::Whole, TapParts::High>(fused);
    case TapParts::Both:
      return layout.chained() ? warpInstanceOf<PixelParts::Whole, TapParts::Both, true>(fused)
                              : warpInstanceOf<PixelParts::Whole, TapParts::Both>(fused);
    case TapParts::Apart: break;
  }
  return nullptr;
}

}  // namespace bankside::cuda
