/// The register form: a thread keeps the window of several output rows in registers and every filter uses it.
///
/// For small square filters, where the limit is memory: pixels come from global memory in bursts of
/// independent loads (neighbouring threads' and warps' share of a row is a hit in L1), nothing waits for a
/// barrier, and the filters go round outermost so that one plane at a time is written, several rows together.
/// A thread marches down `steps` times `rows` rows; the rows of the next step are on their way while this one
/// is computed. Source  Chen et al., DAC 2017, Algorithm 1: the K-row window in registers and the prefetched
/// rows.
///         Deviations: the horizontal sharing goes through the L1, which is the same memory as shared memory
///         on this chip; several rows a step, so that filters can go round outermost.
#pragma once

#include "kernels/cuda/constant_taps.cuh"
#include "kernels/cuda/result_sink.cuh"

namespace bankside::cuda {

/// One thread block: `warps` warps below each other, each 32 x 4 pixels wide and rows x steps tall.
template <int filterSize_, int rows_, int steps_, int warps_>
struct Rows {
  static constexpr int filterSize = filterSize_;
  static constexpr int rows = rows_;
  static constexpr int steps = steps_;
  static constexpr int warps = warps_;
  static constexpr int tileWidth = 128;
};

/// Four neighbouring pixels as they lie in memory, from a 4-pixel boundary.
template <class T>
struct Four;
template <>
struct Four<float> {
  float4 v;
  __device__ __forceinline__ void load(const float* p) { v = __ldg(reinterpret_cast<const float4*>(p)); }
  __device__ __forceinline__ float at(int i) const {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
  }
};
template <>
struct Four<std::uint8_t> {
  std::uint32_t v;
  __device__ __forceinline__ void load(const std::uint8_t* p) {
    v = __ldg(reinterpret_cast<const std::uint32_t*>(p));
  }
  __device__ __forceinline__ float at(int i) const { return static_cast<float>(v >> (8 * i) & 255u); }
};
template <>
struct Four<std::uint16_t> {
  uint2 v;
  __device__ __forceinline__ void load(const std::uint16_t* p) {
    v = __ldg(reinterpret_cast<const uint2*>(p));
  }
  __device__ __forceinline__ float at(int i) const {
    return static_cast<float>((i < 2 ? v.x : v.y) >> (16 * (i % 2)) & 65535u);
  }
};
template <>
struct Four<__half> {
  uint2 v;
  __device__ __forceinline__ void load(const __half* p) { v = __ldg(reinterpret_cast<const uint2*>(p)); }
  __device__ __forceinline__ float at(int i) const {
    const auto bits = static_cast<unsigned short>((i < 2 ? v.x : v.y) >> (16 * (i % 2)));
    return __half2float(__ushort_as_half(bits));
  }
};

/// Pixels [x - reach, x + 4 + reach) of a row on their way: converted only when they are used, so that
/// nothing waits for them before.
template <class T, int reach>
struct RowOnTheWay {
  __device__ __forceinline__ void load(const T* p) {
    middle_.load(p);
    if constexpr (reach == 1) {
      one_[0] = __ldg(p - 1);
      one_[1] = __ldg(p + 4);
    } else if constexpr (reach > 1) {
      left_.load(p - 4);
      right_.load(p + 4);
    }
  }
  __device__ __forceinline__ void arrive(float (&window)[4 + 2 * reach]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) window[reach + i] = middle_.at(i);
    if constexpr (reach == 1) {
      window[0] = asFloat(one_[0]);
      window[5] = asFloat(one_[1]);
    } else if constexpr (reach > 1) {
#pragma unroll
      for (int i = 0; i < reach; ++i) {
        window[i] = left_.at(4 - reach + i);
        window[reach + 4 + i] = right_.at(i);
      }
    }
  }

 private:
  Four<T> middle_, left_, right_;
  T one_[2];  // reach 1 needs no more on either side
};

/// Edge blocks are few: kept out of line, so that the others' code stays short.
__device__ __noinline__ inline int edgeColumn(int x, int width, BorderKind kind) {
  return borderIndex(x, width, kind);
}
__device__ __noinline__ inline int edgeRow(int y, int height, BorderKind kind, bool resolved, int firstRow) {
  return bufferRow(y, height, kind, resolved, firstRow);
}

