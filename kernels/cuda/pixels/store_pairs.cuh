/// Results written two neighbouring ones at a time, as the lanes of the tensor cores hold them.
#pragma once

#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// Two neighbouring results at an even place, rounded as the element type has it.
__device__ __forceinline__ void storeTwo(float* at, float first, float second) {
  __stcs(reinterpret_cast<float2*>(at), make_float2(first, second));
}
__device__ __forceinline__ void storeTwo(std::uint8_t* at, float first, float second) {
  __stcs(reinterpret_cast<unsigned short*>(at),
         static_cast<unsigned short>(packBytes(first, second, 0.0f, 0.0f)));
}
__device__ __forceinline__ void storeTwo(std::uint16_t* at, float first, float second) {
  __stcs(reinterpret_cast<std::uint32_t*>(at), packWords(first, second));
}
__device__ __forceinline__ void storeTwo(__half* at, float first, float second) {
  __stcs(reinterpret_cast<std::uint32_t*>(at), toHalfBits(first) | toHalfBits(second) << 16);
}

__device__ __forceinline__ void storeTwo(const ResultRows& dst, std::ptrdiff_t offset, float first,
                                         float second) {
  visitElement(dst.type, [&](auto element) {
    storeTwo(static_cast<decltype(element)*>(dst.pixels) + offset, first, second);
  });
}

/// Results (x, .) and (x + 1, .), `offset` elements from the first result, those inside the region's width.
__device__ __forceinline__ void storePair(const ResultRows& dst, std::ptrdiff_t offset, int x, int width,
                                          float first, float second) {
  if ((x & 1) == 0 && x >= 0 && x + 1 < width) {
    storeTwo(dst, offset, first, second);
    return;
  }
  const float one[4] = {first, 0.0f, 0.0f, 0.0f};
  const float other[4] = {second, 0.0f, 0.0f, 0.0f};
  if (x >= 0 && x < width) storeRun(dst.pixels, dst.type, offset, 1, one);
  if (x + 1 >= 0 && x + 1 < width) storeRun(dst.pixels, dst.type, offset + 1, 1, other);
}

}  // namespace bankside::cuda
