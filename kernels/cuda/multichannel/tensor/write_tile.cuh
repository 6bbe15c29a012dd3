/// The end of a tile: its sums lie in shared memory, are added to those of the other blocks' channels in
/// their order, and are written whole rows at a time.
#pragma once

#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/tensor/tensor_work.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// Results of part `part` of a tile's filters: `parts` blocks have left their sums of them, one behind the
/// other.
template <TensorTile tile>
__device__ __forceinline__ void writeTile(const SummedArguments& s, const float* sums, const TensorTask& task,
                                          int part, int parts, int thread, int threads) {
  constexpr int units = tile.tilePixels() / 4;  // of a filter
  static_assert(TensorTile::producers % units == 0 && tile.threads() % units == 0);
  const KernelArguments& a = s.base;
  const ResultRows dst = resultsOf(a.dst, s.batch, task.image);
  const int filters = TensorTile::filtersPerBlock / parts;
  const int unit = thread % units;
  const int x = task.x0 + 4 * unit % tile.tileWidth;
  const int y = task.y0 + 4 * unit / tile.tileWidth;
  if (x >= a.width || y >= a.height) return;
  const int firstFilter = task.firstFilter + part * filters;
  const int end = min(filters, a.filterCount - firstFilter);
  const bool plain = dst.type == ElementType::F32 && x + 4 <= a.width;
  std::ptrdiff_t at = (firstFilter + thread / units) * dst.planeStride + y * dst.stride + x;
#pragma unroll 2
  for (int filter = thread / units; filter < end; filter += threads / units) {
    float total[4];
    for (int r = 0; r < parts; ++r) {
      const float4 v = *reinterpret_cast<const float4*>(sums + tile.sumOffset(r * filters + filter, unit));
      total[0] = r == 0 ? v.x : __fadd_rn(total[0], v.x);
      total[1] = r == 0 ? v.y : __fadd_rn(total[1], v.y);
      total[2] = r == 0 ? v.z : __fadd_rn(total[2], v.z);
      total[3] = r == 0 ? v.w : __fadd_rn(total[3], v.w);
    }
    if (plain) {
      storeFull(static_cast<float*>(dst.pixels) + at, total);
    } else {
      storeRun(dst.pixels, dst.type, at, a.width - x, total);
    }
    at += threads / units * dst.planeStride;
  }
}

}  // namespace bankside::cuda
