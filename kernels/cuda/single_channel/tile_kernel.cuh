/// The tile form: source tile and halo in shared memory as f32, a thread keeps the sums of rows x pixels
/// outputs of one or two filters in registers, filters go round outermost.
///
/// For filters whose K-row window does not fit into registers (Algorithm 1's limit on this chip: K = 5 or 7).
/// A pixel is read from global memory once a block, converted to f32 once, and from shared memory once for
/// `filtersPerPass` filters; every result is written once. What bounds it is the FMA rate, so what counts is
/// how few other instructions are issued: 16-byte shared reads, taps from constant memory through uniform
/// registers, shared by all rows and pixels of a thread.
/// Source  Chen et al., DAC 2017, section 3, for tiles and constant memory. Deviations: filters outermost and
///         sums instead of pixels in registers (the window spills from K = 9 on; stores of one plane at a
///         time reach 1.1 to 1.9 times the bandwidth of interleaved ones); f32 in shared memory for every
///         source type, because a pixel is converted once and read many times.
#pragma once

#include "kernels/cuda/device/code_for.cuh"
#include "kernels/cuda/device/warp_vote.cuh"
#include "kernels/cuda/pixels/constant_taps.cuh"
#include "kernels/cuda/pixels/fused_combine.cuh"
#include "kernels/cuda/pixels/mend_results.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"
#include "kernels/cuda/pixels/prefetch_tile.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

