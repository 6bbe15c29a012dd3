// Pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* wholeKernelOf(const TensorLayout& layout, Fused fused) {
  const void* kernel = instanceOf<24, PixelParts::Whole>(layout, fused);
  return kernel != nullptr ? kernel : instanceOf<64, PixelParts::Whole>(layout, fused);
}

}  // namespace bankside::cuda
