/// Rows of any length, copied to where they begin at whole vectors.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bankside::cuda {

/// From one aligned row to the next, in bytes.
constexpr std::size_t alignedRowBytes(std::size_t rowBytes) { return (rowBytes + 15) / 16 * 16; }

/// `rows` rows of `rowBytes` bytes without gaps, as rows `alignedRowBytes` apart. `dst` is aligned so.
/// Errors  Error{Device}
void startAlignRows(const void* src, std::size_t rowBytes, std::size_t rows, void* dst, cudaStream_t stream);

}  // namespace bankside::cuda
