/// Eight pixels to shared memory as halves: scaled, split or rounded, and what halves cannot hold left out.
#pragma once

#include "kernels/cuda/tensor/eight_pixels.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Pixels times `scale` in both planes, the second `plane` bytes behind the first.
__device__ __forceinline__ void putSplit(char* to, int plane, const float (&scaled)[8]) {
  const uint4 packed = packEight(scaled);
  *reinterpret_cast<uint4*>(to) = packed;
  *reinterpret_cast<uint4*>(to + plane) = packRest(scaled, packed, 1 / lowWeight);
}

/// What f32 pixels are multiplied by, a power of two that brings the largest below 2^15.
struct BandScale {
  float scale;  ///< 0 where none is a number, or the scale times one of taps might leave f32
  bool fits;    ///< whether all pixels are numbers that halves hold, scaled so
};

/// What puts pixels, and what it multiplies them by.
template <class Put>
struct ScaledPut : Put {
  float scale;
};
template <class Put>
ScaledPut(Put, float) -> ScaledPut<Put>;

/// As withPut, for pixels of a type that one half does not hold.
template <class S, class Use>
__device__ __forceinline__ void withWidePut(const TensorArguments& t, BandScale band, char* staged,
                                            Use&& use) {
  const int plane = t.walk.plane;
  const auto putScaled = [&](int at, const float(&scaled)[8]) {
    if constexpr (S::parts == PixelParts::Split)
      putSplit(staged + at, plane, scaled);
    else
      *reinterpret_cast<uint4*>(staged + at) = packEight(scaled);
  };
  if (t.base.src.type == ElementType::U16) {
    use(std::uint16_t{}, [&](int at, const auto& eight) {
      float v[8];
      eight.floats(v);
#pragma unroll
      for (float& pixel : v) pixel *= scaleOfWords;
      putScaled(at, v);
      return false;
    });
    return;
  }
  const auto put = [&](int at, const auto& eight) {
    float v[8];
    eight.floats(v);
#pragma unroll
    for (float& pixel : v) pixel *= band.scale;
    bool left = false;
    if (!band.fits) {
#pragma unroll
      for (float& pixel : v) {
        // NaN and infinities, which must not reach results beside them; what has too few bits beside the
        // largest.
        const bool finite = fabsf(pixel) < splitLimit;
        left = left || !finite || (pixel != 0.0f && fabsf(pixel) < smallestSplit);
        if (!finite) pixel = 0.0f;
      }
    }
    putScaled(at, v);
    return left;
  };
  use(float{}, ScaledPut{put, band.scale});
}

/// Halves, with 0 for those that are no finite numbers.
__device__ __forceinline__ uint4 finiteOnes(uint4 halves) {
  const auto finite = [](std::uint32_t two) {
    constexpr std::uint32_t infinite = 0x7c00u;
    if ((two & infinite) == infinite) two &= 0xffff0000u;
    if ((two >> 16 & infinite) == infinite) two &= 0x0000ffffu;
    return two;
  };
  return make_uint4(finite(halves.x), finite(halves.y), finite(halves.z), finite(halves.w));
}

/// The same for pixels that are halves as they are.
template <class Use>
__device__ __forceinline__ void withHalfPut(const TensorArguments& t, char* staged, Use&& use) {
  if (t.base.src.type == ElementType::U8) {
    use(std::uint8_t{}, [&](int at, const auto& eight) {
      *reinterpret_cast<uint4*>(staged + at) = eight.halves();
      return false;
    });
    return;
  }
  use(__half{}, [&](int at, const auto& eight) {
    uint4 halves = eight.halves();
    // NaN or infinite times zero is NaN.
    __half2 zero = __hfma2(pairOf(halves.x), pairOf(0), pairOf(0));
    zero = __hfma2(pairOf(halves.y), pairOf(0), zero);
    zero = __hfma2(pairOf(halves.z), pairOf(0), zero);
    zero = __hfma2(pairOf(halves.w), pairOf(0), zero);
    const float2 sums = __half22float2(zero);
    const bool left = sums.x != 0.0f || sums.y != 0.0f;
    if (left) halves = finiteOnes(halves);
    *reinterpret_cast<uint4*>(staged + at) = halves;
    return left;
  });
}

/// Calls `use(a pixel, put)` with the image's class of pixels, and what puts eight of them in shared memory
/// (see RowStager) and tells whether they are more than halves can take: such are marked, and 0 if they are
/// no numbers. `band` of f32 pixels.
template <class S, class Use>
__device__ __forceinline__ void withPut(const TensorArguments& t, BandScale band, char* shared, Use&& use) {
  char* const staged = shared + t.walk.pixels;
  if constexpr (S::parts == PixelParts::Whole)
    withHalfPut(t, staged, use);
  else
    withWidePut<S>(t, band, staged, use);
}

}  // namespace bankside::cuda
