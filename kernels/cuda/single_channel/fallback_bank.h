/// The direct sums of what a faster kernel leaves.
#pragma once

#include <optional>
#include <vector>

#include "kernels/cuda/single_channel/loaded_bank.h"

namespace bankside::cuda {

/// A faster bank asks for a map, marks it as it computes, and starts this one behind itself. Where nothing is
/// marked, that is one launch whose blocks end at once.
class FallbackBank {
 public:
  /// `besideOthers`: taps lie in global memory, and runs follow each other on whatever streams, so that one
  /// map is enough.
  FallbackBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers = false);

  /// Nothing marked, for results of width x height on their way through a stream. Valid until the next call
  /// with that stream. Errors  Error{Limit}, Error{Device}
  FallbackMap emptyMap(int width, int height, cudaStream_t stream);

  /// Starts what marks and, behind it, the sums of all results whose windows meet marked cells of
  /// `a.fallback`; of all without a map.
  void start(const KernelArguments& a, cudaStream_t stream, const KernelLaunch* marks = nullptr) {
    bank_.start(a, stream, marks);
  }

 private:
  /// One a stream: what runs side by side must not share words.
  struct StreamMap {
    std::optional<cudaStream_t> stream;  ///< none: nobody has it yet
    DeviceBuffer words;
    std::uint32_t launch = 0;
  };
  StreamMap& mapOf(cudaStream_t stream);

  ConvolutionProblem problem_;
  bool besideOthers_;
  LoadedBank bank_;
  std::vector<StreamMap> maps_;  ///< the first ones large enough for the problem from the beginning
};

}  // namespace bankside::cuda
