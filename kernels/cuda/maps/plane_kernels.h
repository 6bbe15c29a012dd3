/// Maps of another size, and maps outside a field of view.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/plane_view.h"

namespace bankside::cuda {

/// What pixels take along one axis (core/maps/resample.h), in device memory: pixel i the weights from
/// `begins[i]` to `begins[i + 1]`, for the pixels from `firsts[i]` on.
struct DeviceShares {
  const int* firsts = nullptr;
  const int* begins = nullptr;
  const float* weights = nullptr;
};

/// Along rows into `narrow`, which is as high as `from` and as wide as `to`; then along columns.
/// Errors  Error{Device}, as below
void startResample(const PlaneView<float>& from, const DeviceShares& across, const PlaneView<float>& narrow,
                   const DeviceShares& down, const PlaneView<float>& to, cudaStream_t stream);

/// `value` outside the field.
void startMask(const PlaneView<float>& from, const PlaneView<const std::uint8_t>& inside, float value,
               const PlaneView<float>& to, cudaStream_t stream);

/// A mask at another size: a pixel takes what lies in that column and row, 1 where that is not 0.
/// `columns`, `rows`: a number a pixel along the axis, in device memory
void startSizeMask(const PlaneView<const std::uint8_t>& from, const int* columns, const int* rows,
                   const PlaneView<std::uint8_t>& to, cudaStream_t stream);

}  // namespace bankside::cuda
