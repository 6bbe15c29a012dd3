/// Planes of f32 on the device as halves or with the channels last, and back, for peers that want them so.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bankside::cuda {

/// `planes` planes of `pixels` pixels each, without gaps, rounded to nearest. `channelsLast`: halves of one
/// pixel side by side. Errors  Error{Device}
void startToHalf(const float* src, void* dst, int planes, std::size_t pixels, bool channelsLast,
                 cudaStream_t stream);

/// f32 planes with the channels last, and back.
void startToChannelsLast(const float* src, float* dst, int planes, std::size_t pixels, cudaStream_t stream);
void startToPlanes(const float* src, float* dst, int planes, std::size_t pixels, cudaStream_t stream);

/// The way back, times `scale`.
void startToFloat(const void* src, float* dst, int planes, std::size_t pixels, bool channelsLast, float scale,
                  cudaStream_t stream);

}  // namespace bankside::cuda
