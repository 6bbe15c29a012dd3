/// Streams and events that their owner destroys.
#pragma once

#include <utility>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

class Stream {
 public:
  Stream() { BANKSIDE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void synchronize() const { BANKSIDE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { BANKSIDE_CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) const { BANKSIDE_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  /// While `stream` is captured: recorded whenever the graph gets there.
  void recordInGraph(cudaStream_t stream) const {
    BANKSIDE_CUDA_CHECK(cudaEventRecordWithFlags(event_, stream, cudaEventRecordExternal));
  }
  /// Work that comes into `stream` from now on waits for what was recorded.
  void holdBack(cudaStream_t stream) const { BANKSIDE_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
  bool reached() const {
    const cudaError_t error = cudaEventQuery(event_);
    if (error == cudaErrorNotReady) return false;
    BANKSIDE_CUDA_CHECK(error);
    return true;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

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

/// Seconds between two events that were reached.
inline double secondsBetween(const Event& first, const Event& second) {
  float milliseconds = 0;
  BANKSIDE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, first, second));
  return milliseconds * 1e-3;
}

}  // namespace bankside::cuda
