/// A tile with its halo from global to shared memory as the tensor cores want it: for every group of outputs
/// the eight pixels from its first one on, in half precision, border resolved on the way.
#pragma once

#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/stage_tile.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// The groups of a tile: `columns` a row, `shifts` pixels apart.
struct TileGroups {
  int columns = 0;
  int shifts = 2;
  int rows = 0;
  int pitch = 0;  ///< bytes from row to row
  int x0 = 0;     ///< image pixel of the first
  int y0 = 0;
  int wanted =
      0;  ///< pixels of a row that a result needs; the others meet zero taps, or results nobody keeps
};

__device__ __forceinline__ uint4 packEight(const float (&v)[8]) {
  const auto pair = [](float low, float high) {
    const __half2 halves = __floats2half2_rn(low, high);
    return reinterpret_cast<const std::uint32_t&>(halves);
  };
  return make_uint4(pair(v[0], v[1]), pair(v[2], v[3]), pair(v[4], v[5]), pair(v[6], v[7]));
}

/// What `packed` leaves of the pixels, times `weight`.
__device__ __forceinline__ uint4 packRest(const float (&v)[8], const uint4& packed, float weight) {
  const std::uint32_t words[4] = {packed.x, packed.y, packed.z, packed.w};
  float rest[8];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 high = __half22float2(reinterpret_cast<const __half2&>(words[i]));
    rest[2 * i] = (v[2 * i] - high.x) * weight;
    rest[2 * i + 1] = (v[2 * i + 1] - high.y) * weight;
  }
  return packEight(rest);
}

/// Eight neighbouring pixels, wherever they begin.
template <class T>
__device__ __forceinline__ void readEight(const T* from, float (&v)[8]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = asFloat(__ldg(from + i));
}
/// Bytes from the aligned words around them; up to three pixels beyond them are looked at.
__device__ __forceinline__ void readEight(const std::uint8_t* from, float (&v)[8]) {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const std::uint32_t middle = __ldg(words + 1);
  const auto bits = static_cast<std::uint32_t>(address & 3) * 8;
  const std::uint32_t low = __funnelshift_r(__ldg(words), middle, bits);
  const std::uint32_t high = __funnelshift_r(middle, __ldg(words + 2), bits);
  v[0] = byteAsFloat<0>(low);
  v[1] = byteAsFloat<1>(low);
  v[2] = byteAsFloat<2>(low);
  v[3] = byteAsFloat<3>(low);
  v[4] = byteAsFloat<0>(high);
  v[5] = byteAsFloat<1>(high);
  v[6] = byteAsFloat<2>(high);
  v[7] = byteAsFloat<3>(high);
}

