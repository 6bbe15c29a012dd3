/// The one kernel of the cuFFT peer.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bankside::cuda {

/// out[f][i] = image[i] * filters[f][i] for `count` complex numbers and `filterCount` filters.
void startSpectrumProduct(const float2* image, const float2* filters, float2* out, std::size_t count,
                          int filterCount, cudaStream_t stream);

}  // namespace bankside::cuda
