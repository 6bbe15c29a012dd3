/// The end of a multichannel block: its sums lie in shared memory, are added to those of the other blocks of
/// its cluster in their order, and are written whole rows at a time.
#pragma once

#include "kernels/cuda/device/block_cluster.cuh"
#include "kernels/cuda/multichannel/fma/block_shape.h"
#include "kernels/cuda/pixels/kernel_arguments.h"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// Every thread has stored its sums at `sums`, by `shape.sumOffset` (a BlockShape). `results`: of the block's
/// image.
template <auto shape>
__device__ __forceinline__ void writeSums(const KernelArguments& a, const ResultRows& results, float* sums,
                                          int firstFilter, int x0, int y0) {
  const BlockCluster cluster;
  const int parts = cluster.blocks();
  const int part = cluster.rank();
  if (parts > 1) {
    cluster.sync();
  } else {
    __syncthreads();
  }
  constexpr int unitsPerFilter = shape.tilePixels() / 4;
  constexpr int allUnits = shape.filtersPerBlock * unitsPerFilter;
#pragma unroll 1
  for (int i = part * shape.threads() + static_cast<int>(threadIdx.x); i < allUnits;
       i += parts * shape.threads()) {
    const int filter = i / unitsPerFilter;
    const int unit = i % unitsPerFilter;
    const int x = x0 + 4 * unit % shape.tileWidth;
    const int y = y0 + 4 * unit / shape.tileWidth;
    if (firstFilter + filter >= a.filterCount || y >= a.height || x >= a.width) continue;
    const int at = shape.sumOffset(filter, unit);
    float total[4];
    for (int r = 0; r < parts; ++r) {
      const float* const from = parts > 1 ? cluster.of(r, sums) : sums;
      const float4 v = *reinterpret_cast<const float4*>(from + at);
      total[0] = r == 0 ? v.x : __fadd_rn(total[0], v.x);
      total[1] = r == 0 ? v.y : __fadd_rn(total[1], v.y);
      total[2] = r == 0 ? v.z : __fadd_rn(total[2], v.z);
      total[3] = r == 0 ? v.w : __fadd_rn(total[3], v.w);
    }
    storeRun(results.pixels, results.type,
             (firstFilter + filter) * results.planeStride + y * results.stride + x, a.width - x, total);
  }
  // Others may still read this block's sums; what this one read is in what it stored.
  if (parts > 1) cluster.meet();
}

}  // namespace bankside::cuda
