/// Of the driver's interface what the engines' sources name. There is no driver here: cuda_runtime_api.h
/// finds none of its calls.
#pragma once

#include <cstdint>

using CUdeviceptr = std::uint64_t;
enum CUresult { CUDA_SUCCESS };
enum CUpointer_attribute { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
enum CUmemorytype { CU_MEMORYTYPE_DEVICE = 2 };
