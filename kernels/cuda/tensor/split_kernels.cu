// Pixels in two parts: u16, f32.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* splitKernelOf(const TensorLayout& layout, Fused fused) {
  return instanceOf<PixelParts::Split>(layout, fused);
}

}  // namespace bankside::cuda
