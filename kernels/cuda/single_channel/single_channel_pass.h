/// The single-channel kernels on buffers that lie on the device.
#pragma once

#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside::cuda {

/// Result rows start on boundaries of 64 elements. One channel.
/// Errors  Error{Unsupported} if the variant does not fit; Error{Device}, Error{Limit}
std::unique_ptr<DevicePass> makeSingleChannelPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                                  const PlanTuning& tuning = {});

}  // namespace bankside::cuda
