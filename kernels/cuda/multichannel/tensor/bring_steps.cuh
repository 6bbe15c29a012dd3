/// What the tensor cores multiply, to shared memory: taps as they are, pixels split or rounded.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/pixel_offset.cuh"
#include "kernels/cuda/multichannel/tensor/split_pixels.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_work.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// A pixel as it is stored, as the low bits of a word, and back.
template <class T>
__device__ __forceinline__ std::uint32_t wordOf(const T* pixel) {
  if constexpr (sizeof(T) == 4) return __ldg(reinterpret_cast<const std::uint32_t*>(pixel));
  if constexpr (sizeof(T) == 2) return __ldg(reinterpret_cast<const std::uint16_t*>(pixel));
  if constexpr (sizeof(T) == 1) return __ldg(reinterpret_cast<const std::uint8_t*>(pixel));
}
__device__ __forceinline__ float pixelOf(float, std::uint32_t word) { return __uint_as_float(word); }
__device__ __forceinline__ float pixelOf(std::uint8_t, std::uint32_t word) { return byteAsFloat<0>(word); }
__device__ __forceinline__ float pixelOf(std::uint16_t, std::uint32_t word) { return wordAsFloat<0>(word); }
__device__ __forceinline__ float pixelOf(__half, std::uint32_t word) {
  return __half2float(__ushort_as_half(static_cast<unsigned short>(word)));
}

/// The pixels of a block's tasks, slab after slab, each in as many parts as `slabParts` says: a part waits in
/// registers, asked for before there is a place for it in shared memory.
template <TensorMode mode>
class PixelSlabs {
 public:
  __device__ __forceinline__ PixelSlabs(const SummedArguments& s, const TensorWork<mode>& work, int thread)
      : s_(s),
        work_(work),
        thread_(thread),
        task_(static_cast<int>(blockIdx.x)),
        parts_(slabParts(s.base.filterHeight, s.base.filterWidth)) {
    beginTask();
    beginSlab();
  }

  __device__ __forceinline__ int parts() const { return parts_; }

  /// The part to its slab's buffer.
  __device__ __forceinline__ void store() {
    if (task_ >= work_.tasks) return;
    widen();
    if (part_ == 0) chooseScale();
    uint4* const to = work_.pixelBuffers + buffer_ * work_.slabUnits();
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = placeOf(part_, n);
      if (at >= work_.plane) continue;
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
    if (++part_ < parts_) return load();
    part_ = 0;
    buffer_ = 1 - buffer_;
    if (++slab_ == work_.endSlab) {
      task_ += static_cast<int>(gridDim.x);
      beginTask();
    }
    beginSlab();
  }

 private:
  static constexpr int rounds = mostPartPixels / TensorTile::bringers;
  static constexpr int perProduct = channelsPerProduct;

  __device__ __forceinline__ int placeOf(int part, int round) const {
    return part * mostPartPixels + round * TensorTile::bringers + thread_;
  }
  __device__ __forceinline__ int offsetOf(int round) const {
    return part_ == 0 ? offsets_[round] : offsets_[rounds + round];
  }

