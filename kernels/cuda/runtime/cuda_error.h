/// CUDA's error codes as sentences, and what follows from the ones that do not go away.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/error.h"

namespace bankside::cuda {

/// Throws Error{Device} (Error{Limit} where device memory ran out) with the error's name and text, the
/// expression, file and line. An error that the current device does not recover from takes it away (see
/// device_probe.h).
[[noreturn]] void throwCudaError(cudaError_t error, const char* expression, const char* file, int line);

/// "CUDA error 2 (cudaErrorMemoryAllocation: out of memory)".
std::string describe(cudaError_t error);

/// Why a device is gone until the program is restarted; empty while it is there.
std::string lostDevice(int device);
/// For tests, which lose made-up ones.
void forgetLostDevices();

}  // namespace bankside::cuda

#define BANKSIDE_CUDA_CHECK(expression)                                                     \
  do {                                                                                      \
    const cudaError_t banksideCudaError = (expression);                                     \
    if (banksideCudaError != cudaSuccess)                                                   \
      ::bankside::cuda::throwCudaError(banksideCudaError, #expression, __FILE__, __LINE__); \
  } while (false)
