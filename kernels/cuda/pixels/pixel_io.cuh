/// Pixels in and out: any element type to f32 and back, as core/element_type.h does it.
#pragma once

#include <cuda_fp16.h>

#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

__device__ __forceinline__ float asFloat(float value) { return value; }
__device__ __forceinline__ float asFloat(std::uint8_t value) { return static_cast<float>(value); }
__device__ __forceinline__ float asFloat(std::uint16_t value) { return static_cast<float>(value); }
__device__ __forceinline__ float asFloat(__half value) { return __half2float(value); }

/// Integers below 2^23 as the low bits of a float: byte permutes and additions at the full rate instead of
/// conversions at a quarter of it.
inline constexpr std::uint32_t magicBits = 0x4b000000u;  // 2^23
inline constexpr float magic = 8388608.0f;
/// Byte `i` of `word` as a float.
template <int i>
__device__ __forceinline__ float byteAsFloat(std::uint32_t word) {
  return __uint_as_float(__byte_perm(word, magicBits, 0x7540u | static_cast<unsigned>(i))) - magic;
}
/// Half `i` of `word` as a float.
template <int i>
__device__ __forceinline__ float wordAsFloat(std::uint32_t word) {
  return __uint_as_float(__byte_perm(word, magicBits, i == 0 ? 0x7410u : 0x7432u)) - magic;
}

/// Rounds to nearest, ties to even, saturates at `largest`; NaN becomes 0 (the maximum of NaN and 0). The
/// integer is in the low bits of what comes back.
__device__ __forceinline__ std::uint32_t roundedBits(float value, float largest) {
  return __float_as_uint(__fadd_rn(fminf(fmaxf(value, 0.0f), largest), magic + magic / 2));
}
/// Four bytes in one word, two words in one.
__device__ __forceinline__ std::uint32_t packBytes(float a, float b, float c, float d) {
  const std::uint32_t low = __byte_perm(roundedBits(a, 255.0f), roundedBits(b, 255.0f), 0x0040u);
  const std::uint32_t high = __byte_perm(roundedBits(c, 255.0f), roundedBits(d, 255.0f), 0x0040u);
  return __byte_perm(low, high, 0x5410u);
}
__device__ __forceinline__ std::uint32_t packWords(float a, float b) {
  return __byte_perm(roundedBits(a, 65535.0f), roundedBits(b, 65535.0f), 0x5410u);
}
__device__ __forceinline__ std::uint32_t toHalfBits(float value) {
  return __half_as_ushort(__float2half_rn(value));
}

/// Calls `function` with a value of the element type's device class.
template <class Function>
__device__ __forceinline__ void visitElement(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::U8: function(std::uint8_t{}); break;
    case ElementType::U16: function(std::uint16_t{}); break;
    case ElementType::F16: function(__half{}); break;
    case ElementType::F32: function(float{}); break;
  }
}

/// Marked as read no more: results would push the source out of the L2.
template <int pixels>
__device__ __forceinline__ void storeFull(float* out, const float (&v)[pixels]) {
#pragma unroll
  for (int i = 0; i < pixels; i += 4)
    __stcs(reinterpret_cast<float4*>(out + i), make_float4(v[i], v[i + 1], v[i + 2], v[i + 3]));
}

/// Writes `pixels` neighbouring results at `dst` + `offset`, the last ones cut at `count`. Full runs are one
/// or two vector stores.
template <int pixels>
__device__ __forceinline__ void storeRun(void* dst, ElementType type, std::ptrdiff_t offset, int count,
                                         const float (&v)[pixels]) {
  static_assert(pixels % 4 == 0);
  switch (type) {
    case ElementType::F32: {
      float* out = static_cast<float*>(dst) + offset;
      if (count >= pixels) {
        storeFull(out, v);
      } else {
#pragma unroll
        for (int i = 0; i < pixels; ++i)
          if (i < count) out[i] = v[i];
      }
      break;
    }
    case ElementType::U8: {
      std::uint8_t* out = static_cast<std::uint8_t*>(dst) + offset;
#pragma unroll
      for (int i = 0; i < pixels; i += 4) {
        const std::uint32_t packed = packBytes(v[i], v[i + 1], v[i + 2], v[i + 3]);
        if (count >= pixels) {
          __stcs(reinterpret_cast<std::uint32_t*>(out + i), packed);
        } else {
#pragma unroll
          for (int j = 0; j < 4; ++j)
            if (i + j < count) out[i + j] = static_cast<std::uint8_t>(packed >> (8 * j));
        }
      }
      break;
    }
    case ElementType::U16:
    case ElementType::F16: {
      std::uint16_t* out = static_cast<std::uint16_t*>(dst) + offset;
      const bool whole = type == ElementType::U16;
#pragma unroll
      for (int i = 0; i < pixels; i += 4) {
        const uint2 packed = whole ? make_uint2(packWords(v[i], v[i + 1]), packWords(v[i + 2], v[i + 3]))
                                   : make_uint2(toHalfBits(v[i]) | toHalfBits(v[i + 1]) << 16,
                                                toHalfBits(v[i + 2]) | toHalfBits(v[i + 3]) << 16);
        if (count >= pixels) {
          __stcs(reinterpret_cast<uint2*>(out + i), packed);
        } else {
#pragma unroll
          for (int j = 0; j < 4; ++j)
            if (i + j < count)
              out[i + j] = static_cast<std::uint16_t>((j < 2 ? packed.x : packed.y) >> (16 * (j % 2)));
        }
      }
      break;
    }
  }
}

template <int pixels>
__device__ __forceinline__ void storeIndices(std::uint16_t* dst, std::ptrdiff_t offset, int count,
                                             const std::uint32_t (&v)[pixels]) {
#pragma unroll
  for (int i = 0; i < pixels; ++i)
    if (i < count) dst[offset + i] = static_cast<std::uint16_t>(v[i]);
}

}  // namespace bankside::cuda
