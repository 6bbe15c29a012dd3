// By warps, pixels in two parts or rounded to one: u16, f32.
#include "kernels/cuda/tensor/warp_instances.cuh"

namespace bankside::cuda {

const void* warpWideKernelOf(const TensorLayout& layout, Fused fused) {
  if (layout.parts == PixelParts::Rounded && layout.halves == TapHalves::High)
    return warpInstanceOf<PixelParts::Rounded, TapHalves::High>(fused);
  if (layout.parts == PixelParts::Split && layout.halves == TapHalves::Both)
    return warpInstanceOf<PixelParts::Split, TapHalves::Both, true>(fused);
  return nullptr;
}

}  // namespace bankside::cuda
