// Pixels in two parts: u16, f32.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* splitKernelOf(const TensorLayout& layout, Fused fused) {
  if (layout.halves == TapParts::Both) return bothHalvesOf<PixelParts::Split>(layout, fused);
  if (layout.halves != TapParts::Apart) return nullptr;
  switch (layout.tapColumns) {
    case 96: return instanceOf<96, PixelParts::Split, TapParts::Apart>(fused);
    case 128: return instanceOf<128, PixelParts::Split, TapParts::Apart>(fused);
  }
  return nullptr;
}

}  // namespace bankside::cuda
