/// Algorithm 2 as the paper has it: filters over several channels at once, the next channels on their way
/// through registers while these are summed, taps transposed as they are stored to shared memory.
///
/// Kept by name (`cuda:multichannel-paper`) to be measured against what came after it. Every tile parameter
/// is the paper's and open to its design-space exploration; `unit` is its n, the taps and pixels that a
/// thread reads from shared memory as one.
///
/// Source  Chen et al., DAC 2017, section 4 and Algorithm 2. Deviations: borders are resolved once a block,
/// as
///         offsets (the paper has none); rows of pixels and of taps are padded to whole units; sources are
///         f32 in device memory, widened before where they are not.
#pragma once

#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/pixel_offset.cuh"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/paper/general_shape.h"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// `unit` neighbouring floats of shared memory in one access.
template <int unit>
__device__ __forceinline__ void readUnit(const float* from, float* to) {
  static_assert(unit == 1 || unit == 2 || unit == 4);
  if constexpr (unit == 1) {
    *to = *from;
  } else if constexpr (unit == 2) {
    const float2 v = *reinterpret_cast<const float2*>(from);
    to[0] = v.x;
    to[1] = v.y;
  } else {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  }
}

/// Grid: tiles across, tiles down, images x blocks of filters.
/// Shapes  taps [F][C][K][K] as banks have them
template <class Shape, int filterSize>
__global__ void __launch_bounds__(Shape::tile.threads(), Shape::tile.minBlocks(filterSize))
    generalKernel(const __grid_constant__ SummedArguments s) {
  constexpr GeneralShape shape = Shape::tile;
  static_assert(shape.valid());
  constexpr int k = filterSize;
  constexpr int threads = shape.threads();
  constexpr int columns = shape.columns(k);
  constexpr int channelPixels = shape.rows(k) * columns;
  constexpr int stagePixels = shape.channelsPerStep * channelPixels;
  constexpr int tapStride = shape.tapStride();
  constexpr int filterTaps = k * k;
  constexpr int stepTaps = shape.channelsPerStep * filterTaps;  // of one filter: they lie side by side
  constexpr int stageTaps = stepTaps * shape.filtersPerBlock;
  constexpr int pixelSlots = ceilDiv(stagePixels, threads);
  constexpr int tapSlots = ceilDiv(stageTaps, threads);
  __shared__ __align__(16) float shImg[stagePixels];
  __shared__ __align__(16) float shFlt[stepTaps * tapStride];

  const KernelArguments& a = s.base;
  const BatchPlace place = placeInBatch(s.batch, a.filterCount, shape.filtersPerBlock, 1);
  const int firstFilter = place.filterBlock * shape.filtersPerBlock;
  const int x0 = static_cast<int>(blockIdx.x) * shape.tileWidth;
  const int y0 = static_cast<int>(blockIdx.y) * shape.tileHeight;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % shape.filterLanes();  // T_X: contiguous threads take the same pixels
  const int run = thread / shape.filterLanes();   // T_Y
  const int runRow = run / shape.runsPerRow();
  const int runColumn = run % shape.runsPerRow() * shape.pixelsPerThread;
  const float* const src = pixelsOf(a.src.pixels, s.batch, place.image);

  // Which pixel of its channel each of this thread's slots is; the same of every step.
  int offset[pixelSlots];
#pragma unroll
  for (int j = 0; j < pixelSlots; ++j) {
    const int i = j * threads + thread;
    offset[j] = -2;
    if (i < stagePixels) {
      offset[j] = pixelOffset(a, i % channelPixels / columns, i % columns, shape.tileWidth + k - 1,
                              a.x + x0 - a.anchorX, a.y + y0 - a.anchorY, a.height - y0);
    }
  }

  float nextPixels[pixelSlots];
  float nextTaps[tapSlots];
  const auto prefetch = [&](int channel) {
    const float* const from = src + channel * s.channelStride;
#pragma unroll
    for (int j = 0; j < pixelSlots; ++j) {
      const int i = j * threads + thread;
      const int c = i / channelPixels;
      const bool held = offset[j] >= 0 && channel + c < s.channels;
      nextPixels[j] = held ? __ldg(from + c * s.channelStride + offset[j]) : a.border.value;
    }
#pragma unroll
    for (int j = 0; j < tapSlots; ++j) {
      const int i = j * threads + thread;
      const int filter = firstFilter + i / stepTaps;
      const int tap = i % stepTaps;
      const bool held = i < stageTaps && filter < a.filterCount && channel + tap / filterTaps < s.channels;
      nextTaps[j] =
          held ? __ldg(a.taps + (static_cast<std::ptrdiff_t>(filter) * s.channels + channel) * filterTaps +
                       tap)
               : 0.0f;
    }
  };
  const auto store = [&] {
#pragma unroll
    for (int j = 0; j < pixelSlots; ++j)
      if (j * threads + thread < stagePixels) shImg[j * threads + thread] = nextPixels[j];
#pragma unroll
    for (int j = 0; j < tapSlots; ++j) {
      const int i = j * threads + thread;
      if (i < stageTaps) shFlt[i % stepTaps * tapStride + i / stepTaps] = nextTaps[j];
    }
  };

  float rAcc[shape.filtersPerThread][shape.pixelsPerThread] = {};
  // Lines 4 and 5.
  prefetch(0);
  store();
  __syncthreads();
#pragma unroll 1
  for (int channel = 0; channel < s.channels; channel += shape.channelsPerStep) {
    // Lines 8 and 9.
    const bool more = channel + shape.channelsPerStep < s.channels;
    if (more) prefetch(channel + shape.channelsPerStep);
#pragma unroll 1
    for (int i = 0; i < shape.channelsPerStep; ++i) {
      if (channel + i >= s.channels) break;
#pragma unroll 1
      for (int j = 0; j < k; ++j) {
        constexpr int units = ceilDiv(shape.pixelsPerThread + k - 1, shape.unit);
        float rImg[units * shape.unit];
        const float* const line = shImg + i * channelPixels + (runRow + j) * columns + runColumn;
#pragma unroll
        for (int u = 0; u < units; ++u) readUnit<shape.unit>(line + u * shape.unit, rImg + u * shape.unit);
        const float* const taps = shFlt + (i * filterTaps + j * k) * tapStride + lane * shape.unit;
#pragma unroll
        for (int tap = 0; tap < k; ++tap) {
          float rFlt[shape.filtersPerThread];
#pragma unroll
          for (int u = 0; u < shape.filtersPerThread / shape.unit; ++u)
            readUnit<shape.unit>(taps + tap * tapStride + u * shape.filterLanes() * shape.unit,
                                 rFlt + u * shape.unit);
#pragma unroll
          for (int f = 0; f < shape.filtersPerThread; ++f)
#pragma unroll
            for (int p = 0; p < shape.pixelsPerThread; ++p)
              rAcc[f][p] = __fmaf_rn(rFlt[f], rImg[p + tap], rAcc[f][p]);
        }
      }
    }
    __syncthreads();
    // Lines 17 and 18.
    if (more) store();
    __syncthreads();
  }

  // Line 20: contiguous threads write different maps.
  if (y0 + runRow >= a.height) return;
  const ResultRows results = resultsOf(a.dst, s.batch, place.image);
#pragma unroll
  for (int f = 0; f < shape.filtersPerThread; ++f) {
    const int filter = firstFilter + shape.filterOf(lane, f);
    if (filter >= a.filterCount) continue;
    storeRun(results.pixels, results.type,
             filter * results.planeStride + (y0 + runRow) * results.stride + x0 + runColumn,
             a.width - x0 - runColumn, rAcc[f]);
  }
}

}  // namespace bankside::cuda
