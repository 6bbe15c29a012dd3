/// Filters over several channels on the tensor cores, in one of three modes (TensorMode).
///
/// For each tap a product of matrices: 64 filters x 8 (16) channels with those channels x 8 x 16 pixels, all in
/// shared memory. The pixels of the next tap are the same ones, one column further on. Two warpgroups bring
/// taps, and pixels which they split (Tf32x3, Fp16x3: of the four products of upper and lower parts three are
/// added, lower x lower would not count) or round; two others multiply what the step before brought. The
/// tensor cores cut what they add, so that their sums are short: after every step they are added in f32.
/// A block goes on to another tile where there are more than multiprocessors; who brings is a slab ahead
/// and does not wait for results to be written.
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
#include "kernels/cuda/store_pairs.cuh"

namespace bankside::cuda {

/// One tile of results.
struct TensorTask {
  int x0, y0;
  int firstFilter, image;
};

/// Where a block's shared memory is, and how its work is cut: a *slab* is the channels of one instruction, a
/// *step* some of its taps.
template <TensorMode mode>
struct TensorWork {
  int pitch, plane;        ///< units from row to row of pixels, and of one unit of all pixels
  int taps, steps;         ///< of a step; of a slab
  int firstSlab, endSlab;  ///< of this block
  int tasks;
  uint4 *tapBuffers, *pixelBuffers;
  int* offsets;

  __device__ __forceinline__ TensorWork(const SummedArguments& s, int part, uint4* memory)
      : pitch(TensorTile::stagedColumns(s.base.filterWidth)),
        plane(TensorTile::stagedPixels(s.base.filterHeight, s.base.filterWidth)),
        taps(s.tapsPerStep),
        steps(s.base.filterHeight * s.base.filterWidth / s.tapsPerStep),
        firstSlab(part * s.channelsPerSplit / channelsPerProduct(mode)),
        endSlab(ceilDiv(min((part + 1) * s.channelsPerSplit, s.channels), channelsPerProduct(mode))),
        tasks(tensorTasks(s.base.width, s.base.height, s.base.filterCount) * s.batch.images),
        tapBuffers(memory),
        pixelBuffers(memory + 2 * taps * tapUnits(mode)),
        offsets(reinterpret_cast<int*>(pixelBuffers + 2 * slabUnits())) {}

  __device__ __forceinline__ int slabUnits() const { return partsOfNumber(mode) * 2 * plane; }

  /// Tiles beside each other, then below, then of other filters, then of other images.
  __device__ __forceinline__ TensorTask task(const KernelArguments& a, int i) const {
    const int across = ceilDiv(a.width, TensorTile::tileWidth);
    const int down = ceilDiv(a.height, TensorTile::tileHeight);
    const int deep = ceilDiv(a.filterCount, TensorTile::filtersPerBlock);
    const int row = i / across;
    const int block = row / down;
    return {(i - row * across) * TensorTile::tileWidth, (row - block * down) * TensorTile::tileHeight,
            block % deep * TensorTile::filtersPerBlock, block / deep};
  }
};

/// Barriers between those who bring and a warpgroup that multiplies: a step's buffers are full, or empty.
inline constexpr int stepThreads = TensorTile::bringers + TensorTile::warpgroup;
__device__ __forceinline__ int fullBarrier(int buffer, int multiplier) { return 1 + 2 * buffer + multiplier; }
__device__ __forceinline__ int emptyBarrier(int buffer, int multiplier) { return 5 + 2 * buffer + multiplier; }
inline constexpr int bringersBarrier = 9;

/// The power of two that keeps an image's pixels within half precision. Called by whole warps.
template <TensorMode mode>
__device__ __forceinline__ float pixelScale(const SummedArguments& s, int image) {
  if (!inHalves(mode)) return 1.0f;
  std::uint32_t bits = s.largestBits;
  if (s.largestPixel != nullptr) {
    bits = 0;
#pragma unroll
    for (int i = 0; i < mostLargestPieces; i += 32) {
      const int at = i + static_cast<int>(threadIdx.x) % 32;
      if (at < s.largestPieces) bits = max(bits, __ldg(s.largestPixel + image * s.largestPieces + at));
    }
    bits = __reduce_max_sync(0xffffffffu, bits);
  }
  return __uint_as_float(halfScaleBits(bits));
}

/// The pixels of a block's tasks, slab after slab, each in as many parts as `pixelParts` says, the very first in
/// as few as there can be: a part waits in registers, asked for before there is a place for it in shared memory.
template <TensorMode mode>
class PixelSlabs {
 public:
  __device__ __forceinline__ PixelSlabs(const SummedArguments& s, const TensorWork<mode>& work, int thread)
      : s_(s),
        work_(work),
        thread_(thread),
        task_(static_cast<int>(blockIdx.x)),
        parts_(firstParts()),
        partPixels_(ceilDiv(work.plane, parts_)) {
    beginTask();
    load();
  }

