#include "kernels/cuda/runtime/launch.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

thread_local ReadyLaunches* readyLaunches = nullptr;

cudaKernelNodeParams asNode(const KernelLaunch& launch) {
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(launch.kernel);
  parameters.gridDim = launch.grid;
  parameters.blockDim = launch.block;
  parameters.sharedMemBytes = static_cast<unsigned>(launch.shared);
  parameters.kernelParams = launch.arguments;
  return parameters;
}

void launchPlainly(const KernelLaunch& launch, cudaStream_t stream) {
  if (launch.attributes.empty()) {
    BANKSIDE_CUDA_CHECK(
        cudaLaunchKernel(launch.kernel, launch.grid, launch.block, launch.arguments, launch.shared, stream));
    return;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = launch.grid;
  config.blockDim = launch.block;
  config.dynamicSmemBytes = launch.shared;
  config.stream = stream;
  config.attrs = const_cast<cudaLaunchAttribute*>(launch.attributes.data());
  config.numAttrs = static_cast<unsigned>(launch.attributes.size());
  BANKSIDE_CUDA_CHECK(cudaLaunchKernelExC(&config, launch.kernel, launch.arguments));
}

}  // namespace

void launchKernels(std::span<const KernelLaunch> launches, cudaStream_t stream) {
  if (readyLaunches != nullptr && readyLaunches->start(launches, stream)) return;
  for (const KernelLaunch& launch : launches) launchPlainly(launch, stream);
}

void launchKernel(const KernelLaunch& launch, cudaStream_t stream, const KernelLaunch* before) {
  if (before == nullptr) return launchKernels({&launch, 1}, stream);
  const KernelLaunch both[] = {*before, launch};
  launchKernels(both, stream);
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

bool ReadyLaunches::start(std::span<const KernelLaunch> launches, cudaStream_t stream) {
  const auto same = [](const KernelLaunch& launch, const void* kernel) { return launch.kernel == kernel; };
  auto ready = std::find_if(kept_.begin(), kept_.end(), [&](const Ready& each) {
    return std::equal(launches.begin(), launches.end(), each.kernels.begin(), each.kernels.end(), same);
  });
  if (ready == kept_.end()) {
    if (!keep_) return false;
    ready = kept_.emplace(kept_.end());
    if (!make(*ready, launches)) {
      drop(*ready);
      kept_.pop_back();
      cudaGetLastError();  // the launches themselves will say what is wrong
      return false;
    }
  } else {
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const cudaKernelNodeParams parameters = asNode(launches[i]);
      if (cudaGraphExecKernelNodeSetParams(ready->exec, ready->nodes[i], &parameters) == cudaSuccess)
        continue;
      cudaGetLastError();
      return false;
    }
  }
  BANKSIDE_CUDA_CHECK(cudaGraphLaunch(ready->exec, stream));
  return true;
}

bool ReadyLaunches::make(Ready& ready, std::span<const KernelLaunch> launches) {
  if (cudaGraphCreate(&ready.graph, 0) != cudaSuccess) return false;
  for (const KernelLaunch& launch : launches) {
    const cudaKernelNodeParams parameters = asNode(launch);
    cudaGraphNode_t node = nullptr;
    const cudaGraphNode_t* before = ready.nodes.empty() ? nullptr : &ready.nodes.back();
    if (cudaGraphAddKernelNode(&node, ready.graph, before, ready.nodes.empty() ? 0 : 1, &parameters) !=
        cudaSuccess)
      return false;
    for (const cudaLaunchAttribute& each : launch.attributes) {
      if (cudaGraphKernelNodeSetAttribute(node, each.id, &each.val) != cudaSuccess) return false;
    }
    ready.nodes.push_back(node);
    ready.kernels.push_back(launch.kernel);
  }
  return cudaGraphInstantiate(&ready.exec, ready.graph, 0) == cudaSuccess;
}

void ReadyLaunches::drop(Ready& ready) {
  if (ready.exec != nullptr) cudaGraphExecDestroy(ready.exec);
  if (ready.graph != nullptr) cudaGraphDestroy(ready.graph);
  ready = {};
}

}  // namespace bankside::cuda
