/// How kernels are started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

namespace bankside::cuda {

/// Errors  Error{Device}
void launchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                  cudaStream_t stream, std::span<const cudaLaunchAttribute> attributes = {});

/// The kernels of calls that come again and again. Each is kept as a graph of its own, which takes new
/// arguments and starts in half of the host's time that a launch takes. Starts of one graph follow each
/// other, on whatever streams. For one thread at a time; made and used on one device.
class ReadyLaunches {
 public:
  ReadyLaunches() = default;
  ~ReadyLaunches() { clear(); }
  ReadyLaunches(const ReadyLaunches&) = delete;
  ReadyLaunches& operator=(const ReadyLaunches&) = delete;
  void clear();

  /// While it lives, what this thread launches starts as it is kept; with `keep`, what is not kept yet is
  /// from now on. No stream may be capturing.
  class Call {
   public:
    explicit Call(ReadyLaunches& launches, bool keep = false);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    ReadyLaunches* before_;
  };

 private:
  friend void launchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t,
                           std::span<const cudaLaunchAttribute>);
  struct Ready {
    const void* kernel = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
  };

  /// False where it is none of those that are kept.
  bool launch(const cudaKernelNodeParams& parameters, cudaStream_t stream,
              std::span<const cudaLaunchAttribute> attributes);
  static bool make(Ready& ready, const cudaKernelNodeParams& parameters,
                   std::span<const cudaLaunchAttribute> attributes);
  static void drop(Ready& ready);

  std::vector<Ready> kept_;
  bool keep_ = false;
};

}  // namespace bankside::cuda
