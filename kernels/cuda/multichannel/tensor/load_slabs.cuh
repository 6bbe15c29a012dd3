/// The pixels that the tensor cores multiply, to shared memory, split or rounded; and sums from there to
/// results.
#pragma once

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/pixel_offset.cuh"
#include "kernels/cuda/multichannel/tensor/split_pixels.cuh"
#include "kernels/cuda/multichannel/tensor/write_tile.cuh"
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
template <TensorMode mode, TensorTile tile>
class PixelSlabs {
 public:
  __device__ __forceinline__ PixelSlabs(const SummedArguments& s, const TensorWork<mode, tile>& work,
                                        int thread)
      : s_(s),
        work_(work),
        thread_(thread),
        parts_(slabParts(tile, s.base.filterHeight, s.base.filterWidth)),
        turns_(parts_ + (s.largestBits == 0 && parts_ == 2 ? 1 : 0)),
        task_(static_cast<int>(blockIdx.x) - static_cast<int>(gridDim.x)),
        slab_(work.endSlab - 1),
        turn_(turns_ - 1) {}

  __device__ __forceinline__ int parts() const { return parts_; }

  /// The part to its slab's buffer.
  __device__ __forceinline__ void store() {
    if (task_ >= work_.tasks) return;
    widen();
    if (part_ == 0) chooseScale();
    uint4* const to = work_.pixelBuffers + buffer_ * work_.slabUnits();
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = placeOf(n);
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

  /// The next part is asked for; first of all the first one. Where a slab has two parts, the second is looked
  /// at before, for the scale of both.
  __device__ __forceinline__ void next() {
#pragma unroll 1
    for (bool looks = true; looks;) {
      if (++turn_ == turns_) {
        turn_ = 0;
        buffer_ = 1 - buffer_;
        if (++slab_ == work_.endSlab) beginTask();
      }
      looks = turn_ + parts_ < turns_;
      part_ = looks ? 1 : turn_ + parts_ - turns_;
      if (task_ >= work_.tasks) return;
      if (turns_ > 1 || slab_ == work_.firstSlab) findPlaces();
      visitElement(s_.base.src.type, [&](auto element) { load<decltype(element)>(); });
      if (looks) {
        widen();
        look();
      }
    }
  }

 private:
  static constexpr int rounds = mostPartPixels / TensorTile::producers;
  static constexpr int perProduct = channelsPerProduct;

  __device__ __forceinline__ int placeOf(int round) const {
    return part_ * mostPartPixels + round * TensorTile::producers + thread_;
  }

  template <class T>
  __device__ __forceinline__ void load() {
    const int last = s_.channels - 1 - slab_ * perProduct;
    const T* channel = reinterpret_cast<const T*>(src_) + slab_ * perProduct * s_.channelStride;
#pragma unroll
    for (int c = 0; c < perProduct; ++c) {
#pragma unroll
      for (int n = 0; n < rounds; ++n) {
        v_[n][c] = s_.base.border.value;
        if (offsets_[n] >= 0)
          v_[n][c] = __uint_as_float(wordOf(channel + static_cast<unsigned>(offsets_[n])));
      }
      // A channel that is not there meets zero taps: one that is, is as good.
      if (c < last) channel += s_.channelStride;
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
            if (offsets_[n] >= 0) v = pixelOf(element, __float_as_uint(v));
        }
      }
    });
  }

  /// Bits of magnitudes are ordered as the magnitudes are.
  __device__ __forceinline__ void look() {
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      if (placeOf(n) >= work_.plane) continue;
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
      constexpr int warps = TensorTile::producers / 32;
      std::uint32_t* const ofWarps = work_.largest + buffer_ * warps;
      largest_ = largestOfWarp(largest_);
      if (thread_ % 32 == 0) ofWarps[thread_ / 32] = largest_;
      waitAtBarrier<TensorTile::producers>(producersBarrier);
#pragma unroll
      for (int i = 0; i < warps; ++i) largest_ = max(largest_, ofWarps[i]);
    }
    scale_ = __uint_as_float(halfScaleBits(largest_));
    if (thread_ == 0) work_.scales[buffer_] = scale_;
  }

  __device__ __forceinline__ void beginTask() {
    task_ += static_cast<int>(gridDim.x);
    slab_ = work_.firstSlab;
    largest_ = s_.largestBits;
    at_ = work_.task(s_.base, task_);
    src_ = pixelsOf(s_.base.src.pixels, s_.batch, at_.image);
  }

  /// Where the part's pixels come from; negative: the border's value.
  __device__ __forceinline__ void findPlaces() {
    const KernelArguments& a = s_.base;
#pragma unroll
    for (int n = 0; n < rounds; ++n) {
      const int at = placeOf(n);
      const int row = at * work_.rows >> 16;
      offsets_[n] = -2;
      if (at < work_.plane)
        offsets_[n] = pixelOffset(a, row, at - row * work_.pitch, work_.pitch, a.x + at_.x0 - a.anchorX,
                                  a.y + at_.y0 - a.anchorY, a.height - at_.y0);
    }
  }

  const SummedArguments& s_;
  const TensorWork<mode, tile>& work_;
  int thread_;
  int parts_, turns_;  ///< of a slab; a look is a turn as well
  int task_, slab_, turn_;
  int part_ = 0;
  int buffer_ = 1;
  TensorTask at_{};
  const float* src_ = nullptr;
  float scale_ = 1.0f;
  std::uint32_t largest_ = 0;
  int offsets_[rounds] = {};
  float v_[rounds][perProduct] = {};
};

/// Pixels to shared memory, and sums from there to the results of all tasks but the last. The first part has
/// been asked for.
template <TensorMode mode, TensorTile tile>
__device__ __forceinline__ void loadSlabs(const SummedArguments& s, const TensorWork<mode, tile>& work,
                                          PixelSlabs<mode, tile>& pixels, int thread) {
  TensorBarriers& barriers = *work.barriers;
  // While sums are written, those who multiply have two slabs to go on with.
  const int writing = min(1, work.endSlab - work.firstSlab - 1);
  int begun = 0;  // slabs
  int done = -1;  // tasks
#pragma unroll 1
  for (int i = static_cast<int>(blockIdx.x); i < work.tasks; i += static_cast<int>(gridDim.x), ++done) {
#pragma unroll 1
    for (int slab = work.firstSlab; slab < work.endSlab; ++slab, ++begun) {
      const int buffer = begun % 2;
      if (begun > 1) waitForPhase(barriers.pixelsDone[buffer], begun / 2 - 1);
#pragma unroll 1
      for (int part = 1; part <= pixels.parts(); ++part) {
        pixels.store();
        if (part == pixels.parts()) {
          showToProducts();
          arriveAsWarp(barriers.pixels[buffer]);
        }
        pixels.next();
      }
      if (slab - work.firstSlab == writing && done >= 0) {
        waitForPhase(barriers.sums, done);
        writeTile<tile>(s, work.sums, work.task(s.base, i - static_cast<int>(gridDim.x)), 0, 1, thread,
                        TensorTile::producers);
        arriveAsWarp(barriers.sumsDone);
      }
    }
  }
}

}  // namespace bankside::cuda
