// Pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* wholeKernelOf(const TensorLayout& layout, Fused fused) {
  return instanceOf<PixelParts::Whole>(layout, fused);
}

}  // namespace bankside::cuda