/// Sums of one pass, tap row by tap row, so that a row's taps stay in uniform registers for all output rows.
template <TileShape shape, class RowTaps>
__device__ __forceinline__ void sumTapRowByTapRow(
    const float* (&start)[3], RowTaps rowTaps, int filterHeight,
    float (&sum)[shape.filtersPerPass][shape.rows][shape.pixels]) {
  constexpr int units = shape.windowUnits();
  constexpr int kw = shape.filterWidth;
  const float* unit[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) unit[i] = start[i];
#pragma unroll 1
  for (int ky = 0; ky < filterHeight; ++ky) {
    const auto taps = rowTaps(ky);
#pragma unroll
    for (int r = 0; r < shape.rows; ++r) {
      float window[4 * units];
      readWindow<shape>(unit, r, window);
#pragma unroll
      for (int kx = 0; kx < kw; ++kx) {
#pragma unroll
        for (int f = 0; f < shape.filtersPerPass; ++f) {
          const float tap = taps[kx * shape.filtersPerPass + f];
#pragma unroll
          for (int p = 0; p < shape.pixels; ++p) sum[f][r][p] = __fmaf_rn(tap, window[p + kx], sum[f][r][p]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) unit[i] += shape.stride();
  }
}

/// A row of taps where it lies in constant memory.
struct ConstantRow {
  int first;
  __device__ __forceinline__ float operator[](int i) const { return constantTaps[first + i]; }
};
/// The same of one filter, whose rows begin at whole vectors. A load for each tap costs an eighth of its
/// multiply-adds where a thread has one row; the device loads two taps of constant memory at a time.
template <int count>
struct ConstantVectors {
  float4 value[ceilDiv(count, 4)];
  __device__ __forceinline__ explicit ConstantVectors(int first) {
#pragma unroll
    for (int i = 0; i < ceilDiv(count, 4); ++i)
      value[i] = *reinterpret_cast<const float4*>(constantTaps + first + 4 * i);
  }
  __device__ __forceinline__ float operator[](int i) const {
    const float4 four = value[i / 4];
    const float taps[] = {four.x, four.y, four.z, four.w};
    return taps[i % 4];
  }
};
/// A row of taps read from global memory (a broadcast from the L1) into registers, two at a time.
template <int count>
struct LoadedRow {
  float value[roundUp(count, 2)];
  __device__ __forceinline__ explicit LoadedRow(const float* taps) {
#pragma unroll
    for (int i = 0; i < roundUp(count, 2); i += 2) {
      const float2 two = __ldg(reinterpret_cast<const float2*>(taps + i));
      value[i] = two.x, value[i + 1] = two.y;
    }
  }
  __device__ __forceinline__ float operator[](int i) const { return value[i]; }
};

/// A shape as a type: a kernel's template argument. `loadedTaps`: taps come through the L1 instead of
/// constant memory (even `filtersPerPass` only, so that rows of taps start on 8 bytes).
template <int filterWidth, int rows, int pixels, int filtersPerPass, int lanes, int warps,
          bool loadedTaps_ = false>
struct Tile {
  static constexpr bool loadedTaps = loadedTaps_;
  static_assert(!loadedTaps || filtersPerPass % 2 == 0);
  static constexpr TileShape shape{filterWidth, rows, pixels, filtersPerPass, lanes, warps};
};

/// Sums of 48 results and more a thread, in 128 registers.
template <class Tile, int minBlocks>
constexpr bool crowdedTile() {
  constexpr TileShape s = Tile::shape;
  return codeFor < 90 && has128Registers(s.threads(), minBlocks) &&
         s.rows * s.pixels * s.filtersPerPass >= 48;
}

template <class Tile, int minBlocks, Fused fused>
__global__ void __launch_bounds__(Tile::shape.threads(), blocksTogether(minBlocks, Tile::shape.threads(),
                                                                        crowdedTile<Tile, minBlocks>()))
    tileKernel(const __grid_constant__ KernelArguments a) {
  constexpr TileShape shape = Tile::shape;
  extern __shared__ float4 tileUnits[];
  float* tile = reinterpret_cast<float*>(tileUnits);
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * shape.tileWidth();
  const int firstY = place.tileY * shape.tileHeight();
  const Task task = taskOf(a, firstX, firstY, shape.tileWidth(), shape.tileHeight());
  if (task == Task::Nothing) return;
  if (task == Task::Mend) {
    mendResults(a, shape.tileWidth(), shape.tileHeight(), {shape.tapStride(), shape.filtersPerPass},
                reinterpret_cast<std::uint32_t*>(tileUnits));
    return;
  }
  stageShape<shape>(a, tile, min(shape.stagedRows(a.filterHeight), a.height - firstY + a.filterHeight - 1),
                    a.x + firstX - a.anchorX, a.y + firstY - a.anchorY);
  __syncthreads();

  if constexpr (shape.filtersPerPass == 1) prefetchNextTile<shape.tileWidth(), shape.tileHeight()>(a);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int column = lane % shape.lanes;
  const int group = static_cast<int>(threadIdx.x) / 32 * (32 / shape.lanes) + lane / shape.lanes;
  const int x = firstX + column * shape.pixels;
  const int y = firstY + group * shape.rows;
  if (x >= a.width || y >= a.height) return;

  // Two neighbouring units share their skew: three addresses reach any window of up to 24 floats.
  const float* unit[3];
#pragma unroll
  for (int i = 0; i < 3; ++i)
    unit[i] = tile + group * shape.rows * shape.stride() +
              skewedColumn(column * shape.pixels + 8 * i, shape.skewed());

  const int begin = place.firstFilter;
  ResultSink<shape.rows, shape.pixels, fused> sink(a, begin, x, y);
  const int end = place.endFilter;
  const int stride = passStride(a.filterHeight * shape.tapStride(), shape.filtersPerPass);
#pragma unroll 1
  for (int filter = begin; filter < end; filter += shape.filtersPerPass) {
    const int taps = filter / shape.filtersPerPass * stride;
    float sum[shape.filtersPerPass][shape.rows][shape.pixels] = {};
    constexpr int rowTaps = shape.filterWidth * shape.filtersPerPass;
    const auto row = [&](int ky) {
      if constexpr (Tile::loadedTaps) {
        return LoadedRow<rowTaps>(a.taps + taps + ky * rowTaps);
      } else if constexpr (Tile::shape.filtersPerPass == 1) {
        return ConstantVectors<rowTaps>(taps + ky * Tile::shape.tapStride());
      } else {
        return ConstantRow{taps + ky * rowTaps};
      }
    };
    sumTapRowByTapRow<shape>(unit, row, a.filterHeight, sum);
#pragma unroll
    for (int f = 0; f < shape.filtersPerPass; ++f) {
      if (f == 0 || filter + f < end) sink.take(a, filter + f, x, y, sum[f]);
    }
  }
  sink.finish(a, x, y);
}

}  // namespace bankside::cuda
