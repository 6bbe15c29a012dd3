/// One problem as cuDNN's graph interface sees it: what its heuristics propose, as plans that can be started.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/problem.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/peers/cudnn_library.h"
#include "kernels/peers/gpu_peers.h"

namespace bankside::cuda {

/// A descriptor of the graph interface.
class CudnnDescriptor {
 public:
  explicit CudnnDescriptor(cudnnBackendDescriptorType_t type);
  ~CudnnDescriptor();
  CudnnDescriptor(CudnnDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
  CudnnDescriptor& operator=(CudnnDescriptor&&) = delete;

  cudnnBackendDescriptor_t get() const { return descriptor_; }
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const void* values,
           std::int64_t count = 1);
  void set(cudnnBackendAttributeName_t name, const CudnnDescriptor& other) {
    const cudnnBackendDescriptor_t descriptor = other.get();
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, &descriptor);
  }
  void set(cudnnBackendAttributeName_t name, std::vector<std::int64_t> values) {
    set(name, CUDNN_TYPE_INT64, values.data(), static_cast<std::int64_t>(values.size()));
  }
  /// What is there, up to `room` values; -1 where the descriptor says nothing of it.
  std::int64_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, void* values,
                    std::int64_t room) const;
  void finish() { check(finished(), "finalize"); }
  /// Whether cuDNN takes it as it is now.
  cudnnStatus_t finished();

 private:
  static void check(cudnnStatus_t status, const char* what) { cudnnLibrary().check(status, what); }

  cudnnBackendDescriptor_t descriptor_ = nullptr;
};

/// f32, or for Fp16 halves, in planes or with the channels last: source, taps and results alike.
class CudnnGraph {
 public:
  CudnnGraph(const ConvolutionProblem& problem, const CorrelationTaps& taps, CudnnMath math,
             bool channelsLast, int images);
  CudnnGraph(const CudnnGraph&) = delete;
  CudnnGraph& operator=(const CudnnGraph&) = delete;
  ~CudnnGraph();

  /// The engine and its knobs, for each plan: those of modes A and B first, in cuDNN's order; what is left to
  /// fall back on only where those have none. Workspaces of at most 8 GiB.
  const std::vector<std::string>& plans() const { return names_; }
  bool channelsLast() const { return channelsLast_; }
  /// Results times this are the responses (halves of taps are scaled, see halfTaps).
  float back() const { return back_; }

  /// Errors  Error{Device} with cuDNN's sentence
  void start(std::size_t plan, void* src, void* dst, cudaStream_t stream) const;

 private:
  void loadTaps(const ConvolutionProblem& problem, const CorrelationTaps& taps);
  void propose(const CudnnDescriptor& graph, cudnnBackendHeurMode_t mode);
  /// Whether the engine of a configuration may stand for this math.
  bool allows(const CudnnDescriptor& engine) const;

  CudnnMath math_;
  bool channelsLast_;
  float alpha_ = 1.0f;
  float back_ = 1.0f;
  cudnnHandle_t handle_ = nullptr;
  std::vector<CudnnDescriptor> plans_;
  std::vector<std::string> names_;
  DeviceBuffer taps_, workspace_;
};

}  // namespace bankside::cuda
