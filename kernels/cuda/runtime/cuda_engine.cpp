#include "kernels/cuda/runtime/cuda_engine.h"

#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {

std::string CudaEngine::device() const {
  const std::string name = deviceState() ? kindOf(currentDevice()).name : "";
  return name.empty() ? "NVIDIA GPU" : name;
}

Support CudaEngine::available() const { return deviceState(); }

}  // namespace bankside::cuda
