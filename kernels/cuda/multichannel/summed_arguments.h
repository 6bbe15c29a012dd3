/// Everything a multichannel launch needs beside its shape; passed to kernels by value.
#pragma once

#include "kernels/cuda/kernel_arguments.h"

namespace bankside::cuda {

/// `base.src` is channel 0 as f32, its channels `channelStride` elements apart; `base.taps` as `tapPosition`
/// lays them out; `base.filtersPerBlock` unused.
struct SummedArguments {
  KernelArguments base;
  int channels = 1;
  std::ptrdiff_t channelStride = 0;
  int channelsPerSplit = 1;  ///< channels that one thread block sums; the blocks of a cluster share them all
  bool sumsShared = false;   ///< results pass through shared memory: needed by a split, else a choice
};

}  // namespace bankside::cuda
