#include "kernels/cuda/runtime/cublas_library.h"

namespace bankside::cuda {

const CublasLibrary& cublasLibrary() {
  static const CublasLibrary one;
  return one;
}

void checkCublas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::Limit : ErrorCode::Device,
              std::string("cuBLAS: ") + what + ": status " + std::to_string(static_cast<int>(status)));
}

}  // namespace bankside::cuda
