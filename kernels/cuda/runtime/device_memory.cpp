#include "kernels/cuda/runtime/device_memory.h"

#include <cuda.h>

#include <cstdint>

#include "kernels/cuda/runtime/current_device.h"

namespace bankside::cuda {
namespace {

using Attributes = CUresult(unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr at);

/// The driver's own call, which answers what is asked alone; null where it has none.
Attributes* driverAttributes() {
  static Attributes* const call = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuPointerGetAttributes", &found, 7000, cudaEnableDefault, &result);
#else
    const cudaError_t error =
        cudaGetDriverEntryPoint("cuPointerGetAttributes", &found, cudaEnableDefault, &result);
#endif
    const bool there = error == cudaSuccess && result == cudaDriverEntryPointSuccess;
    if (error != cudaSuccess) cudaGetLastError();
    return there ? reinterpret_cast<Attributes*>(found) : nullptr;
  }();
  return call;
}

/// What nearly every pointer is. Anything else, and no answer, is for the runtime to say.
bool isOurs(const void* memory) {
  Attributes* const ask = driverAttributes();
  if (ask == nullptr) return false;
  unsigned type = 0;
  int device = -1;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* answers[] = {&type, &device};
  return ask(2, asked, answers, reinterpret_cast<std::uintptr_t>(memory)) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE && device == CurrentDevice::ours;
}

}  // namespace

void requireOnDevice(const void* memory, const char* what) {
  if (isOurs(memory)) return;
  cudaPointerAttributes found{};
  BANKSIDE_CUDA_CHECK(cudaPointerGetAttributes(&found, memory));
  if (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged) {
    throw Error(ErrorCode::BadInput,
                std::string(what) + (found.type == cudaMemoryTypeHost
                                         ? " lie in host memory, where the plan is for the device's"
                                         : " lie in no memory of the device; perhaps it was freed"));
  }
  if (found.type == cudaMemoryTypeDevice && found.device != CurrentDevice::ours) {
    throw Error(ErrorCode::BadInput, std::string(what) + " lie on device " + std::to_string(found.device) +
                                         ", where the plan is for device " +
                                         std::to_string(CurrentDevice::ours));
  }
}

}  // namespace bankside::cuda
