/// How kernels are started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

namespace bankside::cuda {

/// A kernel with what it is to be started with.
struct KernelLaunch {
  const void* kernel = nullptr;
  dim3 grid;
  dim3 block;
  void** arguments = nullptr;  ///< as cudaLaunchKernel takes them
  std::size_t shared = 0;      ///< bytes
  std::span<const cudaLaunchAttribute> attributes = {};
};

/// One after another. Errors  Error{Device}
void launchKernels(std::span<const KernelLaunch> launches, cudaStream_t stream);
/// `before`: what is started directly before it; may be null.
void launchKernel(const KernelLaunch& launch, cudaStream_t stream, const KernelLaunch* before = nullptr);

/// What calls start that come again and again. What is launched together is kept as a graph, which takes new
/// arguments and starts in half of the host's time that a launch takes; a kernel's attributes stay those of
/// the first time. Starts of one graph follow each other, on whatever streams. For one thread at a time; made
/// and used on one device.
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
  friend void launchKernels(std::span<const KernelLaunch>, cudaStream_t);
  struct Ready {
    std::vector<const void*> kernels;
    std::vector<cudaGraphNode_t> nodes;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
  };

  /// False where it is none of those that are kept.
  bool start(std::span<const KernelLaunch> launches, cudaStream_t stream);
  static bool make(Ready& ready, std::span<const KernelLaunch> launches);
  static void drop(Ready& ready);

  std::vector<Ready> kept_;
  bool keep_ = false;
};

}  // namespace bankside::cuda
