/// cuDNN's forward convolution as a peer: opened at run time, only to be compared with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/problem.h"

namespace bankside::cuda {

/// One single-channel f32 problem with zero borders, every forward algorithm of the legacy interface.
/// Errors  Error{Unsupported} where the library is not there or this build had no header; Error{Device}
class CudnnForward {
 public:
  CudnnForward(const ConvolutionProblem& problem, const FilterBank& bank, bool allowTensorFloat32);
  ~CudnnForward();

  const std::vector<int>& algorithms() const;
  std::string name(int algorithm) const;

  /// Starts one forward pass on planes without gaps. `stream` is a cudaStream_t.
  void run(int algorithm, const float* src, float* dst, void* stream);

  /// The algorithm on a small image of the same bank against the exact responses: empty if right, else what
  /// is wrong. The bound is that of a transform: 1e-4 of the largest sum of magnitudes (1e-2 with TF32).
  std::string judge(int algorithm) const;

  static std::string libraryVersion();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bankside::cuda
