/// Spectra of images by those of filters.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bankside::cuda {

/// out[image][f][i] = images[image][i] * filters[f][i] for `count` complex numbers, `filterCount` filters and
/// at most 65,535 images.
void startSpectrumProduct(const float2* images, const float2* filters, float2* out, std::size_t count,
                          int filterCount, int imageCount, cudaStream_t stream);

}  // namespace bankside::cuda
