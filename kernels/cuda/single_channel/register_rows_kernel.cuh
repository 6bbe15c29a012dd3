/// The register form: a thread keeps the window of all its output rows in registers and every filter uses it.
///
/// For small square filters, where the limit is memory: pixels come from global memory in one burst of
/// independent loads (neighbouring threads' and warps' share of a row is a hit in L1), nothing waits for a
/// barrier, and the filters go round outermost so that one plane at a time is written, several rows together.
/// Source  Chen et al., DAC 2017, section 3.2: the K-row window in registers. Deviations: the horizontal
///         sharing goes through the L1, which is the same memory as shared memory on this chip; all rows of a
///         thread are held at once instead of shifted, so that filters can go round outermost.
#pragma once

#include "kernels/cuda/device/code_for.cuh"
#include "kernels/cuda/pixels/constant_taps.cuh"
#include "kernels/cuda/pixels/prefetch_tile.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

/// One thread block: `warps` warps, each 32 x 4 pixels wide and `rows` tall, `across` of them side by side,
/// the others below. `single`: for one filter, rows are used as they come and not kept. `loadedTaps`: taps
/// come through the L1, four at a time, instead of constant memory (plain responses).
template <int filterSize_, int rows_, int warps_, bool single_, int across_ = 1, bool loadedTaps_ = false>
struct Rows {
  static constexpr int filterSize = filterSize_;
  static constexpr int rows = rows_;
  static constexpr int warps = warps_;
  static constexpr bool single = single_;
  static constexpr int across = across_;
  static constexpr bool loadedTaps = loadedTaps_;
  static constexpr int pixels = 4;
  static constexpr int tileWidth = 32 * pixels;
};

/// Four neighbouring pixels from a 4-pixel boundary.
__device__ __forceinline__ void loadFour(const float* p, float (&v)[4]) {
  const float4 q = __ldg(reinterpret_cast<const float4*>(p));
  v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}
__device__ __forceinline__ void loadFour(const std::uint8_t* p, float (&v)[4]) {
  const std::uint32_t q = __ldg(reinterpret_cast<const std::uint32_t*>(p));
  v[0] = byteAsFloat<0>(q), v[1] = byteAsFloat<1>(q), v[2] = byteAsFloat<2>(q), v[3] = byteAsFloat<3>(q);
}
__device__ __forceinline__ void loadFour(const std::uint16_t* p, float (&v)[4]) {
  const uint2 q = __ldg(reinterpret_cast<const uint2*>(p));
  v[0] = wordAsFloat<0>(q.x), v[1] = wordAsFloat<1>(q.x);
  v[2] = wordAsFloat<0>(q.y), v[3] = wordAsFloat<1>(q.y);
}
__device__ __forceinline__ void loadFour(const __half* p, float (&v)[4]) {
  const uint2 q = __ldg(reinterpret_cast<const uint2*>(p));
  const float2 low = __half22float2(*reinterpret_cast<const __half2*>(&q.x));
  const float2 high = __half22float2(*reinterpret_cast<const __half2*>(&q.y));
  v[0] = low.x, v[1] = low.y, v[2] = high.x, v[3] = high.y;
}

/// The four pixels at `at` and `reach` of those before and after them, which begin at `at` + `before` (their
/// last four, or their last one) and at `at` + `after`.
template <class T, int reach>
__device__ __forceinline__ void loadRow(const T* at, int before, int after, float (&window)[4 + 2 * reach]) {
  float four[4];
  loadFour(at, four);
#pragma unroll
  for (int i = 0; i < 4; ++i) window[reach + i] = four[i];
  if constexpr (reach == 1) {
    window[0] = asFloat(__ldg(at + before));
    window[5] = asFloat(__ldg(at + after));
  } else if constexpr (reach > 1) {
    loadFour(at + before, four);
#pragma unroll
    for (int i = 0; i < reach; ++i) window[i] = four[4 - reach + i];
    loadFour(at + after, four);
#pragma unroll
    for (int i = 0; i < reach; ++i) window[reach + 4 + i] = four[i];
  }
}

/// What the border rule puts before the first column and after the last one of an image whose width is a
/// multiple of four: all of it is in the window (a wrapped border's is loaded), for which a reach of four
/// needs four pixels more than the thread's own.
template <int rows, int reach>
__device__ __forceinline__ void fillBeside(const Border& border, bool first, bool last,
                                           float (&window)[rows][4 + 2 * reach]) {
  const auto fill = [&](const auto& from) {  // from(t): which pixel, counted from the edge
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
      for (int t = 0; t < reach; ++t) {
        if (first) window[i][reach - 1 - t] = from(t) < 0 ? border.value : window[i][reach + from(t)];
        if (last) window[i][reach + 4 + t] = from(t) < 0 ? border.value : window[i][reach + 3 - from(t)];
      }
    }
  };
  switch (border.kind) {
    case BorderKind::Constant: fill([](int) { return -1; }); break;
    case BorderKind::Replicate: fill([](int) { return 0; }); break;
    case BorderKind::Reflect: fill([](int t) { return t; }); break;
    case BorderKind::Reflect101: fill([](int t) { return t + 1; }); break;
    case BorderKind::Wrap: break;
  }
}

