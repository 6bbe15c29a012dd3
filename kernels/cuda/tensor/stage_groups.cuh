/// A tile with its halo from global to shared memory as the tensor cores want it: for every group of outputs
/// the eight pixels from its first one on, in half precision, border resolved on the way.
#pragma once

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/pack_halves.cuh"
#include "kernels/cuda/stage_tile.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Rows of groups to stage: `groups` a row, `1 << shiftsLog2` pixels apart.
struct TileGroups {
  int groups = 0;
  int shiftsLog2 = 1;
  int rows = 0;
  int pitch = 0;  ///< bytes from row to row
  int x0 = 0;     ///< image pixel of the first
  int y0 = 0;
  int wanted =
      0;  ///< pixels of a row that a result needs; the others meet zero taps, or results nobody keeps
  int firstSlot = 0;   ///< of the ring, for the first row
  int ring = 0;        ///< rows that the shared memory holds, one after the other and round
  bool twice = false;  ///< the ring's first row once more behind its last
};

/// Threads that stage together.
struct Crew {
  int thread, threads;
};

/// Eight neighbouring pixels as they are read, wherever they begin: smaller than four bytes from the aligned
/// words around them, and up to three pixels beyond them are looked at.
template <class T>
class Eight;

template <>
class Eight<std::uint8_t> {
 public:
  Eight() = default;
  __device__ __forceinline__ explicit Eight(const std::uint8_t* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
#pragma unroll
    for (int i = 0; i < 3; ++i) words_[i] = __ldg(words + i);
    bits_ = static_cast<std::uint32_t>(address & 3) * 8;
  }
  __device__ __forceinline__ uint4 halves() const {
    const std::uint32_t low = __funnelshift_r(words_[0], words_[1], bits_);
    const std::uint32_t high = __funnelshift_r(words_[1], words_[2], bits_);
    return make_uint4(pair(low, 0x4140), pair(low, 0x4342), pair(high, 0x4140), pair(high, 0x4342));
  }

 private:
  /// A byte below the bits of 1024 is a half of 1024 more.
  __device__ __forceinline__ static std::uint32_t pair(std::uint32_t bytes, std::uint32_t which) {
    constexpr std::uint32_t twice1024 = 0x64006400u;
    return bitsOf(__hsub2(pairOf(__byte_perm(bytes, 0x64646464u, which)), pairOf(twice1024)));
  }
  std::uint32_t words_[3];
  std::uint32_t bits_;
};

/// Of two bytes a pixel.
class EightWords {
 public:
  EightWords() = default;
  __device__ __forceinline__ explicit EightWords(const void* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
#pragma unroll
    for (int i = 0; i < 5; ++i) words_[i] = __ldg(words + i);
    bits_ = static_cast<std::uint32_t>(address & 2) * 8;
  }

 protected:
  __device__ __forceinline__ std::uint32_t pair(int i) const {
    return __funnelshift_r(words_[i], words_[i + 1], bits_);
  }

 private:
  std::uint32_t words_[5];
  std::uint32_t bits_;
};

template <>
class Eight<__half> : public EightWords {
 public:
  using EightWords::EightWords;
  __device__ __forceinline__ uint4 halves() const { return make_uint4(pair(0), pair(1), pair(2), pair(3)); }
};

template <>
class Eight<std::uint16_t> : public EightWords {
 public:
  using EightWords::EightWords;
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      v[2 * i] = wordAsFloat<0>(pair(i));
      v[2 * i + 1] = wordAsFloat<1>(pair(i));
    }
  }
};

template <>
class Eight<float> {
 public:
  Eight() = default;
  __device__ __forceinline__ explicit Eight(const float* from) {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels_[i] = __ldg(from + i);
  }
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = pixels_[i];
  }

 private:
  float pixels_[8];
};

/// Pixels one by one, where the border must be asked for.
class Resolved {
 public:
  template <class Pixel>
  __device__ __forceinline__ explicit Resolved(Pixel&& pixel) {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels_[i] = pixel(i);
  }
  __device__ __forceinline__ uint4 halves() const { return packEight(pixels_); }
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = pixels_[i];
  }

 private:
  float pixels_[8];
};

