/// cuBLAS, opened at run time where it exists.
#pragma once

#include <cublas_v2.h>

#include "kernels/cuda/runtime/shared_library.h"

namespace bankside::cuda {

struct CublasLibrary {
  SharedLibrary file{"cuBLAS", {"libcublas.so.13", "libcublas.so.12"}};
#define BANKSIDE_CUBLAS(name) decltype(&::name) name = file.find<decltype(&::name)>(#name);
  BANKSIDE_CUBLAS(cublasCreate_v2)
  BANKSIDE_CUBLAS(cublasDestroy_v2)
  BANKSIDE_CUBLAS(cublasGetVersion_v2)
  BANKSIDE_CUBLAS(cublasSetStream_v2)
  BANKSIDE_CUBLAS(cublasSetWorkspace_v2)
  BANKSIDE_CUBLAS(cublasSetMathMode)
  BANKSIDE_CUBLAS(cublasSgemm_v2)
#undef BANKSIDE_CUBLAS
};

const CublasLibrary& cublasLibrary();

/// `what` names the call. Errors  Error{Limit} out of memory; Error{Device}
void checkCublas(cublasStatus_t status, const char* what);

}  // namespace bankside::cuda
