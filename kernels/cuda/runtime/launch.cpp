#include "kernels/cuda/runtime/launch.h"

#include <algorithm>
#include <exception>
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

ReadyLaunches::Making::Making(ReadyLaunches& launches) : before_(std::exchange(readyLaunches, &launches)) {
  launches.clear();
  launches.use_ = Use::Making;
}

ReadyLaunches::Making::~Making() { readyLaunches = before_; }

ReadyLaunches::Call::Call(ReadyLaunches& launches, int way)
    : before_(std::exchange(readyLaunches, &launches)) {
  launches.use_ = Use::Starting;
  launches.way_ = way;
  launches.next_ = 0;
  launches.asKept_ = true;
  launches.otherWork_ = false;
  launches.forget(way);
}

ReadyLaunches::Call::~Call() {
  ReadyLaunches& own = *std::exchange(readyLaunches, before_);
  if (!own.asKept_ || own.otherWork_ || std::uncaught_exceptions() > 0) own.forget(own.way_);
}

void ReadyLaunches::startsOtherWork() {
  if (readyLaunches != nullptr) readyLaunches->otherWork_ = true;
}

void ReadyLaunches::clear() {
  for (Ready& ready : kept_) drop(ready);
  kept_.clear();
  for (int way = 0; way < ways; ++way) forget(way);
}

bool ReadyLaunches::startAgain(int way, cudaStream_t stream) const {
  const Called& called = called_[static_cast<std::size_t>(way)];
  for (std::size_t i = 0; i < called.count; ++i)
    BANKSIDE_CUDA_CHECK(cudaGraphLaunch(kept_[called.which[i]].execs[static_cast<std::size_t>(way)], stream));
  return called.count > 0;
}

bool ReadyLaunches::start(std::span<const KernelLaunch> launches, cudaStream_t stream) {
  if (use_ == Use::Starting) {
    asKept_ = asKept_ && startNext(launches, stream);
    return asKept_;
  }
  if (kept_.size() < mostReady) {
    Ready& made = kept_.emplace_back();
    if (make(made, launches, stream)) {
      BANKSIDE_CUDA_CHECK(cudaGraphLaunch(made.execs[0], stream));
      return true;
    }
    drop(made);
    kept_.pop_back();
    cudaGetLastError();  // the launches themselves will say what is wrong
  }
  return false;
}

bool ReadyLaunches::startNext(std::span<const KernelLaunch> launches, cudaStream_t stream) {
  const auto same = [](const KernelLaunch& launch, const void* kernel) { return launch.kernel == kernel; };
  const auto found =
      std::find_if(kept_.begin() + static_cast<std::ptrdiff_t>(next_), kept_.end(), [&](const Ready& each) {
        return std::equal(launches.begin(), launches.end(), each.kernels.begin(), each.kernels.end(), same);
      });
  if (found == kept_.end()) return false;
  const Ready& ready = *found;
  const cudaGraphExec_t exec = ready.execs[static_cast<std::size_t>(way_)];
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const cudaKernelNodeParams parameters = asNode(launches[i]);
    if (cudaGraphExecKernelNodeSetParams(exec, ready.nodes[i], &parameters) == cudaSuccess) continue;
    cudaGetLastError();
    return false;
  }
  BANKSIDE_CUDA_CHECK(cudaGraphLaunch(exec, stream));
  next_ = static_cast<std::size_t>(found - kept_.begin());
  Called& called = called_[static_cast<std::size_t>(way_)];
  called.which[called.count++] = static_cast<std::uint8_t>(next_++);
  return true;
}

bool ReadyLaunches::make(Ready& ready, std::span<const KernelLaunch> launches, cudaStream_t stream) {
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
  for (cudaGraphExec_t& exec : ready.execs) {
    if (cudaGraphInstantiate(&exec, ready.graph, 0) != cudaSuccess ||
        cudaGraphUpload(exec, stream) != cudaSuccess)
      return false;
  }
  return true;
}

void ReadyLaunches::drop(Ready& ready) {
  for (cudaGraphExec_t exec : ready.execs)
    if (exec != nullptr) cudaGraphExecDestroy(exec);
  if (ready.graph != nullptr) cudaGraphDestroy(ready.graph);
  ready = {};
}

}  // namespace bankside::cuda
