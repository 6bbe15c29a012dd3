#include "kernels/cuda/single_channel/single_channel_engine.h"

#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/single_channel/launch_table.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside {
namespace {

using namespace cuda;

std::string versionOf(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

class SingleChannelEngine final : public BankEngine {
 public:
  std::string name() const override { return "cuda:single-channel"; }

  std::string description() const override {
    int runtime = 0;
    int driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    return "CUDA " + versionOf(runtime) +
           (driver == 0 ? ", no driver" : ", driver for CUDA " + versionOf(driver)) + ", " +
           std::to_string(compiledKernels()) + " kernels" + notTried();
  }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.channels > 1 && p.channelMode == ChannelMode::Summed) {
      return Support::no("filters over several channels at once (" + std::to_string(p.channels) +
                         ") are not for the single-channel kernel");
    }
    return Support::yes();
  }

 protected:
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                   const BankUse& use) const override {
    return makeSingleChannelBand(problem, taps, {.besideOthers = use.besideOthers});
  }
};

}  // namespace

std::unique_ptr<Engine> makeSingleChannelEngine() { return std::make_unique<SingleChannelEngine>(); }

}  // namespace bankside
