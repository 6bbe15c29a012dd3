/// What a tensor-core launch needs; passed to kernels by value.
#pragma once

#include "kernels/cuda/kernel_arguments.h"
#include "kernels/cuda/tensor/tensor_walk.h"

namespace bankside::cuda {

struct TensorArguments {
  KernelArguments base;  ///< `taps`: [filter][row][column] in f32, for chunks that half precision cannot hold
  TensorLayout layout;
  TensorWalk walk;
  const void* packedTaps = nullptr;  ///< PackedTaps::halves
  const float* scales = nullptr;     ///< PackedTaps::scales
  /// Results left of and above the region that the first group and strip hold: groups begin at whole
  /// multiples of `shifts` of the image's columns, strips at whole multiples of `rowStep` of the image, so
  /// that a result is summed in the same order whatever region it was asked for in.
  int before = 0;
  int above = 0;
  int strips = 0;  ///< of the launch, one below the other
  /// Where an instruction's pixels lie: lower half of a descriptor, from the strip's first core. Some more
  /// may be read.
  std::uint32_t step[mostSteps + 4] = {};
};

}  // namespace bankside::cuda
