/// The choice of a shape on the device of this process.
#pragma once

#include "kernels/cuda/single_channel/tuning_table.h"

namespace bankside::cuda {

/// The table's choice if it has one that is near, else that of the rules. `table` may be null. Pure.
Choice choose(const ConvolutionProblem& problem, int anchorX, int anchorY, const TuningTable* table,
              std::size_t mostShared = anyShared);

/// With the table of this device. Errors  Error{Device}
Choice chooseOnDevice(const ConvolutionProblem& problem, int anchorX, int anchorY);

}  // namespace bankside::cuda
