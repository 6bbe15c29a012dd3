/// The multichannel kernels on pixels that lie on the device.
#pragma once

#include "kernels/cuda/device_pass.h"
#include "kernels/cuda/multichannel/choose_summed.h"

namespace bankside::cuda {

/// Errors  Error{BadInput} if the bank is not the problem's; Error{Unsupported} for channels that are not
/// summed; Error{Device}, Error{Limit}
std::unique_ptr<DevicePass> makeSummedPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                           const SummedChoice& choice);

}  // namespace bankside::cuda
