#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_kernel.cuh"

namespace bankside::cuda {

const void* tensorKernelAddress() { return kernelAddress(tensorKernel); }

}  // namespace bankside::cuda
