/// An engine that is a bank on the device: its plans run it in bands or over somebody's device memory, its
/// passes over buffers that lie there.
#pragma once

#include "kernels/cuda/runtime/band_plan.h"
#include "kernels/cuda/runtime/cuda_engine.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_plan.h"
#include "kernels/cuda/runtime/kernel_pass.h"

namespace bankside::cuda {

class BankEngine : public CudaEngine {
 public:
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return prepareInBands(problem, bank, options, bandBytes());
  }

  /// `prepare` with bands of about so many bytes.
  std::unique_ptr<Plan> prepareInBands(const ConvolutionProblem& problem, const FilterBank& bank,
                                       const PlanOptions& options, double bytes) const {
    requireReady(problem);
    const CorrelationTaps taps = correlationTaps(problem, bank);
    const BankUse use{options.precision};
    return makeBandPlan(
        problem, taps.anchorY, [this, problem, taps, use] { return load(problem, taps, use); }, options,
        bytes);
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    requireReady(problem);
    const CurrentDevice here;
    return makeKernelPass(problem, load(problem, correlationTaps(problem, bank), {}));
  }

  std::unique_ptr<DevicePlan> prepareDevice(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const DevicePlanOptions& options) const override {
    requireReady(problem);
    const CurrentDevice here;
    return makeDevicePlan(problem, load(problem, correlationTaps(problem, bank), {options.precision, true}),
                          options.anySteps);
  }

 protected:
  /// The bank, its taps on the device. Of Precision::Exact in the direct order, where the engine has others.
  /// Errors  Error{Unsupported}, Error{Device}, Error{Limit}
  virtual std::unique_ptr<BandKernel> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                           const BankUse& use) const = 0;
  virtual double bandBytes() const { return defaultBandBytes; }
};

}  // namespace bankside::cuda
