/// Two banks in a row whose maps stay on the device: which rows go there, which maps are made of them, and
/// how the results come back in bands. Knows no CUDA.
#pragma once

#include <memory>
#include <vector>

#include "core/chained_plan.h"
#include "kernels/cuda/chain/chain_device.h"

namespace bankside::cuda {

struct RowRange {
  int first = 0;
  int end = 0;
  bool operator==(const RowRange&) const = default;
};

/// The rows of an image that result rows [first, end) of a problem read, its border resolved: increasing,
/// apart from each other.
std::vector<RowRange> neededRows(const ConvolutionProblem& problem, int anchorY, RowRange results);

/// The same for several ranges of results.
std::vector<RowRange> neededRows(const ConvolutionProblem& problem, int anchorY,
                                 const std::vector<RowRange>& results);

/// Rows of one launch or band: as many as `taps` multiply-adds and `bytes` allow, at least one.
struct ChainBands {
  double taps = 1e11;  ///< about 50 ms on a small GPU, so that a stop is noticed in time
  double bytes = 32.0 * (1 << 20);
};

/// `firstAnchorY` and `secondAnchorY` are those of the correlation forms.
std::unique_ptr<ChainedPlan> makeChainPlan(const ChainedProblem& chain, int firstAnchorY, int secondAnchorY,
                                           std::unique_ptr<ChainDevice> device, const ChainBands& bands = {});

}  // namespace bankside::cuda
