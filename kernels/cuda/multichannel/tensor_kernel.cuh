/// Filters over several channels on the tensor cores, in one of three modes (TensorMode).
///
/// For each tap a product of matrices: 64 filters x 8 (16) channels with those channels x 8 x 16 pixels, all in
/// shared memory. The pixels of the next tap are the same ones, one column further on. One warpgroup brings
/// taps, and pixels which it splits (Tf32x3, Fp16x3: of the four products of upper and lower parts three are
/// added, lower x lower would not count) or rounds; two others multiply what the step before brought. The
/// tensor cores cut what they add, so that their sums are short: after every step they are added in f32.
///
/// Source  Ootomo and Yokota, Recovering single precision accuracy from Tensor Cores, IJHPCA 2022, for the
/// three products and for sums outside of the tensor cores. Deviation: lower parts are not scaled up.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/multichannel/batch_place.cuh"
#include "kernels/cuda/multichannel/pixel_offset.cuh"
#include "kernels/cuda/multichannel/shared_sums.cuh"
#include "kernels/cuda/multichannel/split_pixels.cuh"
#include "kernels/cuda/multichannel/summed_arguments.h"

namespace bankside::cuda {

/// Where a block's shared memory is, and how its work is cut: a *slab* is the channels of one instruction, a
/// *step* some of its taps.
template <TensorMode mode>
struct TensorWork {
  int pitch, plane;        ///< units from row to row of pixels, and of one unit of all pixels
  int taps, steps;         ///< of a step; of a slab
  int firstSlab, endSlab;  ///< of this block
  uint4 *tapBuffers, *pixelBuffers;
  int* offsets;

  __device__ __forceinline__ TensorWork(const SummedArguments& s, int part, uint4* memory)
      : pitch(TensorTile::stagedColumns(s.base.filterWidth)),
        plane(TensorTile::stagedPixels(s.base.filterHeight, s.base.filterWidth)),
        taps(s.tapsPerStep),
        steps(s.base.filterHeight * s.base.filterWidth / s.tapsPerStep),
        firstSlab(part * s.channelsPerSplit / channelsPerProduct(mode)),
        endSlab(ceilDiv(min((part + 1) * s.channelsPerSplit, s.channels), channelsPerProduct(mode))),
        tapBuffers(memory),
        pixelBuffers(memory + 2 * taps * tapUnits(mode)),
        offsets(reinterpret_cast<int*>(pixelBuffers + 2 * slabUnits())) {}

