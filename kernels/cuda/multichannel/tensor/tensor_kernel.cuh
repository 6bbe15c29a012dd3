/// Filters over several channels on the tensor cores, in one of three modes (TensorMode).
///
/// For each tap a product of matrices: 64 filters x 16 channels with those channels x 8 x 16 pixels, all
/// in shared memory. The pixels of the next tap are the same ones, one column further on. Two warpgroups
/// bring taps, and pixels which they split (Fp16x3: of the four products of upper and lower parts
/// three are added, lower x lower would not count) or round; two others multiply what the step before
/// brought. The tensor cores cut what they add, so that their sums are short: after every step they are added
/// in f32. A block goes on to another tile where there are more than multiprocessors; who brings is a slab
/// ahead and does not wait for results to be written.
///
/// Source  Ootomo and Yokota, Recovering single precision accuracy from Tensor Cores, IJHPCA 2022, for the
/// three products and for sums outside of the tensor cores. Deviation: lower parts are not scaled up.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/block_cluster.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/multichannel/fma/shared_sums.cuh"
#include "kernels/cuda/multichannel/tensor/bring_steps.cuh"
#include "kernels/cuda/pixels/store_pairs.cuh"

namespace bankside::cuda {

/// `v` by two powers of two, one after the other, since their product might be none of f32, and the smaller
/// one first.
__device__ __forceinline__ float scaled(float v, float one, float other) {
  return v * fminf(one, other) * fmaxf(one, other);
}
__device__ __forceinline__ float scaleBack(float scale) {
  return __uint_as_float(halfScaleBackBits(__float_as_uint(scale)));
}

/// The sums of 64 filters and 8 x 16 pixels, by one warpgroup. `buffer`: of the next step; `slabBuffer`: of
/// the next slab. Comes back with the scale that the pixels had in the end.
template <TensorMode mode>
__device__ __forceinline__ float multiplyTask(const SummedArguments& s, const TensorWork<mode>& work,
                                              int multiplier, int& buffer, int& slabBuffer,
                                              float (&sum)[64]) {
  constexpr auto partTaps = static_cast<std::uint32_t>(2 * TensorTile::filtersPerBlock);
  const auto partPixels = static_cast<std::uint32_t>(2 * work.plane);
  const auto nextPixels = static_cast<std::uint32_t>(work.pitch);
  const std::uint32_t tapsAt = sharedUnits(work.tapBuffers) | TensorTile::filtersPerBlock << 16;
  const std::uint32_t pixelsAt =
      (sharedUnits(work.pixelBuffers) + static_cast<std::uint32_t>(multiplier * TensorTile::productWidth)) |
      static_cast<std::uint32_t>(work.plane) << 16;
  const auto stepUnits = static_cast<std::uint32_t>(work.taps * tapUnits(mode));
  const int newRow = work.pitch - s.base.filterWidth;
#pragma unroll
  for (float& v : sum) v = 0.0f;
  float scale = 0.0f;
#pragma unroll 1
  for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
    std::uint32_t pixels = pixelsAt + static_cast<std::uint32_t>(slabBuffer * work.slabUnits());
    int column = 0;
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step) {
      std::uint32_t taps = tapsAt + static_cast<std::uint32_t>(buffer) * stepUnits;
      float part[64];
      waitAtBarrier<stepThreads>(fullBarrier(buffer, multiplier));
      if (step == 0) {
        const float now = work.scales[slabBuffer];
        if (now != scale && slab > work.firstSlab) {
#pragma unroll
          for (float& v : sum) v = scaled(v, now, scaleBack(scale));
        }
        scale = now;
      }
      const auto addTap = [&](auto any) {
        beginProducts();
        addWideProducts<any.value>(part, taps, pixels, nextPixels);
        if constexpr (partsOfPixel(mode) == 2)
          addWideProducts<true>(part, taps, pixels + partPixels, nextPixels);
        if constexpr (partsOfTap(mode) == 2) addWideProducts<true>(part, taps + partTaps, pixels, nextPixels);
        endProducts();
        taps += tapUnits(mode);
        ++pixels;
        if (++column == s.base.filterWidth) {
          column = 0;
          pixels += static_cast<std::uint32_t>(newRow);
        }
      };
      addTap(std::false_type{});
#pragma unroll 1
      for (int i = 1; i < work.taps; ++i) addTap(std::true_type{});
      waitForProducts();
      settle(part);
      passBarrier<stepThreads>(emptyBarrier(buffer, multiplier));
#pragma unroll
      for (int i = 0; i < 64; ++i) sum[i] = __fadd_rn(sum[i], part[i]);
      buffer = 1 - buffer;
    }
    slabBuffer = 1 - slabBuffer;
  }
  return scale;
}

