/// What the tensor cores multiply, to shared memory: taps as they are, pixels split or rounded.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/pixel_offset.cuh"
#include "kernels/cuda/multichannel/tensor/split_pixels.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_work.cuh"

namespace bankside::cuda {

/// The pixels of a block's tasks, slab after slab, each in as many parts as `slabParts` says, the very first
/// in as few as there can be: a part waits in registers, asked for before there is a place for it in shared
/// memory.
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
    uint4* const to = work_.pixelBuffers + buffer_ * work_.slabUnits();
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = pixelOf(n);
      if (at >= end()) continue;
#pragma unroll
      for (int unit = 0; unit < 2; ++unit) {
        uint4 upper, lower;
        splitUnit(v_[n] + unit * channelsPerUnit, scale_, upper, lower);
        to[unit * work_.plane + at] = upper;
        if constexpr (partsOfPixel(mode) == 2) to[(2 + unit) * work_.plane + at] = lower;
      }
    }
  }

  /// The next part is asked for.
  __device__ __forceinline__ void next() {
    if (++part_ == parts_) {
      part_ = 0;
      parts_ = slabParts(work_.steps);
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
  static constexpr int perProduct = channelsPerProduct;

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
    scale_ = pixelScale(s_, task.image);
    waitAtBarrier<TensorTile::bringers>(bringersBarrier);
#pragma unroll 1
    for (int i = thread_; i < work_.plane; i += TensorTile::bringers)
      work_.offsets[i] =
          pixelOffset(a, i / work_.pitch, i % work_.pitch, work_.pitch, a.x + task.x0 - a.anchorX,
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
__device__ __forceinline__ void bringSteps(const SummedArguments& s, const TensorWork<mode>& work,
                                           int thread) {
  const int units = work.taps * tapUnits(mode);
  const int slabs = ceilDiv(s.channels, channelsPerProduct);
  const auto bringTaps = [&](int filterBlock, int slab, int step, int buffer) {
    const std::ptrdiff_t which =
        (static_cast<std::ptrdiff_t>(filterBlock) * slabs + slab) * work.steps + step;
    const uint4* const from = reinterpret_cast<const uint4*>(s.base.taps) + which * units;
    uint4* const to = work.tapBuffers + buffer * units;
#pragma unroll 4
    for (int i = thread; i < units; i += TensorTile::bringers)
      copyUnitAsync(reinterpret_cast<float*>(to + i), reinterpret_cast<const float*>(from + i));
  };

  PixelSlabs<mode> pixels(s, work, thread);
  // A slab's pixels come with the steps of the slab before but its first, after which their buffer is free,
  // or with the only step there is. The first slab's come at once.
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

}  // namespace bankside::cuda