  __device__ __forceinline__ int slabUnits() const { return partsOfNumber(mode) * 2 * plane; }
};

/// Barriers between the warpgroup that brings and one that multiplies: a step's buffers are full, or empty.
__device__ __forceinline__ int fullBarrier(int buffer, int multiplier) { return 1 + 2 * buffer + multiplier; }
__device__ __forceinline__ int emptyBarrier(int buffer, int multiplier) { return 5 + 2 * buffer + multiplier; }

/// Taps and pixels to shared memory, by one warpgroup. `taps`: of the block's filters.
template <TensorMode mode>
__device__ __forceinline__ void bringSteps(const SummedArguments& s, const TensorWork<mode>& work,
                                           const float* src, const uint4* taps, float scale, int thread) {
  constexpr int perProduct = channelsPerProduct(mode);
  constexpr int perUnit = channelsPerUnit(mode);
  const float border = s.base.border.value;
  const auto bringPixels = [&](int slab, int first, int end) {
    uint4* const to = work.pixelBuffers + slab % 2 * work.slabUnits();
    const int there = s.channels - slab * perProduct;
    const float* const channels = src + slab * perProduct * s.channelStride;
#pragma unroll 2
    for (int i = first + thread; i < end; i += TensorTile::warpgroup) {
      const int offset = work.offsets[i];
      float v[perProduct];
#pragma unroll
      for (int c = 0; c < perProduct; ++c) {
        // A channel that is not there has zero taps, but what lies in memory might not be a number.
        v[c] = 0.0f;
        if (c < there) v[c] = offset < 0 ? border : __ldg(channels + c * s.channelStride + offset);
      }
#pragma unroll
      for (int unit = 0; unit < 2; ++unit) {
        uint4 upper, lower;
        splitUnit<mode>(v + unit * perUnit, scale, upper, lower);
        to[unit * work.plane + i] = upper;
        if constexpr (partsOfNumber(mode) == 2) to[(2 + unit) * work.plane + i] = lower;
      }
    }
  };
  const auto bringTaps = [&](int slab, int step, int buffer) {
    const int units = work.taps * tapUnits(mode);
    const uint4* const from = taps + (static_cast<std::ptrdiff_t>(slab) * work.steps + step) * units;
    uint4* const to = work.tapBuffers + buffer * units;
#pragma unroll 4
    for (int i = thread; i < units; i += TensorTile::warpgroup)
      copyUnitAsync(reinterpret_cast<float*>(to + i), reinterpret_cast<const float*>(from + i));
  };

  // The pixels of the next slab come in parts, after its buffer was last multiplied: with the steps after the
  // first, or with the only one.
  if (work.steps > 1) bringPixels(work.firstSlab, 0, work.plane);
  const int partPixels = work.steps > 1 ? ceilDiv(work.plane, work.steps - 1) : work.plane;
  int buffer = 0;
  bool waits = false;
#pragma unroll 1
  for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step) {
      if (waits) {
        waitAtBarrier(emptyBarrier(buffer, 0));
        waitAtBarrier(emptyBarrier(buffer, 1));
      }
      bringTaps(slab, step, buffer);
      const int of = work.steps > 1 ? slab + 1 : slab;
      const int first = work.steps > 1 ? (step - 1) * partPixels : 0;
      if (first >= 0 && of < work.endSlab) bringPixels(of, first, min(first + partPixels, work.plane));
      waitForCopies();
      showToProducts();
      passBarrier(fullBarrier(buffer, 0));
      passBarrier(fullBarrier(buffer, 1));
      waits = waits || buffer == 1;
      buffer = 1 - buffer;
    }
  }
}

/// The sums of 64 filters and 8 x 16 pixels, by one warpgroup.
template <TensorMode mode>
__device__ __forceinline__ void multiplySteps(const SummedArguments& s, const TensorWork<mode>& work,
                                              int multiplier, float (&sum)[64]) {
  constexpr ProductOf numbers = inHalves(mode) ? ProductOf::Halves : ProductOf::Tf32;
  constexpr auto partTaps = static_cast<std::uint32_t>(2 * TensorTile::filtersPerBlock);
  const auto partPixels = static_cast<std::uint32_t>(2 * work.plane);
  const auto nextPixels = static_cast<std::uint32_t>(work.pitch);
  const std::uint32_t tapsAt = sharedUnits(work.tapBuffers) | TensorTile::filtersPerBlock << 16;
  const std::uint32_t pixelsAt = (sharedUnits(work.pixelBuffers) + static_cast<std::uint32_t>(
                                      multiplier * TensorTile::productWidth)) |
                                 static_cast<std::uint32_t>(work.plane) << 16;
  const auto stepUnits = static_cast<std::uint32_t>(work.taps * tapUnits(mode));
  const int newRow = work.pitch - s.base.filterWidth;
  int buffer = 0;
#pragma unroll 1
  for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
    std::uint32_t pixels = pixelsAt + static_cast<std::uint32_t>(slab % 2 * work.slabUnits());
    int column = 0;
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step) {
      std::uint32_t taps = tapsAt + static_cast<std::uint32_t>(buffer) * stepUnits;
      float part[64];
      waitAtBarrier(fullBarrier(buffer, multiplier));
      const auto advance = [&] {
        taps += tapUnits(mode);
        ++pixels;
        if (++column == s.base.filterWidth) {
          column = 0;
          pixels += static_cast<std::uint32_t>(newRow);
        }
      };
      beginProducts();
      addWideProducts<numbers, false>(part, taps, pixels, nextPixels);
      if constexpr (partsOfNumber(mode) == 2) {
        addWideProducts<numbers, true>(part, taps, pixels + partPixels, nextPixels);
        addWideProducts<numbers, true>(part, taps + partTaps, pixels, nextPixels);
      }
      advance();
#pragma unroll 1
      for (int i = 1; i < work.taps; ++i) {
        beginProducts();
        addWideProducts<numbers, true>(part, taps, pixels, nextPixels);
        if constexpr (partsOfNumber(mode) == 2) {
          addWideProducts<numbers, true>(part, taps, pixels + partPixels, nextPixels);
          addWideProducts<numbers, true>(part, taps + partTaps, pixels, nextPixels);
        }
        advance();
      }
      waitForProducts();
      settle(part);
      passBarrier(emptyBarrier(buffer, multiplier));
#pragma unroll
      for (int i = 0; i < 64; ++i) sum[i] = __fadd_rn(sum[i], part[i]);
      buffer = 1 - buffer;
    }
  }
}

