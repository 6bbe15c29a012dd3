/// Filters over several channels on the tensor cores, in one of two modes (TensorMode).
///
/// Tf32x3: in f32's accuracy. Every number is the sum of two TF32 numbers, upper and lower, and three of the
/// four products are added (lower x lower would not count). Fp16: numbers rounded to halves, scaled by powers
/// of two so that none overflows, one product.
///
/// For each tap a product of matrices: 64 filters x 8 (16) channels with those channels x 32 x 8 pixels.
/// Pixels lie in shared memory as they are; a lane reads the ones it multiplies, one column further for the
/// next tap, and splits or rounds them in registers. Taps were split or rounded on the host.
///
/// Source  Ootomo and Yokota, Recovering single precision accuracy from Tensor Cores, IJHPCA 2022, for the
/// three products. Deviation: sums stay in the tensor cores' accumulators, whose additions cut instead of
/// rounding; the error bounds say so.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/half_product.cuh"
#include "kernels/cuda/device/tf32_product.cuh"
#include "kernels/cuda/multichannel/batch_place.cuh"
#include "kernels/cuda/multichannel/pixel_offset.cuh"
#include "kernels/cuda/multichannel/shared_sums.cuh"
#include "kernels/cuda/multichannel/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor_layout.h"

namespace bankside::cuda {

/// What one tap of 64 filters adds over the channels of one instruction. `pixels`: of the lane's first
/// channel.
template <TensorMode mode>
struct TapProduct;

template <>
struct TapProduct<TensorMode::Tf32x3> {
  static __device__ __forceinline__ void add(float (&sum)[4][8][4], const float* pixels, int plane,
                                             int columns, const float* taps, float) {
    std::uint32_t upper[8][2];
    std::uint32_t lower[8][2];
#pragma unroll
    for (int n = 0; n < 8; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float v = pixels[n / 4 * columns + n % 4 * 8 + i * 4 * plane];
        upper[n][i] = (__float_as_uint(v) + 0x1000u) & 0xffffe000u;
        lower[n][i] = __float_as_uint(v - __uint_as_float(upper[n][i]));
      }
    }
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      const float4 tapUpper = *reinterpret_cast<const float4*>(taps + m * 256);
      const float4 tapLower = *reinterpret_cast<const float4*>(taps + m * 256 + 128);
#pragma unroll
      for (int n = 0; n < 8; ++n) multiplyTf32(sum[m][n], tapLower, upper[n]);
#pragma unroll
      for (int n = 0; n < 8; ++n) multiplyTf32(sum[m][n], tapUpper, lower[n]);
#pragma unroll
      for (int n = 0; n < 8; ++n) multiplyTf32(sum[m][n], tapUpper, upper[n]);
    }
  }
};

template <>
struct TapProduct<TensorMode::Fp16> {
  static __device__ __forceinline__ void add(float (&sum)[4][8][4], const float* pixels, int plane,
                                             int columns, const float* taps, float scale) {
    std::uint32_t halves[8][2];
#pragma unroll
    for (int n = 0; n < 8; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float* const p = pixels + n / 4 * columns + n % 4 * 8 + i * 8 * plane;
        halves[n][i] = packHalves(scale * p[0], scale * p[plane]);
      }
    }
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      const uint4 tap = *reinterpret_cast<const uint4*>(taps + m * 128);
#pragma unroll
      for (int n = 0; n < 8; ++n) multiplyHalves(sum[m][n], tap, halves[n]);
    }
  }
};

