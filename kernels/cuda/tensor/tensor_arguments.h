/// What a tensor-core launch needs; passed to kernels by value.
#pragma once

#include "kernels/cuda/kernel_arguments.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

struct TensorArguments {
  KernelArguments base;  ///< `taps`: [filter][row][column] in f32, for tiles that half precision cannot hold
  TensorLayout layout;
  const void* packedTaps = nullptr;  ///< PackedTaps::halves
  const float* scales = nullptr;     ///< PackedTaps::scales
  int strips = 1;                    ///< strips of sumRows x rowStep result rows that a block makes
};

}  // namespace bankside::cuda
