#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_kernel.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_launch.h"

namespace bankside::cuda {

const void* tensorKernelAddress(TensorMode mode) {
  switch (mode) {
    case TensorMode::Fp16x3: return kernelAddress(tensorKernel<TensorMode::Fp16x3>);
    case TensorMode::Fp16x2: return kernelAddress(tensorKernel<TensorMode::Fp16x2>);
    case TensorMode::Fp16: break;
  }
  return kernelAddress(tensorKernel<TensorMode::Fp16>);
}

}  // namespace bankside::cuda
