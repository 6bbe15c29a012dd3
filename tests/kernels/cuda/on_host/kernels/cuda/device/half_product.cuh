/// In the place of kernels/cuda/device/half_product.cuh: `mma.sync` of 16 x 16 times 16 x 8 halves, by the
/// whole warp. Sums are rounded one after another, or cut as the tensor cores do (`sumsAreCut`).
#pragma once

#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

namespace bankside::cuda {

inline void multiplyHalves(float (&sum)[4], const uint4& rows, const std::uint32_t (&columns)[2]) {
  on_host::WarpProduct product{{rows.x, rows.y, rows.z, rows.w}, {columns[0], columns[1]}, sum};
  on_host::multiplyByWarp(product);
}

}  // namespace bankside::cuda
