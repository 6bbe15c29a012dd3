/// CUDA graphs, with which benchmarks repeat launches.
#pragma once

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// Work of a stream that was kept, to be started again at the price of one launch.
class Graph {
 public:
  Graph() = default;
  ~Graph() { clear(); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// What `work` starts on `stream` is kept and not done.
  template <class Work>
  void capture(cudaStream_t stream, const Work& work) {
    clear();
    cudaGraph_t graph = nullptr;
    BANKSIDE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
      work();
    } catch (...) {
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphDestroy(graph);
      throw;
    }
    BANKSIDE_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    const cudaError_t made = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    BANKSIDE_CUDA_CHECK(made);
  }
  explicit operator bool() const { return exec_ != nullptr; }
  void launch(cudaStream_t stream) const { BANKSIDE_CUDA_CHECK(cudaGraphLaunch(exec_, stream)); }
  void clear() {
    if (exec_ != nullptr) cudaGraphExecDestroy(exec_);
    exec_ = nullptr;
  }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace bankside::cuda
