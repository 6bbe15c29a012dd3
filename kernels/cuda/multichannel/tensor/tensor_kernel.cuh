/// Filters over several channels on the tensor cores, in one of three modes (TensorMode).
///
/// For each tap a product of matrices: 64 filters x 16 channels with those channels x 8 x 16 pixels, all
/// in shared memory. The pixels of the next tap are the same ones, one column further on. Two warpgroups
/// load taps, and pixels which they split (Fp16x3: of the four products of upper and lower parts
/// three are added, lower x lower would not count) or round; two others multiply what the step before
/// loaded. The tensor cores cut what they add, so that their sums are short: after every step they are added
/// in f32. A block goes on to another tile where there are more than multiprocessors; producers are a slab
/// ahead and do not wait for results to be written.
///
/// Source  Ootomo and Yokota, Recovering single precision accuracy from Tensor Cores, IJHPCA 2022, for the
/// three products and for sums outside of the tensor cores. Deviation: lower parts are not scaled up.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/block_cluster.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/multichannel/tensor/load_slabs.cuh"
#include "kernels/cuda/multichannel/tensor/load_taps.cuh"

namespace bankside::cuda {

/// Sums times two powers of two: at once, or one after the other where their product is none of f32, the
/// smaller one first.
__device__ __forceinline__ void scaleSums(float (&sum)[64], float one, float other) {
  float rest = one * other;
  if (!(rest >= 0x1p-126f && rest <= 0x1p127f)) {
    rest = fmaxf(one, other);
#pragma unroll
    for (float& v : sum) v *= fminf(one, other);
  }
#pragma unroll
  for (float& v : sum) v *= rest;
}
__device__ __forceinline__ float scaleBack(float scale) {
  return __uint_as_float(halfScaleBackBits(__float_as_uint(scale)));
}

/// The sums of 64 filters and 8 x 16 pixels, by one warpgroup. `begun`: slabs before. Comes back with the
/// scale that the pixels had in the end.
template <TensorMode mode, TensorTile tile>
__device__ __forceinline__ float multiplyTask(const SummedArguments& s, const TensorWork<mode, tile>& work,
                                              TapSteps<mode, tile>& tapSteps, int consumer, int& begun,
                                              float (&sum)[64]) {
  constexpr auto partTaps = static_cast<std::uint32_t>(2 * TensorTile::filtersPerBlock);
  const auto partPixels = static_cast<std::uint32_t>(2 * work.plane);
  const auto nextPixels = static_cast<std::uint32_t>(work.pitch);
  const std::uint32_t pixelsAt =
      (sharedUnits(work.pixelBuffers) + static_cast<std::uint32_t>(consumer * TensorTile::productWidth)) |
      static_cast<std::uint32_t>(work.plane) << 16;
  const int newRow = work.pitch - s.base.filterWidth;
#pragma unroll
  for (float& v : sum) v = 0.0f;
  float scale = 0.0f;
#pragma unroll 1
  for (int slab = work.firstSlab; slab < work.endSlab; ++slab, ++begun) {
    const int buffer = begun % 2;
    std::uint32_t pixels = pixelsAt + static_cast<std::uint32_t>(buffer * work.slabUnits());
    int column = 0;
    waitForPhase(work.barriers->pixels[buffer], begun / 2);
    const float now = work.scales[buffer];
    if (now != scale && slab > work.firstSlab) scaleSums(sum, now, scaleBack(scale));
    scale = now;
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step) {
      float part[64];
      tapSteps.wait();
      std::uint32_t taps = tapSteps.units() | TensorTile::filtersPerBlock << 16;
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
      tapSteps.refill();
      waitForProducts();
      settle(part);
      tapSteps.next();
      if (step + 1 == work.steps) arriveAsWarp(work.barriers->pixelsDone[buffer]);
#pragma unroll
      for (int i = 0; i < 64; ++i) sum[i] = __fadd_rn(sum[i], part[i]);
    }
  }
  return scale;
}

/// Sum 4 * row + 2 * half is of filter `filter(half)` of the block, pixel `pixel` of the row and the next
/// one.
struct SumPlace {
  int pixel, firstFilter;
  __device__ __forceinline__ SumPlace(int consumer, int thread)
      : pixel(consumer * TensorTile::productWidth + thread % 4 * 2),
        firstFilter(thread / 32 * 16 + thread % 32 / 4) {}
  __device__ __forceinline__ int filter(int half) const { return firstFilter + 8 * half; }
};

