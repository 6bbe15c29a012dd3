// Pixels rounded to half precision (u16, f32), high halves of taps alone.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* roundedKernelOf(const TensorLayout& layout, Fused fused) {
  return highHalvesOf<PixelParts::Rounded>(layout, fused);
}

}  // namespace bankside::cuda