/// Grid: tiles across, tiles down, images x blocks of 64 filters x parts of the channels (a cluster).
template <TensorMode mode>
__global__ void __launch_bounds__(tensorShape(mode).threads(), 2)
    tensorKernel(const __grid_constant__ SummedArguments s) {
  constexpr BlockShape shape = tensorShape(mode);
  constexpr int perProduct = channelsPerProduct(mode);
  constexpr int tapWords = tensorTapWords(mode);
  extern __shared__ float4 memory[];
  const KernelArguments& a = s.base;
  const int columns = tensorColumns(mode, a.filterWidth);
  const int staged = shape.stagedRows(a.filterHeight) * columns;
  const int plane = tensorPlane(mode, a.filterHeight, a.filterWidth);
  const int rowTaps = a.filterWidth * tapWords;
  float* const tapStages = reinterpret_cast<float*>(memory);
  float* const pixelStages = tapStages + 2 * rowTaps;
  int* const offsets = reinterpret_cast<int*>(pixelStages + 2 * perProduct * plane);

  const auto cluster = cooperative_groups::this_cluster();
  const int parts = static_cast<int>(cluster.num_blocks());
  const int part = static_cast<int>(cluster.block_rank());
  const BatchPlace place = placeInBatch(s.batch, a.filterCount, shape.filtersPerBlock, parts);
  const int image = place.image;
  const int filterBlock = place.filterBlock;
  const int x0 = static_cast<int>(blockIdx.x) * shape.tileWidth;
  const int y0 = static_cast<int>(blockIdx.y) * shape.tileHeight;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;

  for (int i = thread; i < staged; i += shape.threads()) {
    const int offset = pixelOffset(a, i / columns, i % columns, columns, a.x + x0 - a.anchorX,
                                   a.y + y0 - a.anchorY, a.height - y0);
    offsets[i] = offset;
    if (offset < 0) {
      for (int c = 0; c < 2 * perProduct; ++c) pixelStages[c * plane + i] = a.border.value;
    }
  }

  const int firstChannel = part * s.channelsPerSplit;
  const int endChannel = min(firstChannel + s.channelsPerSplit, s.channels);
  const int slabs = ceilDiv(s.channels, perProduct);
  const float* const src = pixelsOf(a.src.pixels, s.batch, image);
  const auto copyTaps = [&](int channel, int row, int stage) {
    const auto slab = static_cast<std::size_t>(filterBlock) * slabs + channel / perProduct;
    const float* const from = a.taps + (slab * a.filterHeight + row) * rowTaps;
    float* const to = tapStages + stage * rowTaps;
#pragma unroll 1
    for (int i = 4 * thread; i < rowTaps; i += 4 * shape.threads()) copyUnitAsync(to + i, from + i);
  };
  const auto copyPixels = [&](int channel, int stage) {
#pragma unroll 1
    for (int i = thread; i < staged; i += shape.threads()) {
      if (offsets[i] < 0) continue;
      const float* from = src + channel * s.channelStride + offsets[i];
      float* to = pixelStages + stage * perProduct * plane + i;
#pragma unroll
      for (int c = 0; c < perProduct; ++c, from += s.channelStride, to += plane) {
        // A channel that is not there has zero taps, but what lies in memory might not be a number.
        if (channel + c < s.channels) {
          copyWordAsync(to, from);
        } else {
          *to = 0.0f;
        }
      }
    }
  };

  // A power of two that keeps pixels within half precision, and what takes it out of the sums again.
  float pixelScale = 1.0f;
  if constexpr (mode == TensorMode::Fp16)
    pixelScale = __uint_as_float(
        halfScaleBits(s.largestPixel != nullptr ? __ldg(s.largestPixel + image) : s.largestBits));

  float sum[4][8][4];
#pragma unroll
  for (int m = 0; m < 4; ++m)
#pragma unroll
    for (int n = 0; n < 8; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) sum[m][n][i] = 0.0f;

  // (Every thread reads its own entries of the table.)
  copyPixels(firstChannel, 0);
  copyTaps(firstChannel, 0, 0);
  closeGroup();
  int tapStage = 0;
  int pixelStage = 0;
#pragma unroll 1
  for (int channel = firstChannel; channel < endChannel; channel += perProduct) {
    const int next = channel + perProduct;
#pragma unroll 1
    for (int row = 0; row < a.filterHeight; ++row) {
      waitForGroups<0>();
      __syncthreads();
      if (row + 1 < a.filterHeight) {
        copyTaps(channel, row + 1, 1 - tapStage);
      } else if (next < endChannel) {
        copyTaps(next, 0, 1 - tapStage);
      }
      if (row == 0 && next < endChannel) copyPixels(next, 1 - pixelStage);
      closeGroup();
      const float* pixels = pixelStages + (pixelStage * perProduct + firstChannelOfLane(mode, lane)) * plane +
                            (2 * warp + row) * columns + lane / 4;
      const float* taps = tapStages + tapStage * rowTaps + 4 * lane;
#pragma unroll 1
      for (int k = 0; k < a.filterWidth; ++k)
        TapProduct<mode>::add(sum, pixels + k, plane, columns, taps + k * tapWords, pixelScale);
      tapStage = 1 - tapStage;
    }
    pixelStage = 1 - pixelStage;
  }

  waitForGroups<0>();
  __syncthreads();
  if constexpr (mode == TensorMode::Fp16) {
    // One after the other: their product might be too small for f32.
    const float pixelBack = __uint_as_float(halfScaleBackBits(__float_as_uint(pixelScale)));
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
      for (int n = 0; n < 8; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[m][n][i] = sum[m][n][i] * s.tapScaleBack * pixelBack;
  }
  float* const sums = tapStages;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const int pixel = (2 * warp + n / 4) * shape.tileWidth + n % 4 * 8 + lane % 4 * 2;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int filter = 16 * m + 8 * half + lane / 4;
        *reinterpret_cast<float2*>(sums + shape.sumOffset(filter, pixel / 4) + pixel % 4) =
            make_float2(sum[m][n][2 * half], sum[m][n][2 * half + 1]);
      }
    }
  }
  writeSums<shape>(a, resultsOf(a.dst, s.batch, image), sums, filterBlock * shape.filtersPerBlock, x0, y0);
}

}  // namespace bankside::cuda