/// Grid: tiles across, tiles down, images x blocks of 64 filters x parts of the channels (a cluster).
template <TensorMode mode>
__global__ void __launch_bounds__(TensorTile::threads(), 1)
    tensorKernel(const __grid_constant__ SummedArguments s) {
  constexpr TensorTile tile{};
  extern __shared__ __align__(128) float4 memory[];
  const KernelArguments& a = s.base;
  const auto cluster = cooperative_groups::this_cluster();
  const int parts = static_cast<int>(cluster.num_blocks());
  const TensorWork<mode> work(s, static_cast<int>(cluster.block_rank()), reinterpret_cast<uint4*>(memory));
  const BatchPlace place = placeInBatch(s.batch, a.filterCount, tile.filtersPerBlock, parts);
  const int x0 = static_cast<int>(blockIdx.x) * tile.tileWidth;
  const int y0 = static_cast<int>(blockIdx.y) * tile.tileHeight;
  // The same for all lanes, which the compiler would not know: products want whole warps.
  const int warpgroup = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / tile.warpgroup, 0);
  const int thread = static_cast<int>(threadIdx.x) % tile.warpgroup;

  for (int i = static_cast<int>(threadIdx.x); i < work.plane; i += tile.threads())
    work.offsets[i] = pixelOffset(a, i / work.pitch, i % work.pitch, work.pitch, a.x + x0 - a.anchorX,
                                  a.y + y0 - a.anchorY, a.height - y0);
  __syncthreads();

  // A power of two that keeps pixels within half precision, and what takes it out of the sums again.
  float pixelScale = 1.0f;
  if constexpr (inHalves(mode))
    pixelScale = __uint_as_float(
        halfScaleBits(s.largestPixel != nullptr ? __ldg(s.largestPixel + place.image) : s.largestBits));
  float sum[64];
  if (warpgroup == tile.multipliers) {
    const int slabs = ceilDiv(s.channels, channelsPerProduct(mode));
    const auto filterUnits = static_cast<std::ptrdiff_t>(slabs) * work.steps * work.taps * tapUnits(mode);
    bringSteps<mode>(s, work, pixelsOf(a.src.pixels, s.batch, place.image),
                     reinterpret_cast<const uint4*>(a.taps) + place.filterBlock * filterUnits, pixelScale, thread);
  } else {
#pragma unroll
    for (int i = 0; i < 64; ++i) sum[i] = 0.0f;
    multiplySteps<mode>(s, work, warpgroup, sum);
  }

  __syncthreads();
  float* const sums = reinterpret_cast<float*>(memory);
  if (warpgroup < tile.multipliers) {
    // One after the other: their product might be too small for f32.
    const float pixelBack = __uint_as_float(halfScaleBackBits(__float_as_uint(pixelScale)));
    const auto back = [&](float v) { return inHalves(mode) ? v * s.tapScaleBack * pixelBack : v; };
    const int lane = thread % 32;
    const int pixel = warpgroup * tile.productWidth + lane % 4 * 2;
#pragma unroll
    for (int row = 0; row < tile.tileHeight; ++row) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int filter = 16 * (thread / 32) + 8 * half + lane / 4;
        const int at = row * tile.tileWidth + pixel;
        *reinterpret_cast<float2*>(sums + tile.sumOffset(filter, at / 4) + at % 4) =
            make_float2(back(sum[4 * row + 2 * half]), back(sum[4 * row + 2 * half + 1]));
      }
    }
  }
  writeSums<tile>(a, resultsOf(a.dst, s.batch, place.image), sums, place.filterBlock * tile.filtersPerBlock, x0,
                  y0);
}

}  // namespace bankside::cuda
