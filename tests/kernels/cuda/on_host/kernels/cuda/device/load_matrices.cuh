/// In the place of kernels/cuda/device/load_matrices.cuh: `ldmatrix`, by the whole warp.
#pragma once

#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

namespace bankside::cuda {

inline std::uint32_t matrixAddress(const void* shared) { return on_host::sharedUnits(shared) * 16; }

inline uint4 loadMatrices(std::uint32_t row) {
  on_host::MatrixRows rows{row, {}};
  on_host::loadMatrices(rows);
  return {rows.halves[0], rows.halves[1], rows.halves[2], rows.halves[3]};
}

}  // namespace bankside::cuda
