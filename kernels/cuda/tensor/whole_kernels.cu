// Pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* wholeKernelOf(const TensorLayout& layout, Fused fused) {
  if (layout.tapColumns < 128) return bothHalvesOf<PixelParts::Whole>(layout, fused);
  return layout.chained() ? nullptr : instanceOf<128, PixelParts::Whole, TapParts::Both>(fused);
}

}  // namespace bankside::cuda
