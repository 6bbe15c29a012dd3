/// A tile with its halo from global to shared memory as the tensor cores want it: for every pixel a word that
/// holds it and its right neighbour in half precision, border resolved on the way.
#pragma once

#include "kernels/cuda/stage_tile.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Four neighbouring pixels and the next one, from whole vectors: `from` lies on a boundary of four pixels.
__device__ __forceinline__ void readFive(const std::uint8_t* from, float (&v)[5]) {
  const std::uint32_t word = __ldg(reinterpret_cast<const std::uint32_t*>(from));
  v[0] = byteAsFloat<0>(word);
  v[1] = byteAsFloat<1>(word);
  v[2] = byteAsFloat<2>(word);
  v[3] = byteAsFloat<3>(word);
  v[4] = asFloat(__ldg(from + 4));
}
__device__ __forceinline__ void readFive(const std::uint16_t* from, float (&v)[5]) {
  const uint2 words = __ldg(reinterpret_cast<const uint2*>(from));
  v[0] = wordAsFloat<0>(words.x);
  v[1] = wordAsFloat<1>(words.x);
  v[2] = wordAsFloat<0>(words.y);
  v[3] = wordAsFloat<1>(words.y);
  v[4] = asFloat(__ldg(from + 4));
}
__device__ __forceinline__ void readFive(const __half* from, float (&v)[5]) {
  const uint2 words = __ldg(reinterpret_cast<const uint2*>(from));
  const float2 first = __half22float2(reinterpret_cast<const __half2&>(words.x));
  const float2 second = __half22float2(reinterpret_cast<const __half2&>(words.y));
  v[0] = first.x;
  v[1] = first.y;
  v[2] = second.x;
  v[3] = second.y;
  v[4] = asFloat(__ldg(from + 4));
}
__device__ __forceinline__ void readFive(const float* from, float (&v)[5]) {
  const float4 four = __ldg(reinterpret_cast<const float4*>(from));
  v[0] = four.x;
  v[1] = four.y;
  v[2] = four.z;
  v[3] = four.w;
  v[4] = __ldg(from + 4);
}

/// Calls `put(row, column, five)` for every fourth of `columns` columns (a multiple of four) and each of
/// `rows` rows from image pixel (x0, y0) on; x0 is a multiple of four.
template <class T, class Put>
__device__ __forceinline__ void forTileQuads(const KernelArguments& a, int columns, int rows, int x0, int y0,
                                             Put&& put) {
  const T* pixels = static_cast<const T*>(a.src.pixels);
  const int quads = columns / 4;
  const bool resolved = a.src.rowsResolved && a.border.kind != BorderKind::Constant;
  // A band ends with the last row that a result needs. Rows below meet zero taps or results that nobody
  // keeps.
  const int last = a.y + a.height - a.anchorY + a.filterHeight - 2 - y0;
  const bool inside = x0 >= 0 && x0 + columns < a.src.width &&
                      (resolved || (y0 >= 0 && y0 + min(rows - 1, last) < a.src.imageHeight));
  if (inside) {
    const T* const origin = pixels + (y0 - a.src.firstRow) * a.src.stride + x0;
    int row = static_cast<int>(threadIdx.x) / quads;
    int quad = static_cast<int>(threadIdx.x) - row * quads;
    const int rowsOn = TensorBlock::threads / quads;
    const int quadsOn = TensorBlock::threads - rowsOn * quads;
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < quads * rows; i += TensorBlock::threads) {
      float five[5];
      readFive(origin + min(row, last) * a.src.stride + 4 * quad, five);
      put(row, 4 * quad, five);
      quad += quadsOn;
      row += quad < quads ? rowsOn : rowsOn + 1;
      quad -= quad < quads ? 0 : quads;
    }
    return;
  }
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < quads * rows; i += TensorBlock::threads) {
    const int row = i / quads;
    const int column = 4 * (i - row * quads);
    const int from =
        edgeRow(y0 + min(row, last), a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
    float five[5];
#pragma unroll
    for (int j = 0; j < 5; ++j) {
      const int x = edgeIndex(x0 + column + j, a.src.width, a.border.kind);
      five[j] = from < 0 || x < 0 ? a.border.value : asFloat(__ldg(pixels + from * a.src.stride + x));
    }
    put(row, column, five);
  }
}

__device__ __forceinline__ std::uint32_t asPair(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}
__device__ __forceinline__ float firstOf(std::uint32_t pair) {
  return __low2float(reinterpret_cast<const __half2&>(pair));
}

