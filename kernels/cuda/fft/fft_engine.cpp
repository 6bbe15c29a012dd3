#include "kernels/cuda/fft/fft_engine.h"

#include "kernels/cuda/fft/fft_bank.h"
#include "kernels/cuda/runtime/bank_engine.h"

namespace bankside {
namespace {

using namespace cuda;

class CudaFftEngine final : public BankEngine {
 public:
  std::string name() const override { return "cuda:fft"; }

  std::string description() const override { return "transforms of tiles, " + transformLibrary(); }

  Support available() const override {
    const Support state = CudaEngine::available();
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

 protected:
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                   const BankUse& use) const override {
    return std::make_unique<FftBank>(problem, taps, use.besideOthers);
  }
  /// Several rows of tiles.
  double bandBytes() const override { return 4 * defaultBandBytes; }
};

}  // namespace

std::unique_ptr<Engine> makeCudaFftEngine() { return std::make_unique<CudaFftEngine>(); }

}  // namespace bankside
