/// The choice of a shape on the device of this process.
#pragma once

#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {

/// The table's choice if it has one that is near, else that of the rules. `table` may be null. Pure.
Choice choose(const ConvolutionProblem& problem, int anchorX, int anchorY, const TuningTable* table);

/// With the table of this device. Errors  Error{Device}
Choice chooseOnDevice(const ConvolutionProblem& problem, int anchorX, int anchorY);

/// The same for filters over several channels. A table is of launches over one image, and says nothing of
/// others.
SummedChoice chooseSummedOnDevice(const ConvolutionProblem& problem, int images = 1);

/// The same for one channel on the tensor cores.
TensorChoice chooseTensorOnDevice(const ConvolutionProblem& problem);

}  // namespace bankside::cuda
