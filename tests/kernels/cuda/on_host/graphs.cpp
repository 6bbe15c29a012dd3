/// Graphs of kernels, one after another, on the host.
#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <vector>

#include "tests/kernels/cuda/on_host/fake_device.h"

struct NodeOnHost {
  std::size_t place = 0;
  cudaKernelNodeParams parameters{};
  std::function<void()> call;
  std::vector<cudaLaunchAttribute> attributes;
};

struct GraphOnHost {
  std::deque<NodeOnHost> nodes;
};

namespace {
std::uint64_t started = 0;
std::uint64_t givenArguments = 0;
}  // namespace

std::uint64_t bankside::on_host::graphLaunchesSoFar() { return started; }
std::uint64_t bankside::on_host::graphArgumentsSoFar() { return givenArguments; }

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = new GraphOnHost;
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
  const std::size_t place = graph->nodes.size();
  if (count != (place == 0 ? 0u : 1u) || (place > 0 && *before != &graph->nodes.back()))
    return cudaErrorInvalidValue;
  *node = &graph->nodes.emplace_back(NodeOnHost{
      place, *parameters, bankside::on_host::callOf(parameters->func, parameters->kernelParams), {}});
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  node->attributes.push_back({id, *value});
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new GraphOnHost(*graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  NodeOnHost& own = exec->nodes[node->place];
  if (own.parameters.func != parameters->func) return cudaErrorInvalidValue;
  own.parameters = *parameters;
  own.call = bankside::on_host::callOf(parameters->func, parameters->kernelParams);
  ++givenArguments;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  ++started;
  for (NodeOnHost& node : exec->nodes) {
    const cudaKernelNodeParams& p = node.parameters;
    const cudaLaunchConfig_t config{p.gridDim,
                                    p.blockDim,
                                    p.sharedMemBytes,
                                    stream,
                                    node.attributes.data(),
                                    static_cast<unsigned>(node.attributes.size())};
    const cudaError_t error = bankside::on_host::launchCall(config, p.func, node.call);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
