#include "kernels/cuda/fft/fft_engine.h"

#include "core/error.h"
#include "kernels/cuda/fft/fft_bank.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside {
namespace {

using namespace cuda;

/// Bands of several rows of tiles.
constexpr double fftBandBytes = 4 * defaultBandBytes;

class CudaFftEngine final : public DeviceEngine {
 public:
  std::string name() const override { return "cuda:fft"; }

  std::string device() const override {
    cudaDeviceProp properties{};
    if (!deviceState() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "NVIDIA GPU";
    return properties.name;
  }

  std::string description() const override { return "transforms of tiles, " + transformLibrary(); }

  Support available() const override {
    const Support state = deviceState();
    return state ? transformsAvailable() : state;
  }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.channels > 1 && p.channelMode == ChannelMode::Summed) {
      return Support::no("filters over several channels at once (" + std::to_string(p.channels) +
                         ") are not for transforms on the GPU");
    }
    if (chooseFftLayout(p).width == 0) {
      return Support::no("the spectra of " + std::to_string(p.filterCount) +
                         " filters would take more than 1 GiB");
    }
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    const CorrelationTaps taps = checkedTaps(problem, bank);
    return makeBandPlan(problem, taps.anchorY, std::make_unique<FftBank>(problem, taps), options,
                        fftBandBytes);
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return makeKernelPass(problem, std::make_unique<FftBank>(problem, checkedTaps(problem, bank)));
  }

 private:
  CorrelationTaps checkedTaps(const ConvolutionProblem& problem, const FilterBank& bank) const {
    requireSupport(*this, problem);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
    return correlationTaps(problem, bank);
  }
};

}  // namespace

std::unique_ptr<Engine> makeCudaFftEngine() { return std::make_unique<CudaFftEngine>(); }

}  // namespace bankside
