/// Transforms of planes by cuFFT, which is opened at run time, where it exists.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/engine.h"

namespace bankside::cuda {

/// Whether cuFFT is there; a sentence with its name if not.
Support transformsAvailable();
/// "cuFFT 12003".
std::string transformLibrary();

/// A batch of two-dimensional transforms between reals [batch][height][width] and the half spectra
/// [batch][height][width / 2 + 1], neither scaled. Errors  Error{Unsupported} without the library,
/// Error{Limit}, Error{Device}
class PlaneTransform {
 public:
  enum class Direction { Forward, Inverse };
  PlaneTransform(Direction direction, int height, int width, int batch);
  ~PlaneTransform();
  PlaneTransform(const PlaneTransform&) = delete;
  PlaneTransform& operator=(const PlaneTransform&) = delete;

  /// Starts the batch. The inverse uses its source up.
  void start(void* src, void* dst, cudaStream_t stream) const;

 private:
  Direction direction_;
  int plan_ = 0;
};

}  // namespace bankside::cuda
