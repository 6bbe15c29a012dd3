// Pixels in two parts with sums of their own: u16, f32.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* splitKernelOf(const TensorLayout& layout, int warpgroups, Fused fused) {
  return instanceOf<PixelParts::Split, true>(layout, warpgroups, fused);
}

}  // namespace bankside::cuda
