/// What all engines on an NVIDIA GPU have in common. No CUDA, so that the planner is one in every build.
#pragma once

#include "core/error.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

class CudaEngine : public DeviceEngine {
 public:
  /// The GPU's name; "NVIDIA GPU" where there is none.
  std::string device() const override;
  /// Whether there are a driver and a device, and no error that stays until a restart.
  Support available() const override;

 protected:
  /// Throws Error{Unsupported} with the sentence of `supports` or `available`.
  void requireReady(const ConvolutionProblem& problem) const {
    requireSupport(*this, problem);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
  }
};

}  // namespace bankside::cuda
