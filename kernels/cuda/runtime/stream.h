/// Streams and events that their owner destroys.
#pragma once

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

/// Seconds between two events that were reached.
inline double secondsBetween(const Event& first, const Event& second) {
  float milliseconds = 0;
  BANKSIDE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, first, second));
  return milliseconds * 1e-3;
}

}  // namespace bankside::cuda
