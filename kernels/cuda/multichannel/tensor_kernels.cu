#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_kernel.cuh"

namespace bankside::cuda {

const void* tensorKernelAddress(TensorMode mode) {
  return mode == TensorMode::Tf32x3 ? kernelAddress(tensorKernel<TensorMode::Tf32x3>)
                                    : kernelAddress(tensorKernel<TensorMode::Fp16>);
}

}  // namespace bankside::cuda
