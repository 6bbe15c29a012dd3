// Pixels that half precision holds: u8, f16.
#include "kernels/cuda/tensor/tensor_instances.cuh"

namespace bankside::cuda {

const void* wholeKernelOf(const TensorLayout& layout, int warpgroups, Fused fused) {
  return layout.chains() > 1 ? instanceOf<PixelParts::Whole, true>(layout, warpgroups, fused)
                             : instanceOf<PixelParts::Whole, false>(layout, warpgroups, fused);
}

}  // namespace bankside::cuda