/// The window of a thread whose results begin at (x, y + reach) of the image, border resolved. `inside`: no
/// pixel of the warp needs the border rule.
template <class T, int rows, int reach>
__device__ __forceinline__ void loadWindow(const KernelArguments& a, int x, int y, bool inside,
                                           float (&window)[rows][4 + 2 * reach]) {
  constexpr int beside = reach == 1 ? 1 : 4;
  const T* pixels = static_cast<const T*>(a.src.pixels);
  if (inside) {
    const T* row = pixels + (y - a.src.firstRow) * a.src.stride + x;
#pragma unroll
    for (int i = 0; i < rows; ++i, row += a.src.stride) loadRow<T, reach>(row, -beside, 4, window[i]);
    return;
  }
  // Rows below the last one of the result are nobody's, and a band does not hold them.
  const int lastRow = a.y + a.height - 1 + reach;
  const auto rowAt = [&](int i) {
    return edgeRow(min(y + i, lastRow), a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
  };
  if (((a.x | a.src.width) & 3) == 0 && (reach < 4 || a.src.width >= 8)) {
    const bool first = x == 0;
    const bool last = x + 4 == a.src.width;
    const bool wrapped = a.border.kind == BorderKind::Wrap;
    const int before = !first ? -beside : wrapped ? a.src.width - beside : 0;
    const int after = !last ? 4 : wrapped ? 4 - a.src.width : 0;
    std::uint32_t missing = 0;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int row = rowAt(i);
      if (row < 0) missing |= 1u << i;
      loadRow<T, reach>(pixels + max(row, 0) * a.src.stride + x, before, after, window[i]);
    }
    if (first || last) fillBeside<rows, reach>(a.border, first, last, window);
    if (missing != 0) {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (float& pixel : window[i]) pixel = (missing >> i & 1) != 0 ? a.border.value : pixel;
      }
    }
    return;
  }
  int column[4 + 2 * reach];
#pragma unroll
  for (int i = 0; i < 4 + 2 * reach; ++i) column[i] = edgeIndex(x - reach + i, a.src.width, a.border.kind);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    const int row = rowAt(i);
    const T* from = pixels + row * a.src.stride;
#pragma unroll
    for (int j = 0; j < 4 + 2 * reach; ++j)
      window[i][j] = row < 0 || column[j] < 0 ? a.border.value : asFloat(__ldg(from + column[j]));
  }
}

template <class Shape, class T, int minBlocks, Fused fused>
__global__ void __launch_bounds__(32 * Shape::warps,
                                  blocksTogether(minBlocks, 32 * Shape::warps,
                                                 codeFor == 100 && std::is_same_v<T, __half>))
    registerRowsKernel(const __grid_constant__ KernelArguments a) {
  constexpr int k = Shape::filterSize;
  constexpr int reach = k / 2;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const BlockPlace place = placeOf(a);
  const int x = (static_cast<int>(blockIdx.x) * Shape::across + warp % Shape::across) * Shape::tileWidth +
                lane * Shape::pixels;
  const int y = (place.tileY * (Shape::warps / Shape::across) + warp / Shape::across) * Shape::rows;
  if (x >= a.width || y >= a.height) return;

  const int sourceX = a.x + x;
  const int warpX = sourceX - lane * Shape::pixels;
  const int sourceY = a.y + y - reach;
  constexpr int rows = Shape::rows + k - 1;
  // Rows that the border rule put into the buffer are as good as rows of the image.
  const bool rowsInside =
      a.src.rowsResolved && a.border.kind != BorderKind::Constant
          ? y + Shape::rows <= a.height
          : sourceY >= 0 && sourceY + rows <= a.src.imageHeight && y + Shape::rows <= a.height;
  const bool inside = rowsInside && (a.x & 3) == 0 && warpX >= 4 && warpX + 132 <= a.src.width;
  float window[rows][4 + 2 * reach];
  loadWindow<T, rows, reach>(a, sourceX, sourceY, inside, window);

  if constexpr (k >= 5)
    prefetchNextTile<Shape::across * Shape::tileWidth, Shape::warps / Shape::across * Shape::rows>(a);

  const int begin = place.firstFilter;
  const int end = Shape::single ? begin + 1 : place.endFilter;
  ResultSink<Shape::rows, Shape::pixels, fused> sink(a, begin, x, y);
  constexpr int tapsEach = passStride(k * k, 1);
#pragma unroll 1
  for (int filter = begin; filter < end; ++filter) {
    float sum[Shape::rows][4] = {};
    const auto sumUp = [&](const auto& tapAt) {
#pragma unroll
      for (int r = 0; r < Shape::rows; ++r)
#pragma unroll
        for (int ky = 0; ky < k; ++ky)
#pragma unroll
          for (int kx = 0; kx < k; ++kx)
#pragma unroll
            for (int p = 0; p < 4; ++p)
              sum[r][p] = __fmaf_rn(tapAt(ky * k + kx), window[r + ky][p + kx], sum[r][p]);
    };
    if constexpr (Shape::loadedTaps && fused == Fused::None) {
      const float4* four = reinterpret_cast<const float4*>(a.taps) + filter * (tapsEach / 4);
      sumUp([&](int i) {
        const float4 v = __ldg(four + i / 4);
        return i % 4 == 0 ? v.x : i % 4 == 1 ? v.y : i % 4 == 2 ? v.z : v.w;
      });
    } else {
      sumUp([&](int i) { return constantTaps[filter * tapsEach + i]; });
    }
    sink.take(a, filter, x, y, sum);
  }
  sink.finish(a, x, y);
}

}  // namespace bankside::cuda
