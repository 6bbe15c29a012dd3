/// The functions of cuDNN 9 that are used, found by name in the library that is there at run time.
#pragma once

#include <cudnn.h>

#include "kernels/cuda/runtime/shared_library.h"

namespace bankside::cuda {

struct CudnnLibrary {
  SharedLibrary file{"cuDNN 9", {"libcudnn.so.9"}};
#define BANKSIDE_CUDNN(name) decltype(&::name) name = file.find<decltype(&::name)>(#name);
  BANKSIDE_CUDNN(cudnnGetVersion)
  BANKSIDE_CUDNN(cudnnGetErrorString)
  BANKSIDE_CUDNN(cudnnCreate)
  BANKSIDE_CUDNN(cudnnDestroy)
  BANKSIDE_CUDNN(cudnnSetStream)
  BANKSIDE_CUDNN(cudnnCreateTensorDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyTensorDescriptor)
  BANKSIDE_CUDNN(cudnnSetTensor4dDescriptor)
  BANKSIDE_CUDNN(cudnnCreateFilterDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyFilterDescriptor)
  BANKSIDE_CUDNN(cudnnSetFilter4dDescriptor)
  BANKSIDE_CUDNN(cudnnCreateConvolutionDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyConvolutionDescriptor)
  BANKSIDE_CUDNN(cudnnSetConvolution2dDescriptor)
  BANKSIDE_CUDNN(cudnnSetConvolutionMathType)
  BANKSIDE_CUDNN(cudnnGetConvolutionForwardWorkspaceSize)
  BANKSIDE_CUDNN(cudnnConvolutionForward)
  BANKSIDE_CUDNN(cudnnBackendCreateDescriptor)
  BANKSIDE_CUDNN(cudnnBackendDestroyDescriptor)
  BANKSIDE_CUDNN(cudnnBackendSetAttribute)
  BANKSIDE_CUDNN(cudnnBackendGetAttribute)
  BANKSIDE_CUDNN(cudnnBackendFinalize)
  BANKSIDE_CUDNN(cudnnBackendExecute)
#undef BANKSIDE_CUDNN

  void check(cudnnStatus_t status, const char* what) const {
    if (status != CUDNN_STATUS_SUCCESS)
      throw Error(ErrorCode::Device, std::string("cuDNN: ") + what + ": " + cudnnGetErrorString(status));
  }
};

inline const CudnnLibrary& cudnnLibrary() {
  static const CudnnLibrary one;
  return one;
}

}  // namespace bankside::cuda
