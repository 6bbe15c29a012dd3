/// Pixels in and out: any element type to f32 and back, as core/element_type.h does it.
#pragma once

#include <cuda_fp16.h>

#include "kernels/cuda/kernel_arguments.h"
#include "kernels/cuda/tile_math.h"

namespace bankside::cuda {

__device__ __forceinline__ float asFloat(float value) { return value; }
__device__ __forceinline__ float asFloat(std::uint8_t value) { return static_cast<float>(value); }
__device__ __forceinline__ float asFloat(std::uint16_t value) { return static_cast<float>(value); }
__device__ __forceinline__ float asFloat(__half value) { return __half2float(value); }

/// Rounds to nearest, ties to even, saturates; NaN becomes 0.
__device__ __forceinline__ std::uint32_t toByte(float value) {
  return static_cast<std::uint32_t>(min(max(__float2int_rn(isnan(value) ? 0.0f : value), 0), 255));
}
__device__ __forceinline__ std::uint32_t toWord(float value) {
  return static_cast<std::uint32_t>(min(max(__float2int_rn(isnan(value) ? 0.0f : value), 0), 65535));
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
        const std::uint32_t packed =
            toByte(v[i]) | toByte(v[i + 1]) << 8 | toByte(v[i + 2]) << 16 | toByte(v[i + 3]) << 24;
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
        std::uint32_t word[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) word[j] = whole ? toWord(v[i + j]) : toHalfBits(v[i + j]);
        if (count >= pixels) {
          __stcs(reinterpret_cast<uint2*>(out + i),
                 make_uint2(word[0] | word[1] << 16, word[2] | word[3] << 16));
        } else {
#pragma unroll
          for (int j = 0; j < 4; ++j)
            if (i + j < count) out[i + j] = static_cast<std::uint16_t>(word[j]);
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
