/// Results beside NaN and infinities, for which a faster kernel has taken 0: written again, and no others.
#pragma once

#include "kernels/cuda/device/warp_vote.cuh"
#include "kernels/cuda/pixels/direct_pixel.cuh"
#include "kernels/cuda/pixels/mark_fallback.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"

namespace bankside::cuda {

/// How a bank's taps lie in `KernelArguments::taps` (see tapOffset).
struct TapLayout {
  int rowStride;
  int filtersPerPass;
};

/// A bit for each of a row's pixels or results.
class RowBits {
 public:
  __device__ __forceinline__ RowBits(std::uint32_t* first, int words, int stride)
      : first_(first), words_(words), stride_(stride) {}
  __device__ __forceinline__ std::uint32_t& word(int row, int w) const { return first_[row * stride_ + w]; }
  /// The 32 bits from `column` on; 0 behind the row.
  __device__ __forceinline__ std::uint32_t from(int row, int column) const {
    const int w = column >> 5;
    const int shift = column & 31;
    const std::uint32_t low = w < words_ ? word(row, w) : 0;
    const std::uint32_t high = w + 1 < words_ ? word(row, w + 1) : 0;
    return low >> shift | high << 1 << (31 - shift);
  }

 private:
  std::uint32_t* first_;
  int words_, stride_;
};

/// Mends the block's results, width x height. `shared`: a word for every row of windows, and five for 32 of
/// its pixels. Called by the whole block. Out of line: it shall cost the sums no register.
__device__ __noinline__ inline void mendResults(const KernelArguments& arguments, int width, int height,
                                                TapLayout taps, std::uint32_t* shared) {
  // A copy is not read again after every store.
  const KernelArguments a = arguments;
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * width;
  const int firstY = place.tileY * height;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  width = min(width, a.width - firstX);
  height = min(height, a.height - firstY);
  const int rows = height + a.filterHeight - 1;
  const int columns = width + a.filterWidth - 1;
  const int words = ceilDiv(columns, 32);
  const int wordsOut = ceilDiv(width, 32);
  const int stride = 3 * words + 3 * wordsOut;
  int* const sources = reinterpret_cast<int*>(shared);
  std::uint32_t* const bits = shared + rows;
  // Pixels that are NaN, infinite, infinite and negative; results that see the first two in this row.
  const RowBits isNan(bits, words, stride), isInfinite(bits + words, words, stride);
  const RowBits isNegative(bits + 2 * words, words, stride);
  const RowBits seesNan(bits + 3 * words, wordsOut, stride);
  const RowBits seesInfinite(bits + 3 * words + wordsOut, wordsOut, stride);
  const RowBits allNan(bits, wordsOut, stride),
      allInfinite(bits + 3 * words + 2 * wordsOut, wordsOut, stride);

#pragma unroll 1
  for (int row = static_cast<int>(threadIdx.x); row < rows; row += static_cast<int>(blockDim.x))
    sources[row] = rowAt(a, firstY + row);
  __syncthreads();
  const bool halves = a.src.type == ElementType::F16;
#pragma unroll 1
  for (int w = 0; w < words; ++w) {
    const int column = 32 * w + lane;
    const int x =
        column < columns ? borderIndex(a.x + firstX + column - a.anchorX, a.src.width, a.border.kind) : -1;
    const float beside = column < columns ? a.border.value : 0.0f;
#pragma unroll 4
    for (int row = warp; row < rows; row += warps) {
      const std::ptrdiff_t at = sources[row] * a.src.stride + x;
      float pixel = beside;
      if (x >= 0 && sources[row] >= 0)
        pixel = halves ? asFloat(__ldg(static_cast<const __half*>(a.src.pixels) + at))
                       : __ldg(static_cast<const float*>(a.src.pixels) + at);
      const std::uint32_t nans = votesOfWarp(pixel != pixel);
      const std::uint32_t infinities = votesOfWarp(fabsf(pixel) > 3.402823466e38f);
      const std::uint32_t negative = votesOfWarp(pixel < -3.402823466e38f);
      if (lane == 0) {
        isNan.word(row, w) = nans;
        isInfinite.word(row, w) = infinities;
        isNegative.word(row, w) = negative;
      }
    }
  }
  __syncthreads();
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < rows * wordsOut; i += static_cast<int>(blockDim.x)) {
    const int row = i / wordsOut;
    const int w = i % wordsOut;
    std::uint32_t nans = 0;
    std::uint32_t infinities = 0;
#pragma unroll 1
    for (int kx = 0; kx < a.filterWidth; ++kx) {
      nans |= isNan.from(row, 32 * w + kx);
      infinities |= isInfinite.from(row, 32 * w + kx);
    }
    seesNan.word(row, w) = nans;
    seesInfinite.word(row, w) = infinities;
  }
  __syncthreads();

  // Of results over all rows of their windows. NaN of pixels are not needed any more.
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < height * wordsOut; i += static_cast<int>(blockDim.x)) {
    const int row = i / wordsOut;
    const int w = i % wordsOut;
    std::uint32_t nans = 0;
    std::uint32_t infinities = 0;
#pragma unroll 1
    for (int ky = 0; ky < a.filterHeight; ++ky) {
      nans |= seesNan.word(row + ky, w);
      infinities |= seesInfinite.word(row + ky, w);
    }
    allNan.word(row, w) = nans;
    allInfinite.word(row, w) = infinities;
  }
  __syncthreads();

#pragma unroll 1
  for (int i = warp; i < height * wordsOut; i += warps) {
    const int row = i / wordsOut;
    const int w = i % wordsOut;
    const int column = 32 * w + lane;
    const bool nan = (allNan.word(row, w) >> lane & 1) != 0;
    const bool infinite = (allInfinite.word(row, w) >> lane & 1) != 0;
    if (column >= width || !(nan || infinite)) continue;
    // Beside infinities finite pixels do not count: rows of taps [begin, end) meet some.
    int begin = a.filterHeight;
    int end = 0;
#pragma unroll 1
    for (int ky = 0; !nan && ky < a.filterHeight; ++ky) {
      if ((seesInfinite.word(row + ky, w) >> lane & 1) == 0) continue;
      begin = min(begin, ky);
      end = ky + 1;
    }
    writePixel(a, firstX + column, firstY + row, place.firstFilter, place.endFilter, [&](int filter) {
      if (nan) return __uint_as_float(0x7fffffffu);
      float sum = 0.0f;
      const float* const tap =
          a.taps + tapOffset(filter, 0, a.filterHeight * taps.rowStride, taps.filtersPerPass);
#pragma unroll 1
      for (int ky = begin; ky < end; ++ky) {
#pragma unroll 1
        for (int first = 0; first < a.filterWidth; first += 32) {
          std::uint32_t seen = isInfinite.from(row + ky, column + first);
          if (a.filterWidth - first < 32) seen &= (1u << (a.filterWidth - first)) - 1;
          const std::uint32_t negative = isNegative.from(row + ky, column + first);
          for (; seen != 0; seen &= seen - 1) {
            const int kx = lowestBit(seen);
            sum = __fmaf_rn(__ldg(tap + (ky * taps.rowStride + first + kx) * taps.filtersPerPass),
                            __uint_as_float(0x7f800000u | (negative >> kx & 1) << 31), sum);
          }
        }
      }
      return sum;
    });
  }
}

}  // namespace bankside::cuda