  __device__ __forceinline__ void load() {
    if (task_ >= work_.tasks) return;
    visitElement(s_.base.src.type, [&](auto element) { loadAs<decltype(element)>(); });
  }
  template <class T>
  __device__ __forceinline__ void loadAs() {
    const int last = s_.channels - slab_ * perProduct - 1;
    const T* const channels = reinterpret_cast<const T*>(src_) + slab_ * perProduct * s_.channelStride;
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      if (placeOf(part_, n) >= work_.plane) continue;
      const int offset = offsetOf(n);
      const T* from = channels + offset;
#pragma unroll
      for (int c = 0; c < perProduct; ++c) {
        // A channel that is not there meets zero taps: one that is, is as good.
        v_[n][c] = s_.base.border.value;
        if (offset >= 0) v_[n][c] = __uint_as_float(wordOf(from));
        if (c < last) from += s_.channelStride;
      }
    }
  }

  /// Words to numbers: not before they are there.
  __device__ __forceinline__ void widen() {
    visitElement(s_.base.src.type, [&](auto element) {
      if constexpr (sizeof(element) < sizeof(float)) {
#pragma unroll
        for (int n = 0; n < rounds; ++n) {
#pragma unroll
          for (float& v : v_[n])
            if (offsetOf(n) >= 0) v = pixelOf(element, __float_as_uint(v));
        }
      }
    });
  }

  /// Bits of magnitudes are ordered as the magnitudes are.
  __device__ __forceinline__ void look() {
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      if (placeOf(part_, n) >= work_.plane) continue;
#pragma unroll
      for (const float v : v_[n]) {
        const std::uint32_t bits = __float_as_uint(v) & 0x7fffffffu;
        if (bits < 0x7f800000u) largest_ = max(largest_, bits);
      }
    }
  }

  /// The power of two that keeps the slab's pixels, and those of the task before it, within half precision.
  __device__ __forceinline__ void chooseScale() {
    if (s_.largestBits == 0) {
      look();
      constexpr int warps = TensorTile::bringers / 32;
      std::uint32_t* const ofWarps = work_.largest + buffer_ * warps;
      largest_ = largestOfWarp(largest_);
      if (thread_ % 32 == 0) ofWarps[thread_ / 32] = largest_;
      waitAtBarrier<TensorTile::bringers>(bringersBarrier);
#pragma unroll
      for (int i = 0; i < warps; ++i) largest_ = max(largest_, ofWarps[i]);
    }
    scale_ = __uint_as_float(halfScaleBits(largest_));
    if (thread_ == 0) work_.scales[buffer_] = scale_;
  }

  __device__ __forceinline__ void beginSlab() {
    if (s_.largestBits == 0 && parts_ == 2) {
      part_ = 1;
      load();
      widen();
      if (task_ < work_.tasks) look();
      part_ = 0;
    }
    load();
  }

  __device__ __forceinline__ void beginTask() {
    slab_ = work_.firstSlab;
    largest_ = s_.largestBits;
    if (task_ >= work_.tasks) return;
    const KernelArguments& a = s_.base;
    const TensorTask task = work_.task(a, task_);
    src_ = pixelsOf(a.src.pixels, s_.batch, task.image);
#pragma unroll
    for (int i = 0; i < 2 * rounds; ++i) {
      const int at = placeOf(0, i);
      if (at < work_.plane)
        offsets_[i] = pixelOffset(a, at / work_.pitch, at % work_.pitch, work_.pitch,
                                  a.x + task.x0 - a.anchorX, a.y + task.y0 - a.anchorY, a.height - task.y0);
    }
  }

  const SummedArguments& s_;
  const TensorWork<mode>& work_;
  int thread_, task_, parts_;
  int slab_ = 0;
  int part_ = 0;
  int buffer_ = 0;
  const float* src_ = nullptr;
  float scale_ = 1.0f;
  std::uint32_t largest_ = 0;
  int offsets_[2 * rounds] = {};
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
  const bool ahead = work.steps > 1;
  int begun = 0;  // steps
#pragma unroll 1
  for (int task = static_cast<int>(blockIdx.x); task < work.tasks; task += static_cast<int>(gridDim.x)) {
    const int filterBlock = work.task(s.base, task).firstFilter / TensorTile::filtersPerBlock;
#pragma unroll 1
    for (int slab = work.firstSlab; slab < work.endSlab; ++slab) {
#pragma unroll 1
      for (int step = 0; step < work.steps; ++step, ++begun) {
        const int buffer = begun % 2;
        const auto show = [&] {
          waitForCopies();
          showToProducts();
          passBarrier<stepThreads>(fullBarrier(buffer, 0));
          passBarrier<stepThreads>(fullBarrier(buffer, 1));
        };
        if (begun > 1) {
          waitAtBarrier<stepThreads>(emptyBarrier(buffer, 0));
          waitAtBarrier<stepThreads>(emptyBarrier(buffer, 1));
        }
        bringTaps(filterBlock, slab, step, buffer);
        // A slab's pixels come with the steps of the slab before but its first, after which their buffer is
        // free, or with the only step there is. The first slab's come at once.
        int parts = step <= pixels.parts() ? 1 : 0;
        if (step == 0) parts = begun == 0 || !ahead ? pixels.parts() : 0;
        if (parts == 0) show();
#pragma unroll 1
        for (int part = 1; part <= parts; ++part) {
          pixels.store();
          if (part == parts) show();
          pixels.next();
        }
      }
    }
  }
}

}  // namespace bankside::cuda
