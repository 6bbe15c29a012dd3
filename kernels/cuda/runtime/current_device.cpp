#include "kernels/cuda/runtime/current_device.h"

#include <utility>

#include "kernels/cuda/runtime/devices_in_use.h"

namespace bankside::cuda {
namespace {

thread_local int innermost = -1;

}  // namespace

int currentDevice() { return innermost >= 0 ? innermost : leadDevice(); }

CurrentDevice::CurrentDevice(int device)
    : outer_(std::exchange(innermost, device)), device_(device), before_(device) {
  try {
    BANKSIDE_CUDA_CHECK(cudaGetDevice(&before_));
    if (before_ != device_) BANKSIDE_CUDA_CHECK(cudaSetDevice(device_));
  } catch (...) {
    innermost = outer_;
    throw;
  }
}

CurrentDevice::CurrentDevice(int device, std::nothrow_t) noexcept
    : outer_(std::exchange(innermost, device)), device_(device), before_(device) {
  cudaGetDevice(&before_);
  if (before_ != device_) cudaSetDevice(device_);
  cudaGetLastError();
}

CurrentDevice::~CurrentDevice() {
  innermost = outer_;
  if (before_ != device_) cudaSetDevice(before_);
}

}  // namespace bankside::cuda
