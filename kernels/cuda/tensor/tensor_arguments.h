/// What a tensor-core launch needs; passed to kernels by value.
#pragma once

#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/tensor/tensor_walk.h"

namespace bankside::cuda {

struct TensorArguments {
  KernelArguments base;
  TensorLayout layout;
  TensorWalk walk;
  const void* packedTaps = nullptr;  ///< PackedTaps::halves
  const float* scales = nullptr;     ///< PackedTaps::scales
  /// The largest f32 pixel of a block lies between these, or direct sums do: see PixelRange.
  float leastLargest = 0;
  float mostLargest = 0;
  /// Results left of and above the region that the first group and strip hold: groups begin at whole
  /// multiples of `shifts` of the image's columns, strips at whole multiples of `rowStep` of the image, so
  /// that a result is summed in the same order whatever region it was asked for in.
  int before = 0;
  int above = 0;
  int strips = 0;       ///< of the launch, one below the other
  int wholeStrips = 0;  ///< that many of them end within the region
  /// Where two cores lie that follow each other: lower half of a descriptor, from the ring's first core on.
  /// [row of the ring][core of the row], and again from the first row on, as far as the ring's last strip
  /// reaches.
  std::uint32_t corePlaces[mostCorePlaces] = {};
};
static_assert(sizeof(TensorArguments) <= 4096, "more than every toolkit's launch takes");

}  // namespace bankside::cuda
