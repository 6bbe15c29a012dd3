/// Of the driver's interface what the engines' sources name, and of the runtime's what looks for it. There is
/// no driver here, so that nothing is found.
#pragma once

#include <cstdint>

#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

using CUdeviceptr = std::uint64_t;
enum CUresult { CUDA_SUCCESS };
enum CUpointer_attribute { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
enum CUmemorytype { CU_MEMORYTYPE_DEVICE = 2 };

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
inline constexpr unsigned long long cudaEnableDefault = 0;
inline cudaError_t cudaGetDriverEntryPoint(const char*, void**, unsigned long long,
                                           cudaDriverEntryPointQueryResult* result) {
  *result = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
