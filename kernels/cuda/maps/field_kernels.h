/// Finding the field of view, and filling what lies outside: means, thresholds, distances.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/plane_view.h"

namespace bankside::cuda {

using DeviceMask = PlaneView<std::uint8_t>;
using SeenMask = PlaneView<const std::uint8_t>;

/// Means of 3 x 3 pixels, of those in the frame; what is not finite is 0. `across`: a plane for what lies
/// between. Errors  Error{Device}, as below
void startBoxMeans(const PlaneView<float>& from, const PlaneView<float>& across, const PlaneView<float>& to,
                   cudaStream_t stream);

/// 1 where a pixel is above the value.
void startAbove(const PlaneView<float>& from, float value, const DeviceMask& to, cudaStream_t stream);

/// Of every pixel the row of the nearest one in its column where `mask` is 0 or, with `inside`, is not; -1
/// where there is none. Shapes  [H,W], rows without gaps
void startNearestInColumn(const SeenMask& mask, bool inside, const PlaneView<int>& rows, cudaStream_t stream);

/// `value` where none of the pixels that `rows` are about is within the root of `most`, 1 - `value`
/// elsewhere. `any` becomes 1 if one is beyond.
void startBeyond(const PlaneView<int>& rows, unsigned most, std::uint8_t value, const DeviceMask& to,
                 std::uint32_t* any, cudaStream_t stream);

/// Where `inside` is 0, what `means` are at the nearest pixel where it is not; of several the one furthest to
/// the left, of those in a column the upper one.
void startFill(const PlaneView<float>& from, const PlaneView<float>& means, const SeenMask& inside,
               const PlaneView<int>& rows, const PlaneView<float>& to, cudaStream_t stream);

/// Sides of planes whose squared distances whole numbers of 32 bits hold.
inline constexpr int mostDistanceSide = 32767;

}  // namespace bankside::cuda