/// Calls `put(byte offset, eight pixels)` for every group.
template <class T, class Put>
__device__ __forceinline__ void forGroups(const KernelArguments& a, const TileGroups& tile, Put&& put) {
  const T* pixels = static_cast<const T*>(a.src.pixels);
  const bool resolved = a.src.rowsResolved && a.border.kind != BorderKind::Constant;
  // A band ends with the last row that a result needs. Rows below meet zero taps or results that nobody
  // keeps.
  const int last = min(tile.rows - 1, a.y + a.height - a.anchorY + a.filterHeight - 2 - tile.y0);
  const bool inside = tile.x0 >= 0 && tile.x0 + (tile.columns - 1) * tile.shifts + 12 <= a.src.width &&
                      (resolved || (tile.y0 >= 0 && tile.y0 + last < a.src.imageHeight));
  int row = static_cast<int>(threadIdx.x) / tile.columns;
  int group = static_cast<int>(threadIdx.x) - row * tile.columns;
  const int rowsOn = TensorBlock::threads / tile.columns;
  const int groupsOn = TensorBlock::threads - rowsOn * tile.columns;
  const auto next = [&] {
    group += groupsOn;
    row += group < tile.columns ? rowsOn : rowsOn + 1;
    group -= group < tile.columns ? 0 : tile.columns;
  };
  if (inside) {
    const T* const origin = pixels + (tile.y0 - a.src.firstRow) * a.src.stride + tile.x0;
#pragma unroll 2
    for (; row < tile.rows; next()) {
      float eight[8];
      readEight(origin + min(row, last) * a.src.stride + group * tile.shifts, eight);
      put(row * tile.pitch + group * coreBytes, eight);
    }
    return;
  }
#pragma unroll 1
  for (; row < tile.rows; next()) {
    const int from = edgeRow(tile.y0 + min(row, last), a.src.imageHeight, a.border.kind, a.src.rowsResolved,
                             a.src.firstRow);
    float eight[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int column = group * tile.shifts + i;
      eight[i] = 0.0f;
      if (column >= tile.wanted) continue;
      const int x = edgeIndex(tile.x0 + column, a.src.width, a.border.kind);
      eight[i] = from < 0 || x < 0 ? a.border.value : asFloat(__ldg(pixels + from * a.src.stride + x));
    }
    put(row * tile.pitch + group * coreBytes, eight);
  }
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

/// Fills the planes of a tile, the second `plane` bytes behind the first. Gives what the sums must be
/// multiplied by, or 0 where half precision cannot hold the tile's pixels as exactly as it must (NaN,
/// infinities, pixels too far apart in size). Called by the whole block; ends with a barrier.
template <PixelParts parts>
__device__ __forceinline__ float stageGroups(const KernelArguments& a, const TileGroups& tile, char* staged,
                                             int plane) {
  if constexpr (parts == PixelParts::Whole) {
    bool bad = false;
    if (a.src.type == ElementType::U8) {
      forGroups<std::uint8_t>(a, tile, [&](int at, const float(&v)[8]) {
        *reinterpret_cast<uint4*>(staged + at) = packEight(v);
      });
    } else {
      forGroups<__half>(a, tile, [&](int at, const float(&v)[8]) {
        // NaN or infinite times zero is NaN.
        float zero = 0.0f;
#pragma unroll
        for (const float pixel : v) zero = __fmaf_rn(pixel, 0.0f, zero);
        bad = bad || zero != 0.0f;
        *reinterpret_cast<uint4*>(staged + at) = packEight(v);
      });
    }
    showToProducts();
    return __syncthreads_or(bad ? 1 : 0) != 0 ? 0.0f : 1.0f;
  } else {
    float scale = 0.5f;  // half precision ends below 65536
    const auto putSplit = [&](int at, const float(&v)[8]) {
      float scaled[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) scaled[i] = v[i] * scale;
      const uint4 packed = packEight(scaled);
      *reinterpret_cast<uint4*>(staged + at) = packed;
      *reinterpret_cast<uint4*>(staged + plane + at) = packRest(scaled, packed, 1 / lowWeight);
    };
    if (a.src.type == ElementType::U16) {
      forGroups<std::uint16_t>(a, tile, putSplit);
    } else {
      std::uint32_t least = 0x7f800000u;
      std::uint32_t most = 0;
      forGroups<float>(a, tile, [&](int, const float(&v)[8]) {
#pragma unroll
        for (const float pixel : v) {
          const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
          most = max(most, magnitude);
          least = min(least, magnitude == 0 ? least : magnitude);
        }
      });
      reduceExtremes(least, most);
      const float largest = __uint_as_float(most);
      bool bad = most != 0 && (!(largest < 0x1p100f) || !(largest > 0x1p-100f));
      scale = most == 0 || bad ? 1.0f : pixelScaleFor(largest);
      bad = bad || (most != 0 && __uint_as_float(least) * scale < smallestSplit);
      // Through a barrier, so that the compiler knows all threads to agree.
      if (__syncthreads_or(bad ? 1 : 0) != 0) return 0.0f;
      forGroups<float>(a, tile, putSplit);
    }
    showToProducts();
    __syncthreads();
    return 1 / scale;
  }
}

}  // namespace bankside::cuda