/// The same pixels of image rows [y, y + rows), border resolved, without haste.
template <class T, int rows, int reach, int all>
__device__ __forceinline__ void loadEdge(const KernelArguments& a, int x, int y,
                                         float (&window)[all][4 + 2 * reach]) {
  const T* pixels = static_cast<const T*>(a.src.pixels);
  int column[4 + 2 * reach];
#pragma unroll
  for (int i = 0; i < 4 + 2 * reach; ++i) column[i] = edgeColumn(x - reach + i, a.src.width, a.border.kind);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    const int row = edgeRow(y + i, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
    const T* from = pixels + row * a.src.stride;
#pragma unroll
    for (int j = 0; j < 4 + 2 * reach; ++j) {
      window[all - rows + i][j] =
          row < 0 || column[j] < 0 ? a.border.value : asFloat(__ldg(from + column[j]));
    }
  }
}

template <class Shape, class T, int minBlocks, Fused fused>
__global__ void __launch_bounds__(32 * Shape::warps, minBlocks)
    registerRowsKernel(const __grid_constant__ KernelArguments a) {
  constexpr int k = Shape::filterSize;
  constexpr int reach = k / 2;
  constexpr int rows = Shape::rows;
  constexpr int held = rows + k - 1;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int x = static_cast<int>(blockIdx.x) * Shape::tileWidth + lane * 4;
  int y = (static_cast<int>(blockIdx.y) * Shape::warps + static_cast<int>(threadIdx.x) / 32) * rows *
          Shape::steps;
  if (x >= a.width || y >= a.height) return;

  const int sourceX = a.x + x;
  const int warpX = sourceX - lane * 4;
  int sourceY = a.y + y - reach;  // of the window's top row
  const int bottom = y + rows * Shape::steps;
  // Rows that the border rule put into the buffer are as good as rows of the image.
  const bool resolved = a.src.rowsResolved && a.border.kind != BorderKind::Constant;
  const bool inside = bottom <= a.height &&
                      (resolved || (sourceY >= 0 && a.y + bottom + reach <= a.src.imageHeight)) &&
                      (a.x & 3) == 0 && warpX >= 4 && warpX + 132 <= a.src.width;
  const T* from = static_cast<const T*>(a.src.pixels) + (sourceY - a.src.firstRow) * a.src.stride + sourceX;
  float window[held][4 + 2 * reach];
  if (inside) {
    RowOnTheWay<T, reach> row[held];
#pragma unroll
    for (int i = 0; i < held; ++i, from += a.src.stride) row[i].load(from);
#pragma unroll
    for (int i = 0; i < held; ++i) row[i].arrive(window[i]);
  } else {
    loadEdge<T, held, reach>(a, sourceX, sourceY, window);
  }

  const int begin = static_cast<int>(blockIdx.z) * a.filtersPerBlock;
  const int end = min(begin + a.filtersPerBlock, a.filterCount);
#pragma unroll 1
  for (int step = 0; step < Shape::steps; ++step) {
    const bool more = step + 1 < Shape::steps && y + rows < a.height;
    RowOnTheWay<T, reach> next[rows];
    if (Shape::steps > 1 && more && inside) {
#pragma unroll
      for (int i = 0; i < rows; ++i, from += a.src.stride) next[i].load(from);
    }
    ResultSink<rows, 4, fused> sink;
#pragma unroll 1
    for (int filter = begin; filter < end; ++filter) {
      const int taps = filter * passStride(k * k, 1);
      float sum[rows][4] = {};
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int ky = 0; ky < k; ++ky)
#pragma unroll
          for (int kx = 0; kx < k; ++kx)
#pragma unroll
            for (int p = 0; p < 4; ++p)
              sum[r][p] = __fmaf_rn(constantTaps[taps + ky * k + kx], window[r + ky][p + kx], sum[r][p]);
      sink.take(a, filter, x, y, sum);
    }
    sink.finish(a, x, y);
    if (!more) return;
    y += rows;
    sourceY += rows;
#pragma unroll
    for (int i = 0; i < k - 1; ++i)
#pragma unroll
      for (int j = 0; j < 4 + 2 * reach; ++j) window[i][j] = window[i + rows][j];
    if (inside) {
#pragma unroll
      for (int i = 0; i < rows; ++i) next[i].arrive(window[k - 1 + i]);
    } else {
      loadEdge<T, rows, reach>(a, sourceX, sourceY + k - 1, window);
    }
  }
}

}  // namespace bankside::cuda
