/// Algorithm 2: filters over several channels at once, sums in registers, taps and pixels in shared memory.
///
/// A thread keeps filtersPerThread x pixelsPerThread sums. Of a row it loads pixelsPerThread + K - 1 pixels
/// into registers and uses them for K taps, whose values for four filters come as one 16-byte unit: about 5%
/// of the instructions of the inner loop are not multiply-adds. Sums run in the order channel, row, column,
/// each from +0 with one fused multiply-add a tap, so that without a split the bytes are those of the direct
/// order.
///
/// Source  Chen et al., DAC 2017, section 4, Algorithm 2. Deviations: the next channels come by asynchronous
/// copies into a second stage instead of through registers; taps are transposed once on the host, so that
/// shared memory needs no padding; the border is resolved once a block, in a table of offsets; where an image
/// has too few tiles to fill the device, the blocks of a cluster take a part of the channels each and add
/// their sums in the order of the parts (without clusters, one launch after another does); results may go
/// through shared memory, whole rows at a time.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/block_cluster.cuh"
#include "kernels/cuda/device/code_for.cuh"
#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/pixel_offset.cuh"
#include "kernels/cuda/multichannel/fma/shared_sums.cuh"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"

namespace bankside::cuda {

/// One row of one channel: K taps of every filter over the thread's pixels.
template <BlockShape shape, int filterWidth>
__device__ __forceinline__ void addRow(float (&sum)[shape.filtersPerThread][shape.pixelsPerThread],
                                       const float* pixels, const float* taps) {
  constexpr int units = shape.windowUnits(filterWidth);
  float window[4 * units];
#pragma unroll
  for (int i = 0; i < units; ++i) {
    const float4 v = *reinterpret_cast<const float4*>(pixels + 4 * i);
    window[4 * i] = v.x;
    window[4 * i + 1] = v.y;
    window[4 * i + 2] = v.z;
    window[4 * i + 3] = v.w;
  }
#pragma unroll
  for (int k = 0; k < filterWidth; ++k) {
    float tap[shape.filtersPerThread];
#pragma unroll
    for (int i = 0; i < shape.filtersPerThread; i += 4) {
      const float4 v =
          *reinterpret_cast<const float4*>(taps + k * shape.filtersPerBlock + i * shape.filterLanes());
      tap[i] = v.x;
      tap[i + 1] = v.y;
      tap[i + 2] = v.z;
      tap[i + 3] = v.w;
    }
#pragma unroll
    for (int f = 0; f < shape.filtersPerThread; ++f)
#pragma unroll
      for (int p = 0; p < shape.pixelsPerThread; ++p) sum[f][p] = __fmaf_rn(tap[f], window[p + k], sum[f][p]);
  }
}

/// Adds what earlier launches have stored, which comes first in the order of the parts.
template <int pixels>
__device__ __forceinline__ void addStored(const float* from, int count, float (&sum)[pixels]) {
#pragma unroll
  for (int i = 0; i < pixels; ++i)
    if (i < count) sum[i] = __fadd_rn(from[i], sum[i]);
}

/// A shape as a type: a kernel's template argument.
template <int filtersPerBlock, int tileWidth, int tileHeight, int channelsPerStep, int filtersPerThread,
          int pixelsPerThread, int stages>
struct Block {
  static constexpr BlockShape shape{filtersPerBlock,  tileWidth,       tileHeight, channelsPerStep,
                                    filtersPerThread, pixelsPerThread, stages};
};

/// Sums of 64 results and more a thread, in 128 registers.
template <class Block, int minBlocks>
constexpr bool crowdedBlock() {
  constexpr BlockShape s = Block::shape;
  return codeFor != 90 && has128Registers(s.threads(), minBlocks) &&
         s.filtersPerThread * s.pixelsPerThread >= 64;
}

/// Grid: tiles across, tiles down, images x blocks of filters x parts of the channels (a cluster).
template <class Block, int filterWidth, int filterHeight, int minBlocks>
__global__ void __launch_bounds__(Block::shape.threads(), blocksTogether(minBlocks, Block::shape.threads(),
                                                                         crowdedBlock<Block, minBlocks>()))
    summedKernel(const __grid_constant__ SummedArguments s) {
  constexpr BlockShape shape = Block::shape;
  static_assert(shape.valid());
  extern __shared__ float4 memory[];
  const KernelArguments& a = s.base;
  const int kh = filterHeight > 0 ? filterHeight : a.filterHeight;
  constexpr int stride = shape.stagedColumns(filterWidth);
  const int channelPixels = shape.stagedPixels(kh, filterWidth);
  const int channelTaps = shape.stagedTaps(kh, filterWidth);
  float* const stages = reinterpret_cast<float*>(memory);
  const int stageFloats = shape.stageFloats(kh, filterWidth);

  const BlockCluster cluster;
  const int part = BlockCluster::always ? cluster.rank() : s.firstPart + cluster.rank();
  const BatchPlace place = placeInBatch(s.batch, a.filterCount, shape.filtersPerBlock, cluster.blocks());
  const int image = place.image;
  const int filterBlock = place.filterBlock;
  const int x0 = static_cast<int>(blockIdx.x) * shape.tileWidth;
  const int y0 = static_cast<int>(blockIdx.y) * shape.tileHeight;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % shape.filterLanes();
  const int run = thread / shape.filterLanes();
  const int runRow = run / shape.runsPerRow();
  const int runColumn = run % shape.runsPerRow() * shape.pixelsPerThread;

  // Which pixels of a channel this thread copies: the same of every channel, the border resolved once. What
  // does not come from the image is put into every stage here.
  constexpr int mostRows = filterHeight > 0 ? filterHeight : mostFilterHeight;
  constexpr int slots = ceilDiv(shape.stagedPixels(mostRows, filterWidth), shape.threads());
  int offset[slots];
#pragma unroll
  for (int j = 0; j < slots; ++j) {
    const int i = j * shape.threads() + thread;
    offset[j] = -2;
    if (i < channelPixels) {
      offset[j] = pixelOffset(a, i / stride, i % stride, shape.tileWidth + filterWidth - 1,
                              a.x + x0 - a.anchorX, a.y + y0 - a.anchorY, a.height - y0);
      if (offset[j] < 0) {
        for (int c = 0; c < shape.stages * shape.channelsPerStep; ++c)
          stages[c / shape.channelsPerStep * stageFloats + c % shape.channelsPerStep * channelPixels + i] =
              a.border.value;
      }
    }
  }

  // Channels are counted through all images of a batch, so that the block's image costs the loops no
  // register.
  const int channelsBefore = image * s.imageChannels;
  const int firstChannel = channelsBefore + part * s.channelsPerSplit;
  const int endChannel = min(firstChannel + s.channelsPerSplit, channelsBefore + s.channels);
  const float* const src = static_cast<const float*>(a.src.pixels);
  const std::ptrdiff_t firstTap = (static_cast<std::ptrdiff_t>(filterBlock) * s.channels - channelsBefore) *
                                      static_cast<std::ptrdiff_t>(channelTaps) +
                                  4 * thread;

  auto copyStep = [&](int channel, int stage) {
    const int channels = min(shape.channelsPerStep, endChannel - channel);
    float* const pixels = stages + stage * stageFloats + thread;
    float* const taps = stages + stage * stageFloats + shape.channelsPerStep * channelPixels + 4 * thread;
    const float* const fromTaps = a.taps + (firstTap + static_cast<std::ptrdiff_t>(channel) * channelTaps);
    const float* const from = src + channel * s.channelStride;
    const int tapCount = channels * channelTaps;
    if (filterHeight > 0 && channels == shape.channelsPerStep) {
      // Everything about a whole step is known to the compiler: offsets become parts of the instructions.
      constexpr int whole = shape.channelsPerStep * shape.stagedTaps(filterHeight, filterWidth);
#pragma unroll
      for (int i = 0; i < ceilDiv(whole, 4 * shape.threads()); ++i) {
        const int at = 4 * i * shape.threads();
        if (at + 4 * shape.threads() <= whole || at + 4 * thread < whole)
          copyUnitAsync(taps + at, fromTaps + at);
      }
#pragma unroll
      for (int j = 0; j < slots; ++j) {
        if (offset[j] < 0) continue;
        const float* pixel = from + offset[j];
#pragma unroll
        for (int c = 0; c < shape.channelsPerStep; ++c, pixel += s.channelStride)
          copyWordAsync(pixels + c * channelPixels + j * shape.threads(), pixel);
      }
    } else {
#pragma unroll 1
      for (int at = 0; at + 4 * thread < tapCount; at += 4 * shape.threads())
        copyUnitAsync(taps + at, fromTaps + at);
#pragma unroll
      for (int j = 0; j < slots; ++j) {
        if (offset[j] < 0) continue;
        const float* pixel = from + offset[j];
#pragma unroll 1
        for (int c = 0; c < channels; ++c, pixel += s.channelStride)
          copyWordAsync(pixels + c * channelPixels + j * shape.threads(), pixel);
      }
    }
    closeGroup();
  };

  float sum[shape.filtersPerThread][shape.pixelsPerThread];
#pragma unroll
  for (int f = 0; f < shape.filtersPerThread; ++f)
#pragma unroll
    for (int p = 0; p < shape.pixelsPerThread; ++p) sum[f][p] = 0.0f;

#pragma unroll
  for (int i = 0; i < shape.stages - 1; ++i) copyStep(firstChannel + i * shape.channelsPerStep, i);
  int stage = 0;
  int stageToFill = shape.stages - 1;
#pragma unroll 1
  for (int channel = firstChannel; channel < endChannel; channel += shape.channelsPerStep) {
    waitForGroups<shape.stages - 2>();
    __syncthreads();
    copyStep(channel + (shape.stages - 1) * shape.channelsPerStep, stageToFill);
    const float* pixels = stages + stage * stageFloats + runRow * stride + runColumn;
    const float* taps = stages + stage * stageFloats + shape.channelsPerStep * channelPixels + 4 * lane;
    const int channels = min(shape.channelsPerStep, endChannel - channel);
#pragma unroll 1
    for (int c = 0; c < channels; ++c) {
      if constexpr (filterHeight > 0 && filterHeight * filterWidth <= 9) {
#pragma unroll
        for (int k = 0; k < filterHeight; ++k)
          addRow<shape, filterWidth>(sum, pixels + k * stride,
                                     taps + k * filterWidth * shape.filtersPerBlock);
      } else {
#pragma unroll 1
        for (int k = 0; k < kh; ++k)
          addRow<shape, filterWidth>(sum, pixels + k * stride,
                                     taps + k * filterWidth * shape.filtersPerBlock);
      }
      pixels += channelPixels;
      taps += channelTaps;
    }
    stage = stage + 1 == shape.stages ? 0 : stage + 1;
    stageToFill = stageToFill + 1 == shape.stages ? 0 : stageToFill + 1;
  }

  const int firstFilter = filterBlock * shape.filtersPerBlock;
  const ResultRows results = resultsOf(a.dst, s.batch, image);
  if (!s.sumsShared) {
    if (y0 + runRow >= a.height) return;
#pragma unroll
    for (int f = 0; f < shape.filtersPerThread; ++f) {
      const int filter = firstFilter + shape.filterOf(lane, f);
      if (filter >= a.filterCount) continue;
      const std::ptrdiff_t at =
          filter * results.planeStride + (y0 + runRow) * results.stride + x0 + runColumn;
      const int count = a.width - x0 - runColumn;
      if (!BlockCluster::always && s.firstPart > 0)
        addStored(static_cast<const float*>(results.pixels) + at, count, sum[f]);
      storeRun(results.pixels, results.type, at, count, sum[f]);
    }
    return;
  }

  waitForGroups<0>();
  __syncthreads();
#pragma unroll
  for (int f = 0; f < shape.filtersPerThread; ++f)
#pragma unroll
    for (int p = 0; p < shape.pixelsPerThread; p += 4)
      *reinterpret_cast<float4*>(
          stages + shape.sumOffset(shape.filterOf(lane, f), (run * shape.pixelsPerThread + p) / 4)) =
          make_float4(sum[f][p], sum[f][p + 1], sum[f][p + 2], sum[f][p + 3]);
  writeSums<shape>(a, results, stages, firstFilter, x0, y0);
}

}  // namespace bankside::cuda
