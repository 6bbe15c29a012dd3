/// Design-space exploration: every shape that fits and every way of splitting the bank over thread blocks,
/// judged, then timed.
#pragma once

#include "kernels/cuda/tuning/device_bench.h"
#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {

/// What could be tried for a problem: fitting shapes (the form of any size only where no other fits) with the
/// bank in 1, 2, 4, ... parts.
std::vector<Choice> candidates(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// Adds a row for every candidate to `report` and the fastest of each cell to the table that it returns.
/// Cells of one channel are tuned for the single-channel kernels and, where the device has them, for the
/// tensor cores, the others for the multichannel kernel; `engines`, by name, may leave some out (empty:
/// none). What `known`, which may be null, says of other cells stays, if it is this device's. Once `stop` is
/// requested the table has what was complete. Errors  as runDeviceBench; Cancelled where nothing was complete
TuningTable tune(BenchReport& report, const std::vector<DeviceCell>& cells,
                 const std::vector<std::string>& engines, const TuningTable* known,
                 const std::function<void(const BenchRow&, double share)>& progress, std::stop_token stop);

}  // namespace bankside::cuda
