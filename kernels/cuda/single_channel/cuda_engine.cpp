#include "kernels/cuda/single_channel/cuda_engine.h"

#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/single_channel/choose_variant.h"
#include "kernels/cuda/single_channel/launch_table.h"
#include "kernels/cuda/single_channel/single_channel_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside {
namespace {

using namespace cuda;

std::string versionOf(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

class SingleChannelEngine final : public DeviceEngine {
 public:
  std::string name() const override { return "cuda:single-channel"; }

  std::string device() const override {
    cudaDeviceProp properties{};
    if (!deviceState() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "NVIDIA GPU";
    return properties.name;
  }

  std::string description() const override {
    int runtime = 0;
    int driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    return "CUDA " + versionOf(runtime) +
           (driver == 0 ? ", no driver" : ", driver for CUDA " + versionOf(driver)) + ", " +
           std::to_string(compiledKernels()) + " kernels";
  }

  Support available() const override { return deviceState(); }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.channels > 1 && p.channelMode == ChannelMode::Summed) {
      return Support::no("filters over several channels at once (" + std::to_string(p.channels) +
                         ") are not for the single-channel kernel");
    }
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
    return makeSingleChannelPlan(problem, bank, options);
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return makeSingleChannelPass(problem, bank);
  }
};

/// The same plans and passes, with Algorithm 1's kernel and nothing else.
class PaperEngine final : public DeviceEngine {
 public:
  std::string name() const override { return "cuda:single-channel-paper"; }
  std::string device() const override { return general_.device(); }
  std::string description() const override {
    return "Algorithm 1 of Chen et al., DAC 2017, as it stands: W = 256, H = 8, units as wide as a bank";
  }
  Support available() const override { return deviceState(); }

  Support supports(const ConvolutionProblem& p) const override {
    if (const Support general = general_.supports(p); !general) return general;
    if (p.combine != Combine::None)
      return Support::no(std::string("the paper's algorithm writes every response and fuses no ") +
                         toString(p.combine));
    if (matchedPaperVariant(p, p.anchorX, p.anchorY) < 0)
      return Support::no(
          "the paper's algorithm is compiled for 1 x 1, 3 x 3, 5 x 5 and 7 x 7 filters anchored "
          "in the middle, with borders that the pixels' type holds");
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
    return makeSingleChannelPlan(problem, bank, options, tuningFor(problem));
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    requireSupport(*this, problem);
    return makeSingleChannelPass(problem, bank, tuningFor(problem));
  }

 private:
  /// Every block makes all filters: the paper's order.
  static PlanTuning tuningFor(const ConvolutionProblem& p) {
    return {.choice = {matchedPaperVariant(p, p.anchorX, p.anchorY), p.filterCount}};
  }

  SingleChannelEngine general_;
};

}  // namespace

std::unique_ptr<Engine> makePaperEngine() { return std::make_unique<PaperEngine>(); }

std::unique_ptr<Engine> makeSingleChannelEngine() { return std::make_unique<SingleChannelEngine>(); }

std::string cudaBuildSummary() { return std::to_string(compiledKernels()) + " CUDA kernels"; }

}  // namespace bankside