  /// Of the first slab.
  __device__ __forceinline__ int firstParts() const { return ceilDiv(work_.plane, mostPartPixels); }

  /// The part to its slab's buffer.
  __device__ __forceinline__ void store() const {
    if (task_ >= work_.tasks) return;
    constexpr int perUnit = channelsPerUnit(mode);
    uint4* const to = work_.pixelBuffers + buffer_ * work_.slabUnits();
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = pixelOf(n);
      if (at >= end()) continue;
#pragma unroll
      for (int unit = 0; unit < 2; ++unit) {
        uint4 upper, lower;
        splitUnit<mode>(v_[n] + unit * perUnit, scale_, upper, lower);
        to[unit * work_.plane + at] = upper;
        if constexpr (partsOfNumber(mode) == 2) to[(2 + unit) * work_.plane + at] = lower;
      }
    }
  }

  /// The next part is asked for.
  __device__ __forceinline__ void next() {
    if (++part_ == parts_) {
      part_ = 0;
      parts_ = pixelParts(work_.steps);
      partPixels_ = ceilDiv(work_.plane, parts_);
      buffer_ = 1 - buffer_;
      if (++slab_ == work_.endSlab) {
        task_ += static_cast<int>(gridDim.x);
        beginTask();
      }
    }
    load();
  }

 private:
  static constexpr int rounds = mostPartPixels / TensorTile::bringers;
  static constexpr int perProduct = channelsPerProduct(mode);

  __device__ __forceinline__ int pixelOf(int round) const {
    return part_ * partPixels_ + round * TensorTile::bringers + thread_;
  }
  __device__ __forceinline__ int end() const { return min((part_ + 1) * partPixels_, work_.plane); }

  __device__ __forceinline__ void load() {
    if (task_ >= work_.tasks) return;
    const int last = s_.channels - slab_ * perProduct - 1;
    const float* const channels = src_ + slab_ * perProduct * s_.channelStride;
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = pixelOf(n);
      if (at >= end()) continue;
      const int offset = work_.offsets[at];
      const float* from = channels + offset;
#pragma unroll
      for (int c = 0; c < perProduct; ++c) {
        // A channel that is not there meets zero taps: one that is, is as good.
        v_[n][c] = s_.base.border.value;
        if (offset >= 0) v_[n][c] = __ldg(from);
        if (c < last) from += s_.channelStride;
      }
    }
  }

  __device__ __forceinline__ void beginTask() {
    slab_ = work_.firstSlab;
    if (task_ >= work_.tasks) return;
    const KernelArguments& a = s_.base;
    const TensorTask task = work_.task(a, task_);
    src_ = pixelsOf(a.src.pixels, s_.batch, task.image);
    scale_ = pixelScale<mode>(s_, task.image);
    waitAtBarrier<TensorTile::bringers>(bringersBarrier);
#pragma unroll 1
    for (int i = thread_; i < work_.plane; i += TensorTile::bringers)
      work_.offsets[i] = pixelOffset(a, i / work_.pitch, i % work_.pitch, work_.pitch, a.x + task.x0 - a.anchorX,
                                     a.y + task.y0 - a.anchorY, a.height - task.y0);
    waitAtBarrier<TensorTile::bringers>(bringersBarrier);
  }

  const SummedArguments& s_;
  const TensorWork<mode>& work_;
  int thread_, task_;
  int parts_, partPixels_;
  int slab_ = 0;
  int part_ = 0;
  int buffer_ = 0;
  const float* src_ = nullptr;
  float scale_ = 1.0f;
  float v_[rounds][perProduct];
};

