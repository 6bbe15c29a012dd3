#include "kernels/cuda/runtime/launch_behind.h"

#include "kernels/cuda/runtime/device_state.h"

namespace bankside::cuda {

void launchBehind(const void* kernel, dim3 grid, unsigned threads, void** arguments, std::size_t shared,
                  cudaStream_t stream) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = deviceTraits().codeFor >= 90 ? 1 : 0;
  BANKSIDE_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
}

}  // namespace bankside::cuda