/// Sum 4 * row + 2 * half is of filter `filter(half)` of the block, pixel `pixel` of the row and the next
/// one.
struct SumPlace {
  int pixel, firstFilter;
  __device__ __forceinline__ SumPlace(int multiplier, int thread)
      : pixel(multiplier * TensorTile::productWidth + thread % 4 * 2),
        firstFilter(thread / 32 * 16 + thread % 32 / 4) {}
  __device__ __forceinline__ int filter(int half) const { return firstFilter + 8 * half; }
};

/// Sums to results, by the warpgroup that made them.
__device__ __forceinline__ void writeTask(const KernelArguments& a, const ResultRows& dst,
                                          const TensorTask& task, const SumPlace& place,
                                          const float (&sum)[64]) {
  const int x = task.x0 + place.pixel;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int filter = task.firstFilter + place.filter(half);
    const std::ptrdiff_t at = filter * dst.planeStride + task.y0 * dst.stride + x;
    const int rows = filter < a.filterCount && x < a.width ? a.height - task.y0 : 0;
    if (dst.type == ElementType::F32 && x + 1 < a.width) {
      float* const out = static_cast<float*>(dst.pixels) + at;
#pragma unroll
      for (int row = 0; row < TensorTile::tileHeight; ++row)
        if (row < rows)
          storeTwo(out + row * dst.stride, sum[4 * row + 2 * half], sum[4 * row + 2 * half + 1]);
    } else {
#pragma unroll
      for (int row = 0; row < TensorTile::tileHeight; ++row)
        if (row < rows)
          storePair(dst, at + row * dst.stride, x, a.width, sum[4 * row + 2 * half],
                    sum[4 * row + 2 * half + 1]);
    }
  }
}

/// Registers of a thread; all have 128 at first.
inline constexpr int bringerRegisters = 96;
inline constexpr int multiplierRegisters = 152;
static_assert(TensorTile::bringers * bringerRegisters +
                  TensorTile::multipliers * TensorTile::warpgroup * multiplierRegisters <=
              65536);

/// Grid: blocks that share the tasks, or clusters, one for each task, whose blocks share the channels (z).
template <TensorMode mode>
__global__ void __launch_bounds__(TensorTile::threads(), 1)
    tensorKernel(const __grid_constant__ SummedArguments s) {
  constexpr TensorTile tile{};
  extern __shared__ __align__(128) float4 memory[];
  const KernelArguments& a = s.base;
  const BlockCluster cluster;
  const int parts = cluster.blocks();
  const TensorWork<mode> work(s, cluster.rank(), reinterpret_cast<uint4*>(memory));
  // The same for all lanes, which the compiler would not know: products want whole warps.
  const int warpgroup = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / tile.warpgroup, 0);
  const int thread = static_cast<int>(threadIdx.x) % tile.warpgroup;
  float* const sums = reinterpret_cast<float*>(memory);
  if (warpgroup >= tile.multipliers) {
    keepRegisters<bringerRegisters>();
    bringSteps<mode>(s, work, static_cast<int>(threadIdx.x) - tile.multipliers * tile.warpgroup);
    if (parts == 1) return;
    __syncthreads();
  } else {
    takeRegisters<multiplierRegisters>();
    const SumPlace place(warpgroup, thread);
    float sum[64];
    int buffer = 0;
    int slabBuffer = 0;
#pragma unroll 1
    for (int i = static_cast<int>(blockIdx.x); i < work.tasks; i += static_cast<int>(gridDim.x)) {
      const TensorTask task = work.task(a, i);
      const float scale = multiplyTask<mode>(s, work, warpgroup, buffer, slabBuffer, sum);
#pragma unroll
      for (float& v : sum) v = scaled(v, s.tapScaleBack, scaleBack(scale));
      if (parts == 1) writeTask(a, resultsOf(a.dst, s.batch, task.image), task, place, sum);
    }
    if (parts == 1) return;
    __syncthreads();  // nobody multiplies any more
#pragma unroll
    for (int row = 0; row < tile.tileHeight; ++row) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int at = row * tile.tileWidth + place.pixel;
        *reinterpret_cast<float2*>(sums + tile.sumOffset(place.filter(half), at / 4) + at % 4) =
            make_float2(sum[4 * row + 2 * half], sum[4 * row + 2 * half + 1]);
      }
    }
  }
  const TensorTask task = work.task(a, static_cast<int>(blockIdx.x));
  writeSums<tile>(a, resultsOf(a.dst, s.batch, task.image), sums, task.firstFilter, task.x0, task.y0);
}

}  // namespace bankside::cuda
