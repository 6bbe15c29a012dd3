/// A library's pass that may go several ways: all are timed on the problem, and the fastest that is right is
/// taken.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/runtime/stream.h"
#include "kernels/peers/plane_plan.h"

namespace bankside::cuda {

/// The shortest of three rounds, or the first if it is long, after one that is not counted.
double shortestSeconds(const std::function<void(cudaStream_t)>& start);

class ChoosingPass : public PlanePass {
 public:
  using PlanePass::PlanePass;

 protected:
  /// What the next start goes by.
  virtual void use(int way) = 0;

  /// Uses the fastest of `ways` whose results are right on rows of the problem itself; false, with the last
  /// `reason`, if none is.
  bool takeFastest(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                   const std::vector<int>& ways, std::string& reason);
};

}  // namespace bankside::cuda