/// Taps and pixels to shared memory.
template <TensorMode mode>
__device__ __forceinline__ void bringSteps(const SummedArguments& s, const TensorWork<mode>& work, int thread) {
  const int units = work.taps * tapUnits(mode);
  const int slabs = ceilDiv(s.channels, channelsPerProduct(mode));
  const auto bringTaps = [&](int filterBlock, int slab, int step, int buffer) {
    const std::ptrdiff_t which = (static_cast<std::ptrdiff_t>(filterBlock) * slabs + slab) * work.steps + step;
    const uint4* const from = reinterpret_cast<const uint4*>(s.base.taps) + which * units;
    uint4* const to = work.tapBuffers + buffer * units;
#pragma unroll 4
    for (int i = thread; i < units; i += TensorTile::bringers)
      copyUnitAsync(reinterpret_cast<float*>(to + i), reinterpret_cast<const float*>(from + i));
  };

  PixelSlabs<mode> pixels(s, work, thread);
  // A slab's pixels come with the steps of the slab before but its first, after which their buffer is free, or
  // with the only step there is. The first slab's come at once.
  const bool ahead = work.steps > 1;
#pragma unroll 1
  for (int part = 0; ahead && part < pixels.firstParts(); ++part) {
    pixels.store();
    pixels.next();
  }
  int buffer = 0;
  bool waits = false;
#pragma unroll 1
  for (int task = static_cast<int>(blockIdx.x); task < work.tasks; task += static_cast<int>(gridDim.x)) {
    const int filterBlock = work.task(s.base, task).firstFilter / TensorTile::filtersPerBlock;
#pragma unroll 1
    for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
#pragma unroll 1
      for (int step = 0; step < work.steps; ++step) {
        if (waits) {
          waitAtBarrier<stepThreads>(emptyBarrier(buffer, 0));
          waitAtBarrier<stepThreads>(emptyBarrier(buffer, 1));
        }
        bringTaps(filterBlock, slab, step, buffer);
        const bool withPixels = step > 0 || !ahead;
        if (withPixels) pixels.store();
        waitForCopies();
        showToProducts();
        passBarrier<stepThreads>(fullBarrier(buffer, 0));
        passBarrier<stepThreads>(fullBarrier(buffer, 1));
        if (withPixels) pixels.next();
        waits = waits || buffer == 1;
        buffer = 1 - buffer;
      }
    }
  }
}

/// The sums of 64 filters and 8 x 16 pixels, by one warpgroup. `buffer`: of the next step; `slabBuffer`: of the
/// next slab.
template <TensorMode mode>
__device__ __forceinline__ void multiplyTask(const SummedArguments& s, const TensorWork<mode>& work,
                                             int multiplier, int& buffer, int& slabBuffer, float (&sum)[64]) {
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
#pragma unroll
  for (float& v : sum) v = 0.0f;
#pragma unroll 1
  for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
    std::uint32_t pixels = pixelsAt + static_cast<std::uint32_t>(slabBuffer * work.slabUnits());
    int column = 0;
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step) {
      std::uint32_t taps = tapsAt + static_cast<std::uint32_t>(buffer) * stepUnits;
      float part[64];
      waitAtBarrier<stepThreads>(fullBarrier(buffer, multiplier));
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
      passBarrier<stepThreads>(emptyBarrier(buffer, multiplier));
#pragma unroll
      for (int i = 0; i < 64; ++i) sum[i] = __fadd_rn(sum[i], part[i]);
      buffer = 1 - buffer;
    }
    slabBuffer = 1 - slabBuffer;
  }
}

/// Sum 4 * row + 2 * half is of filter `filter(half)` of the block, pixel `pixel` of the row and the next one.
struct SumPlace {
  int pixel, firstFilter;
  __device__ __forceinline__ SumPlace(int multiplier, int thread)
      : pixel(multiplier * TensorTile::productWidth + thread % 4 * 2),
        firstFilter(thread / 32 * 16 + thread % 32 / 4) {}
  __device__ __forceinline__ int filter(int half) const { return firstFilter + 8 * half; }
};

/// Sums to results, by the warpgroup that made them.
__device__ __forceinline__ void writeTask(const KernelArguments& a, const ResultRows& dst, const TensorTask& task,
                                          const SumPlace& place, const float (&sum)[64]) {
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
        if (row < rows) storeTwo(out + row * dst.stride, sum[4 * row + 2 * half], sum[4 * row + 2 * half + 1]);
    } else {
#pragma unroll
      for (int row = 0; row < TensorTile::tileHeight; ++row)
        if (row < rows)
          storePair(dst, at + row * dst.stride, x, a.width, sum[4 * row + 2 * half], sum[4 * row + 2 * half + 1]);
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
  const auto cluster = cooperative_groups::this_cluster();
  const int parts = static_cast<int>(cluster.num_blocks());
  const TensorWork<mode> work(s, static_cast<int>(cluster.block_rank()), reinterpret_cast<uint4*>(memory));
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
      const float scale = pixelScale<mode>(s, task.image);
      multiplyTask<mode>(s, work, warpgroup, buffer, slabBuffer, sum);
      if constexpr (inHalves(mode)) {
        // One after the other: their product might be too small for f32.
        const float pixelBack = __uint_as_float(halfScaleBackBits(__float_as_uint(scale)));
#pragma unroll
        for (float& v : sum) v = v * s.tapScaleBack * pixelBack;
      }
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
