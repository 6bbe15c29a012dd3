/// Graphs of one kernel on the host.
#include <cuda_runtime_api.h>

#include <vector>

#include "tests/kernels/cuda/on_host/fake_device.h"

struct GraphOnHost {
  cudaKernelNodeParams parameters{};
  std::vector<cudaLaunchAttribute> attributes;
};

namespace {
std::uint64_t started = 0;
}

std::uint64_t bankside::on_host::graphLaunchesSoFar() { return started; }

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = new GraphOnHost;
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                   std::size_t, const cudaKernelNodeParams* parameters) {
  graph->parameters = *parameters;
  *node = graph;
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
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t,
                                             const cudaKernelNodeParams* parameters) {
  if (exec->parameters.func != parameters->func) return cudaErrorInvalidValue;
  exec->parameters = *parameters;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  ++started;
  const cudaKernelNodeParams& p = exec->parameters;
  const cudaLaunchConfig_t config{p.gridDim,
                                  p.blockDim,
                                  p.sharedMemBytes,
                                  stream,
                                  exec->attributes.data(),
                                  static_cast<unsigned>(exec->attributes.size())};
  return cudaLaunchKernelExC(&config, p.func, p.kernelParams);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
