#include "kernels/cuda/runtime/cuda_engine.h"

#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {

std::string CudaEngine::device() const {
  cudaDeviceProp properties{};
  if (!deviceState() || cudaGetDeviceProperties(&properties, currentDevice()) != cudaSuccess)
    return "NVIDIA GPU";
  return properties.name;
}

Support CudaEngine::available() const { return deviceState(); }

}  // namespace bankside::cuda
