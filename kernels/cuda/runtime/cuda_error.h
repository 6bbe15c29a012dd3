/// CUDA's error codes as sentences, and what follows from the ones that do not go away.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/engine.h"
#include "core/error.h"

namespace bankside::cuda {

/// Throws Error{Device} (Error{Limit} where device memory ran out) with the error's name and text, the
/// expression, file and line. An error that the device does not recover from takes the CUDA engines away (see
/// `deviceState`).
[[noreturn]] void throwCudaError(cudaError_t error, const char* expression, const char* file, int line);

/// "CUDA error 2 (cudaErrorMemoryAllocation: out of memory)".
std::string describe(cudaError_t error);

/// Whether CUDA can be used: a driver, a device, and no error that stays until the program is restarted.
Support deviceState();

/// Of the device that this thread uses. Errors  Error{Device}
int multiprocessorCount();

/// Bytes of shared memory that one of its thread blocks can have. Errors  Error{Device}
std::size_t mostSharedBytes();

/// `deviceState`, and whether the device has Hopper's matrix instructions (compute capability 9.0 alone).
Support hopperState();

}  // namespace bankside::cuda

#define BANKSIDE_CUDA_CHECK(expression)                                                     \
  do {                                                                                      \
    const cudaError_t banksideCudaError = (expression);                                     \
    if (banksideCudaError != cudaSuccess)                                                   \
      ::bankside::cuda::throwCudaError(banksideCudaError, #expression, __FILE__, __LINE__); \
  } while (false)
