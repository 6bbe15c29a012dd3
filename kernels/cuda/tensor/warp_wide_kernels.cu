// By warps, pixels in two parts or rounded to one: u16, f32.
#include "kernels/cuda/tensor/warp_instances.cuh"

namespace bankside::cuda {

const void* warpWideKernelOf(const TensorLayout& layout, Fused fused) {
  if (layout.parts == PixelParts::Rounded && layout.halves == TapParts::High)
    return warpInstanceOf<PixelParts::Rounded, TapParts::High>(fused);
  if (layout.parts == PixelParts::Split && layout.halves == TapParts::Both)
    return warpInstanceOf<PixelParts::Split, TapParts::Both, true>(fused);
  return nullptr;
}

}  // namespace bankside::cuda
