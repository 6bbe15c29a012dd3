/// The device that calls of this thread are about.
#pragma once

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// That of the innermost `CurrentDevice` of this thread; else the first one in use (devices_in_use.h).
int currentDevice();

/// Engines, plans and CUDA's own calls of this thread are about a device while this lives; then about the
/// caller's again.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device = currentDevice());
  /// For those who destroy: without a word where the device is lost.
  CurrentDevice(int device, std::nothrow_t) noexcept;
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int outer_;  ///< -1: none
  int device_;
  int before_;  ///< CUDA's own
};

}  // namespace bankside::cuda
