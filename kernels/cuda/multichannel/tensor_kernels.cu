#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_kernel.cuh"

namespace bankside::cuda {

const void* tensorKernelAddress(TensorMode mode) {
  return mode == TensorMode::Tf32x3 ? reinterpret_cast<const void*>(tensorKernel<TensorMode::Tf32x3>)
                                    : reinterpret_cast<const void*>(tensorKernel<TensorMode::Fp16>);
}

}  // namespace bankside::cuda
