/// Everything a multichannel launch needs beside its shape; passed to kernels by value.
#pragma once

#include "kernels/cuda/pixels/image_batch.h"
#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// `base.src` is channel 0 (as f32 but for tensor cores), its channels `channelStride` elements apart;
/// `base.taps` as `tapPosition` lays them out; `base.filtersPerBlock` unused.
struct SummedArguments {
  KernelArguments base;
  ImageBatch batch;
  int channels = 1;
  std::ptrdiff_t channelStride = 0;
  int imageChannels = 0;     ///< of the source, from one image to the next: `batch.sourceBytes` in channels
  int channelsPerSplit = 1;  ///< channels that one thread block sums; the blocks of a cluster share them all
  int firstPart = 0;  ///< of the split, a launch's first; behind 0 it adds to f32 results that are there
  bool sumsShared = false;  ///< results pass through shared memory: needed by a split, else a choice
  // Half precision: the bits of the largest magnitude among the pixels, 0 where only a look at them tells,
  // and what the taps' scale is undone with.
  std::uint32_t largestBits = 0;
  float tapScaleBack = 1.0f;
  // Tensor cores: see rowFactor; taps that are multiplied between two sums in f32, a step; steps whose taps
  // have a place.
  int rowFactor = 0;
  int tapsPerStep = 1;
  int tapStages = 2;
};

}  // namespace bankside::cuda