/// The words of four pixels.
__device__ __forceinline__ uint4 pairsOf(const float (&v)[5]) {
  return make_uint4(asPair(v[0], v[1]), asPair(v[1], v[2]), asPair(v[2], v[3]), asPair(v[3], v[4]));
}
/// What `pairs` leaves of the pixels, times `weight`.
__device__ __forceinline__ uint4 restOf(const float (&v)[5], const uint4& pairs, float weight) {
  const float last = __high2float(reinterpret_cast<const __half2&>(pairs.w));
  const float rest[5] = {(v[0] - firstOf(pairs.x)) * weight, (v[1] - firstOf(pairs.y)) * weight,
                         (v[2] - firstOf(pairs.z)) * weight, (v[3] - firstOf(pairs.w)) * weight,
                         (v[4] - last) * weight};
  return pairsOf(rest);
}

/// The power of two that brings `largest` to [2^14, 2^15).
__device__ __forceinline__ float pixelScaleFor(float largest) {
  const int exponent = static_cast<int>(__float_as_uint(largest) >> 23 & 255u);
  return __uint_as_float(static_cast<std::uint32_t>(127 + 14 + 127 - exponent) << 23);
}

/// The smallest magnitude over zero and the largest of the block's `most` and `least`, as bits: they compare
/// as integers do. Holds barriers.
__device__ __forceinline__ void reduceExtremes(std::uint32_t& least, std::uint32_t& most) {
  __shared__ std::uint32_t extremes[2];
  if (threadIdx.x == 0) {
    extremes[0] = least;
    extremes[1] = most;
  }
  __syncthreads();
  least = __reduce_min_sync(~0u, least);
  most = __reduce_max_sync(~0u, most);
  if (threadIdx.x % 32 == 0) {
    atomicMin(&extremes[0], least);
    atomicMax(&extremes[1], most);
  }
  __syncthreads();
  least = extremes[0];
  most = extremes[1];
}

/// Fills `rows` rows of `stride` words, of two planes where a pixel has two parts; the first pixel is image
/// pixel (x0, y0), x0 a multiple of four. Gives what the sums must be multiplied by, or 0 where half
/// precision cannot hold the tile's pixels as exactly as it must (NaN, infinities, pixels too far apart in
/// size). Called by the whole block; ends with a barrier.
template <PixelParts parts, int stride>
__device__ __forceinline__ float stagePairs(const KernelArguments& a, std::uint32_t* staged, int columns,
                                            int rows, int x0, int y0) {
  const auto place = [&](int row, int column) {
    return reinterpret_cast<uint4*>(staged + row * stride + column);
  };
  if constexpr (parts == PixelParts::Whole) {
    bool bad = false;
    if (a.src.type == ElementType::U8) {
      forTileQuads<std::uint8_t>(a, columns, rows, x0, y0,
                                 [&](int y, int x, const float(&v)[5]) { *place(y, x) = pairsOf(v); });
    } else {
      forTileQuads<__half>(a, columns, rows, x0, y0, [&](int y, int x, const float(&v)[5]) {
        // NaN or infinite times zero is NaN.
        const float zero =
            __fmaf_rn(v[0], 0.0f, v[1] * 0.0f) + __fmaf_rn(v[2], 0.0f, v[3] * 0.0f) + v[4] * 0.0f;
        bad = bad || zero != 0.0f;
        *place(y, x) = pairsOf(v);
      });
    }
    return __syncthreads_or(bad ? 1 : 0) != 0 ? 0.0f : 1.0f;
  } else {
    float scale = 0.5f;  // half precision ends below 65536
    const auto putSplit = [&](int y, int x, const float(&v)[5]) {
      const float scaled[5] = {v[0] * scale, v[1] * scale, v[2] * scale, v[3] * scale, v[4] * scale};
      const uint4 pairs = pairsOf(scaled);
      *place(y, x) = pairs;
      *place(rows + y, x) = restOf(scaled, pairs, 1 / lowWeight);
    };
    if (a.src.type == ElementType::U16) {
      forTileQuads<std::uint16_t>(a, columns, rows, x0, y0, putSplit);
      __syncthreads();
      return 1 / scale;
    }
    std::uint32_t least = 0x7f800000u;
    std::uint32_t most = 0;
    forTileQuads<float>(a, columns, rows, x0, y0, [&](int, int, const float(&v)[5]) {
#pragma unroll
      for (const float pixel : v) {
        const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
        most = max(most, magnitude);
        least = min(least, magnitude == 0 ? least : magnitude);
      }
    });
    reduceExtremes(least, most);
    scale = 1.0f;
    if (most != 0) {
      const float largest = __uint_as_float(most);
      if (!(largest < 0x1p100f) || !(largest > 0x1p-100f)) return 0.0f;
      scale = pixelScaleFor(largest);
      if (__uint_as_float(least) * scale < smallestSplit) return 0.0f;
    }
    forTileQuads<float>(a, columns, rows, x0, y0, putSplit);
    __syncthreads();
    return 1 / scale;
  }
}

}  // namespace bankside::cuda