/// A thread's share of `count` places in each of `rows` rows.
class Walk {
 public:
  __device__ __forceinline__ Walk(Crew crew, int count, int rows)
      : count_(count), row_(rows), place_(0), rowsOn_(0), on_(0) {
    if (count <= 0) return;
    row_ = crew.thread / count;
    place_ = crew.thread - row_ * count;
    rowsOn_ = crew.threads / count;
    on_ = crew.threads - rowsOn_ * count;
  }
  __device__ __forceinline__ int row() const { return row_; }
  __device__ __forceinline__ int place() const { return place_; }
  __device__ __forceinline__ void next() {
    place_ += on_;
    row_ += place_ < count_ ? rowsOn_ : rowsOn_ + 1;
    place_ -= place_ < count_ ? 0 : count_;
  }

 private:
  int count_, row_, place_, rowsOn_, on_;
};

/// Calls `put(byte offset, eight pixels)` for every group; the pixels know their `halves()`, or `floats()`.
template <class T, class Put>
__device__ __forceinline__ void forGroups(const KernelArguments& a, const TileGroups& tile, Crew crew,
                                          Put&& put) {
  const T* pixels = static_cast<const T*>(a.src.pixels);
  // A band ends with the last row that a result needs. Rows below meet zero taps or results that nobody
  // keeps.
  const int last = min(tile.rows - 1, a.y + a.height - a.anchorY + a.filterHeight - 2 - tile.y0);
  const bool rowsInside = (a.src.rowsResolved && a.border.kind != BorderKind::Constant) ||
                          (tile.y0 >= 0 && tile.y0 + last < a.src.imageHeight);
  // Of the source's rows; negative where a constant border is. A strip may begin above its band.
  const auto sourceRow = [&](int row) {
    const int y = tile.y0 + min(row, last);
    return rowsInside ? max(y - a.src.firstRow, 0)
                      : edgeRow(y, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
  };
  const auto placeOf = [&](int row, int group) {
    const int slot = tile.firstSlot + row;
    return (slot < tile.ring ? slot : slot - tile.ring) * tile.pitch + group * coreBytes;
  };
  const auto putTwice = [&](int at, const auto& eight) {
    put(at, eight);
    if (tile.twice && at < tile.pitch) put(at + tile.ring * tile.pitch, eight);
  };
  // Groups [left, right) lie inside, with what reading eight pixels may look at.
  constexpr int reach = 12;
  const int left =
      min(tile.groups, tile.x0 < 0 ? ((1 << tile.shiftsLog2) - 1 - tile.x0) >> tile.shiftsLog2 : 0);
  const int space = a.src.width - reach - tile.x0;
  const int right = max(left, space < 0 ? 0 : min(tile.groups, (space >> tile.shiftsLog2) + 1));
  // Some at a time: a load takes as long as hundreds of instructions.
  constexpr int together = sizeof(T) == 1 ? 8 : sizeof(T) == 2 ? 4 : 3;
  Walk inside(crew, right - left, tile.rows);
#pragma unroll 1
  while (inside.row() < tile.rows) {
    Eight<T> read[together];
    int at[together];
#pragma unroll
    for (int i = 0; i < together; ++i, inside.next()) {
      const int from = sourceRow(inside.row());
      const int group = left + inside.place();
      read[i] = Eight<T>(pixels + max(from, 0) * a.src.stride + tile.x0 + (group << tile.shiftsLog2));
      const bool wanted = inside.row() < tile.rows && from >= 0;
      at[i] = wanted ? placeOf(inside.row(), group) : -1;
    }
#pragma unroll
    for (int i = 0; i < together; ++i)
      if (at[i] >= 0) putTwice(at[i], read[i]);
  }
  const bool constantRows = !rowsInside && a.border.kind == BorderKind::Constant;
  const int outside = left + tile.groups - right;
  Walk edges(crew, constantRows ? tile.groups : outside, tile.rows);
#pragma unroll 1
  for (; edges.row() < tile.rows; edges.next()) {
    const int group = constantRows || edges.place() < left ? edges.place() : edges.place() - left + right;
    const int from = sourceRow(edges.row());
    if (from >= 0 && group >= left && group < right) continue;
    putTwice(placeOf(edges.row(), group), Resolved([&](int i) {
               const int column = (group << tile.shiftsLog2) + i;
               if (column >= tile.wanted) return 0.0f;
               const int x = edgeIndex(tile.x0 + column, a.src.width, a.border.kind);
               return from < 0 || x < 0 ? a.border.value : asFloat(__ldg(pixels + from * a.src.stride + x));
             }));
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

/// Puts pixels times `scale` into both planes, the second `plane` bytes behind the first.
struct PutSplit {
  char* staged;
  int plane;
  float scale;
  template <class Pixels>
  __device__ __forceinline__ void operator()(int at, const Pixels& eight) const {
    float scaled[8];
    eight.floats(scaled);
#pragma unroll
    for (float& v : scaled) v *= scale;
    const uint4 packed = packEight(scaled);
    *reinterpret_cast<uint4*>(staged + at) = packed;
    *reinterpret_cast<uint4*>(staged + plane + at) = packRest(scaled, packed, 1 / lowWeight);
  }
};

/// Fills the planes with u8, u16 or f16 pixels. Gives whether some are NaN or infinite, which half precision
/// holds but zero taps do not take away.
template <PixelParts parts>
__device__ __forceinline__ bool stageGroups(const KernelArguments& a, const TileGroups& tile, Crew crew,
                                            char* staged, int plane) {
  if constexpr (parts == PixelParts::Split) {
    forGroups<std::uint16_t>(a, tile, crew, PutSplit{staged, plane, scaleOfWords});
    return false;
  } else {
    if (a.src.type == ElementType::U8) {
      forGroups<std::uint8_t>(a, tile, crew, [&](int at, const auto& eight) {
        *reinterpret_cast<uint4*>(staged + at) = eight.halves();
      });
      return false;
    }
    __half2 zero = pairOf(0);
    forGroups<__half>(a, tile, crew, [&](int at, const auto& eight) {
      const uint4 halves = eight.halves();
      // NaN or infinite times zero is NaN.
      zero = __hfma2(pairOf(halves.x), pairOf(0), zero);
      zero = __hfma2(pairOf(halves.y), pairOf(0), zero);
      zero = __hfma2(pairOf(halves.z), pairOf(0), zero);
      zero = __hfma2(pairOf(halves.w), pairOf(0), zero);
      *reinterpret_cast<uint4*>(staged + at) = halves;
    });
    const float2 sums = __half22float2(zero);
    return sums.x != 0.0f || sums.y != 0.0f;
  }
}

/// Fills the planes with f32 pixels. Gives what they were multiplied by, a power of two, or 0 where halves
/// cannot hold them as exactly as they must (NaN, infinities, pixels too far apart in size, or so large or
/// small that their scale times one of taps might leave the range of f32). Called by the whole block; holds
/// barriers.
__device__ __forceinline__ float stageScaled(const KernelArguments& a, const TileGroups& tile, Crew crew,
                                             char* staged, int plane) {
  std::uint32_t least = 0x7f800000u;
  std::uint32_t most = 0;
  forGroups<float>(a, tile, crew, [&](int, const auto& eight) {
    float v[8];
    eight.floats(v);
#pragma unroll
    for (const float pixel : v) {
      const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
      most = max(most, magnitude);
      least = min(least, magnitude == 0 ? least : magnitude);
    }
  });
  reduceExtremes(least, most);
  const float largest = __uint_as_float(most);
  bool bad = most != 0 && (!(largest < mostLargestPixel) || !(largest > leastLargestPixel));
  const float scale = most == 0 || bad ? 1.0f : pixelScaleFor(largest);
  bad = bad || (most != 0 && __uint_as_float(least) * scale < smallestSplit);
  // Through a barrier, so that the compiler knows all threads to agree.
  if (__syncthreads_or(bad ? 1 : 0) != 0) return 0.0f;
  forGroups<float>(a, tile, crew, PutSplit{staged, plane, scale});
  return scale;
}

}  // namespace bankside::cuda
