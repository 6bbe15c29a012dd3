/// The device that calls of this thread are about.
#pragma once

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// The one that engines use, while this lives; then the caller's again.
class CurrentDevice {
 public:
  CurrentDevice() {
    BANKSIDE_CUDA_CHECK(cudaGetDevice(&before_));
    if (before_ != ours) BANKSIDE_CUDA_CHECK(cudaSetDevice(ours));
  }
  ~CurrentDevice() {
    if (before_ != ours) cudaSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  static constexpr int ours = 0;

 private:
  int before_ = ours;
};

}  // namespace bankside::cuda
