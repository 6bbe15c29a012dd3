/// How kernels are started.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
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

/// What calls start that come again and again: every launch of a call is kept as a graph, which takes new
/// arguments and starts in half of the host's time that a launch takes, a kernel's attributes being those of
/// the first time. A call that is one of the last `ways` starts without its arguments. Starts of one graph
/// follow each other, on whatever streams. For one thread at a time; made and used on one device.
class ReadyLaunches {
 public:
  static constexpr int ways = 4;
  /// What a call has beyond them is launched.
  static constexpr std::size_t mostReady = 32;

  ReadyLaunches() = default;
  ~ReadyLaunches() { clear(); }
  ReadyLaunches(const ReadyLaunches&) = delete;
  ReadyLaunches& operator=(const ReadyLaunches&) = delete;
  void clear();

  /// While it lives, what this thread launches is kept: graphs are made.
  class Making {
   public:
    explicit Making(ReadyLaunches& launches);
    ~Making();
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;

   private:
    ReadyLaunches* before_;
  };

  /// While it lives, what this thread launches starts as it is kept, in one of the ways. No stream may be
  /// capturing.
  class Call {
   public:
    Call(ReadyLaunches& launches, int way);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    ReadyLaunches* before_;
  };

  /// By who gives a stream work that is no launch of this file: such a call cannot be started again.
  static void startsOtherWork();

  /// The last call of that way once more. False where it was not started from what is kept alone.
  bool startAgain(int way, cudaStream_t stream) const;
  void forget(int way) { called_[static_cast<std::size_t>(way)].count = 0; }

 private:
  friend void launchKernels(std::span<const KernelLaunch>, cudaStream_t);
  struct Ready {
    std::vector<const void*> kernels;
    std::vector<cudaGraphNode_t> nodes;
    cudaGraph_t graph = nullptr;
    std::array<cudaGraphExec_t, ways> execs = {};
  };
  enum class Use { None, Making, Starting };

  /// False where it is not what is kept at this place of a call.
  bool start(std::span<const KernelLaunch> launches, cudaStream_t stream);
  bool startNext(std::span<const KernelLaunch> launches, cudaStream_t stream);
  static bool make(Ready& ready, std::span<const KernelLaunch> launches, cudaStream_t stream);
  static void drop(Ready& ready);

  std::vector<Ready> kept_;  ///< in the order of a call
  /// Which of them the last call started, one after another; none where it started others, too.
  struct Called {
    std::array<std::uint8_t, mostReady> which = {};
    std::size_t count = 0;
  };
  std::array<Called, ways> called_;
  Use use_ = Use::None;
  int way_ = 0;
  std::size_t next_ = 0;  ///< of `kept_`, for the call under way
  bool asKept_ = false;   ///< the call under way, so far
  bool otherWork_ = false;
};

}  // namespace bankside::cuda
