#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_kernel.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_launch.h"

namespace bankside::cuda {

namespace {

template <TensorMode mode>
const void* addressOf(TensorTile tile) {
  return tile == narrowTile ? kernelAddress(tensorKernel<mode, narrowTile.tileWidth>)
                            : kernelAddress(tensorKernel<mode, wideTile.tileWidth>);
}

}  // namespace

const void* tensorKernelAddress(TensorMode mode, TensorTile tile) {
  switch (mode) {
    case TensorMode::Fp16x3: return addressOf<TensorMode::Fp16x3>(tile);
    case TensorMode::Fp16x2: return addressOf<TensorMode::Fp16x2>(tile);
    case TensorMode::Fp16: break;
  }
  return addressOf<TensorMode::Fp16>(tile);
}

}  // namespace bankside::cuda
