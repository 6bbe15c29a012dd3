// Pixels that half precision holds (u8, f16), high halves of taps alone.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* highKernelOf(const TensorLayout& layout, Fused fused) {
  return highHalvesOf<PixelParts::Whole>(layout, fused);
}

}  // namespace bankside::cuda