/// Sums to shared memory, by the warpgroup that made them: each block of the cluster gets those of its
/// filters.
template <TensorTile tile>
__device__ __forceinline__ void leaveSums(float* sums, const BlockCluster& cluster, int parts,
                                          const SumPlace& place, const float (&sum)[64]) {
  const int filters = TensorTile::filtersPerBlock / parts;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int filter = place.filter(half);
    const int owner = filter * parts / TensorTile::filtersPerBlock;
    float* to = parts > 1 ? cluster.of(owner, sums) : sums;
    to += tile.sumOffset(cluster.rank() * filters + filter - owner * filters, 0) + place.pixel;
#pragma unroll
    for (int row = 0; row < tile.tileHeight; ++row)
      *reinterpret_cast<float2*>(to + row * tile.tileWidth) =
          make_float2(sum[4 * row + 2 * half], sum[4 * row + 2 * half + 1]);
  }
}

/// Registers of a thread where two warpgroups multiply; all have 128 at first.
inline constexpr int producerRegisters = 96;
inline constexpr int consumerRegisters = 152;
static_assert(TensorTile::producers * producerRegisters +
                  wideTile.consumers() * TensorTile::warpgroup * consumerRegisters <=
              65536);

/// Grid: blocks that share the tasks, or have one each, or clusters, one for each task, whose blocks share
/// the channels (z).
template <TensorMode mode, int tileWidth>
__global__ void __launch_bounds__(TensorTile{tileWidth}.threads(), 1)
    tensorKernel(const __grid_constant__ SummedArguments s) {
  constexpr TensorTile tile{tileWidth};
  extern __shared__ __align__(128) float4 memory[];
  const BlockCluster cluster;
  const int parts = cluster.blocks();
  const TensorWork<mode, tile> work(s, cluster.rank(), reinterpret_cast<uint4*>(memory));
  const auto syncBlock = [&] { meetAtBarrier<tile.threads()>(everybodysBarrier); };
  const auto begin = [&] {
    syncBlock();
    if (parts > 1) cluster.meet();
  };
  const auto sync = [&] {
    if (parts > 1) {
      cluster.sync();
    } else {
      syncBlock();
    }
  };
  // The same for all lanes, which the compiler would not know: products want whole warps.
  const int warpgroup = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / tile.warpgroup, 0);
  const int thread = static_cast<int>(threadIdx.x) % tile.warpgroup;
  const int first = static_cast<int>(blockIdx.x);
  const int each = static_cast<int>(gridDim.x);
  const int tasks = each == work.tasks ? 1 : ceilDiv(work.tasks - first, each);
  // All blocks of a cluster have begun, and barriers are there, behind `begin`; behind the first `sync`
  // nobody multiplies any more where sums lie over what is multiplied.
  if (warpgroup >= tile.consumers()) {
    if constexpr (tile == wideTile) keepRegisters<producerRegisters>();
    const int producer = static_cast<int>(threadIdx.x) - tile.consumers() * tile.warpgroup;
    PixelSlabs<mode, tile> pixels(s, work, producer);
    pixels.next();
    begin();
    loadSlabs<mode, tile>(s, work, pixels, producer);
    if (s.sumsShared) sync();
  } else {
    TapSteps<mode, tile> taps(s, work);
    if (threadIdx.x == 0) {
      work.barriers->begin(tile.consumers());
      taps.begin();
      work.notes->last = work.task(s.base, first + (tasks - 1) * each);
    }
    __syncwarp();
    if constexpr (tile == wideTile) takeRegisters<consumerRegisters>();
    begin();
    const SumPlace place(warpgroup, thread);
    float sum[64];
    int begun = 0;
#pragma unroll 1
    for (int i = 0; i < tasks; ++i) {
      const float scale = multiplyTask<mode, tile>(s, work, taps, warpgroup, begun, sum);
      scaleSums(sum, s.tapScaleBack, scaleBack(scale));
      if (i > 0) waitForPhase(work.barriers->sumsDone, i - 1);
      if (s.sumsShared) sync();
      leaveSums<tile>(work.sums, cluster, parts, place, sum);
      if (i + 1 < tasks) arriveAsWarp(work.barriers->sums);
    }
  }
  sync();
  writeTile<tile>(s, work.sums, work.notes->last, cluster.rank(), parts, static_cast<int>(threadIdx.x),
                  tile.threads());
}

}  // namespace bankside::cuda
