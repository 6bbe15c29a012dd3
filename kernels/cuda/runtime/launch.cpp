#include "kernels/cuda/runtime/launch.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

thread_local ReadyLaunches* readyLaunches = nullptr;

}  // namespace

void launchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                  cudaStream_t stream, std::span<const cudaLaunchAttribute> attributes) {
  if (readyLaunches != nullptr) {
    cudaKernelNodeParams parameters{};
    parameters.func = const_cast<void*>(kernel);
    parameters.gridDim = grid;
    parameters.blockDim = block;
    parameters.sharedMemBytes = static_cast<unsigned>(shared);
    parameters.kernelParams = arguments;
    if (readyLaunches->launch(parameters, stream, attributes)) return;
  }
  if (attributes.empty()) {
    BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
    return;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = const_cast<cudaLaunchAttribute*>(attributes.data());
  config.numAttrs = static_cast<unsigned>(attributes.size());
  BANKSIDE_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
}

ReadyLaunches::Call::Call(ReadyLaunches& launches, bool keep)
    : before_(std::exchange(readyLaunches, &launches)) {
  launches.keep_ = keep;
}

ReadyLaunches::Call::~Call() { readyLaunches = before_; }

void ReadyLaunches::clear() {
  for (Ready& ready : kept_) drop(ready);
  kept_.clear();
}

bool ReadyLaunches::launch(const cudaKernelNodeParams& parameters, cudaStream_t stream,
                           std::span<const cudaLaunchAttribute> attributes) {
  auto ready = std::find_if(kept_.begin(), kept_.end(),
                            [&](const Ready& each) { return each.kernel == parameters.func; });
  if (ready == kept_.end()) {
    if (!keep_) return false;
    Ready made;
    if (!make(made, parameters, attributes)) {
      drop(made);
      cudaGetLastError();  // the launch itself will say what is wrong
      return false;
    }
    ready = kept_.insert(kept_.end(), made);
  } else {
    BANKSIDE_CUDA_CHECK(cudaGraphExecKernelNodeSetParams(ready->exec, ready->node, &parameters));
  }
  BANKSIDE_CUDA_CHECK(cudaGraphLaunch(ready->exec, stream));
  return true;
}

bool ReadyLaunches::make(Ready& ready, const cudaKernelNodeParams& parameters,
                         std::span<const cudaLaunchAttribute> attributes) {
  if (cudaGraphCreate(&ready.graph, 0) != cudaSuccess ||
      cudaGraphAddKernelNode(&ready.node, ready.graph, nullptr, 0, &parameters) != cudaSuccess)
    return false;
  for (const cudaLaunchAttribute& each : attributes) {
    if (cudaGraphKernelNodeSetAttribute(ready.node, each.id, &each.val) != cudaSuccess) return false;
  }
  if (cudaGraphInstantiate(&ready.exec, ready.graph, 0) != cudaSuccess) return false;
  ready.kernel = parameters.func;
  return true;
}

void ReadyLaunches::drop(Ready& ready) {
  if (ready.exec != nullptr) cudaGraphExecDestroy(ready.exec);
  if (ready.graph != nullptr) cudaGraphDestroy(ready.graph);
  ready = {};
}

}  // namespace bankside::cuda
