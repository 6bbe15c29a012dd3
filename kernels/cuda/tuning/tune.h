/// Design-space exploration: every shape that fits and every way of splitting the bank over thread blocks,
/// judged, then timed.
#pragma once

#include "kernels/cuda/single_channel/tuning_table.h"
#include "kernels/cuda/tuning/device_bench.h"

namespace bankside::cuda {

/// What could be tried for a problem: fitting shapes (the form of any size only where no other fits) with the
/// bank in 1, 2, 4, ... parts.
std::vector<Choice> candidates(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// The shapes of Algorithm 1 for a problem; a block makes all filters, as the paper has it.
std::vector<Choice> paperCandidates(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// Adds a row for every candidate to `report`: of the single-channel kernel, Algorithm 1 and, where the
/// device has them, the tensor cores for cells of one channel, of the multichannel kernel and Algorithm 2 for
/// the others; `engines`, by name, may leave some out (empty: none). Returns the fastest single-channel shape
/// of every cell. Once `stop` is requested it has what was complete. Errors  as runDeviceBench; Cancelled
/// where nothing was complete
TuningTable tune(BenchReport& report, const std::vector<DeviceCell>& cells,
                 const std::vector<std::string>& engines,
                 const std::function<void(const BenchRow&, double share)>& progress, std::stop_token stop);

}  // namespace bankside::cuda
