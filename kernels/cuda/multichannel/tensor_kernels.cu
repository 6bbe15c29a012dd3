#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_kernel.cuh"

namespace bankside::cuda {

const void* tensorKernelAddress() { return reinterpret_cast<const void*>(tensorKernel); }

}  // namespace bankside::cuda
