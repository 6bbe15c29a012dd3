/// The tiles of all channels from global to shared memory, as f32, border resolved on the way.
#pragma once

#include "kernels/cuda/pixels/stage_tile.cuh"

namespace bankside::cuda {

/// Fills `channels` tiles of `rows` x `columns` floats, `tileFloats` apart, rows `stride` apart; their top
/// left is image pixel (x0, y0). Rows of all tiles go round over the warps, so that none waits for a
/// channel's last rows; `atOnce` of a warp's rows are on the way together. `mostColumns` bounds `columns`.
template <int mostColumns, int atOnce>
__device__ __forceinline__ void stageChannels(const KernelArguments& a, float* tiles, int tileFloats,
                                              int stride, int columns, int rows, int channels,
                                              std::ptrdiff_t channelStride, int x0, int y0) {
  constexpr int steps = ceilDiv(mostColumns, 32);
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int column[steps];
  stagedColumns(a, x0, columns, lane, column);
  const int all = channels * rows;
  const auto rowOf = [&](int i, int& channel) {
    channel = i / rows;
    return edgeRow(y0 + i - channel * rows, a.src.imageHeight, a.border.kind, a.src.rowsResolved,
                   a.src.firstRow);
  };
  visitElement(a.src.type, [&](auto element) {
    using T = decltype(element);
    const T* const pixels = static_cast<const T*>(a.src.pixels);
    if constexpr (std::is_same_v<T, float>) {
      // Where every place has a pixel, all rows are copied at once, without registers.
      if (!a.border.isConstant()) {
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x) / 32; i < all; i += warps) {
          int channel;
          const int row = rowOf(i, channel);
          const T* const from = pixels + channel * channelStride + row * a.src.stride;
          float* const to = tiles + channel * tileFloats + (i - channel * rows) * stride + lane;
#pragma unroll
          for (int c = 0; c < steps; ++c)
            if (column[c] >= 0) copyFloat(to + 32 * c, from + column[c]);
        }
        waitForCopies();
        return;
      }
    }
#pragma unroll 1
    for (int first = static_cast<int>(threadIdx.x) / 32; first < all; first += warps * atOnce) {
      float loaded[atOnce][steps];
#pragma unroll
      for (int k = 0; k < atOnce; ++k) {
        int channel;
        const int row = rowOf(min(first + k * warps, all - 1), channel);
        const T* const from = pixels + channel * channelStride + row * a.src.stride;
#pragma unroll
        for (int c = 0; c < steps; ++c)
          loaded[k][c] = row < 0 || column[c] < 0 ? a.border.value : asFloat(__ldg(from + column[c]));
      }
#pragma unroll
      for (int k = 0; k < atOnce; ++k) {
        const int i = first + k * warps;
        const int channel = i / rows;
        float* const to = tiles + channel * tileFloats + (i - channel * rows) * stride + lane;
#pragma unroll
        for (int c = 0; c < steps; ++c)
          if (i < all && column[c] != -2) to[32 * c] = loaded[k][c];
      }
    }
  });
}

}  // namespace bankside::cuda
