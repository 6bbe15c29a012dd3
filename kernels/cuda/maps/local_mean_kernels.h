/// Means of the pixels around each one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "core/maps/window.h"
#include "core/plane_view.h"

namespace bankside::cuda {

/// Means of what counts: pixels of the field (no data: everywhere) that are finite.
struct LocalMean {
  PlaneView<float> from;
  PlaneView<const std::uint8_t> inside;
  PlaneView<float> to;
  bool ofSquares;  ///< the root of their mean
  double* work;    ///< `localMeanBytes` of device memory
};

std::size_t localMeanBytes(int height, int width, const WindowBoxes& boxes);
/// Errors  Error{Device}, as below
void startLocalMean(const LocalMean& mean, const WindowBoxes& boxes, cudaStream_t stream);

}  // namespace bankside::cuda
