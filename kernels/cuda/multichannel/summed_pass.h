/// The multichannel kernels on pixels that lie on the device.
#pragma once

#include "kernels/cuda/device_pass.h"
#include "kernels/cuda/multichannel/summed_bank.h"

namespace bankside::cuda {

/// Errors  Error{Unsupported} for channels that are not summed
std::unique_ptr<DevicePass> makeSummedPass(const ConvolutionProblem& problem,
                                           std::unique_ptr<ChannelBank> bank);

}  // namespace bankside::cuda
