#include "kernels/cuda/paper/paper_engines.h"

#include "kernels/cuda/paper/general_bank.h"
#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside {
namespace {

using namespace cuda;

class PaperEngine final : public BankEngine {
 public:
  std::string name() const override { return "cuda:single-channel-paper"; }
  std::string description() const override {
    return "Algorithm 1 of Chen et al., DAC 2017, its tile tuned for an H100";
  }

  Support supports(const ConvolutionProblem& p) const override {
    if (const Support general = general_->supports(p); !general) return general;
    if (p.combine != Combine::None)
      return Support::no(std::string("the paper's algorithm writes every response and fuses no ") +
                         toString(p.combine));
    if (choosePaperVariant(p, p.anchorX, p.anchorY) < 0)
      return Support::no(
          "the paper's algorithm is compiled for 1 x 1, 3 x 3, 5 x 5 and 7 x 7 filters anchored "
          "in the middle, with borders that the pixels' type holds");
    return Support::yes();
  }

 protected:
  /// Every block makes all filters: the paper's order.
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& p, const CorrelationTaps& taps,
                                   const BankUse&) const override {
    const Choice choice{choosePaperVariant(p, p.anchorX, p.anchorY), p.filterCount};
    return makeSingleChannelBand(p, taps, {.choice = choice});
  }

 private:
  std::unique_ptr<Engine> general_ = makeSingleChannelEngine();
};

class PaperMultichannelEngine final : public BankEngine {
 public:
  std::string name() const override { return "cuda:multichannel-paper"; }
  std::string description() const override {
    return "Algorithm 2 of Chen et al., DAC 2017, as it stands: the next channels through registers, taps "
           "transposed on the way to shared memory";
  }
  Support supports(const ConvolutionProblem& p) const override {
    if (chooseGeneralVariant(p) < 0)
      return Support::no("Algorithm 2 is compiled for filters of 3 x 3, 5 x 5 and 7 x 7");
    return Support::yes();
  }
  std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& p, const FilterBank& bank,
                                           int images) const override {
    requireReady(p);
    return makeKernelPass(p, load(p, correlationTaps(p, bank), {}), images);
  }

 protected:
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& p, const CorrelationTaps& taps,
                                   const BankUse&) const override {
    return std::make_unique<GeneralBank>(p, taps, chooseGeneralVariant(p));
  }
};

}  // namespace

std::unique_ptr<Engine> makePaperEngine() { return std::make_unique<PaperEngine>(); }
std::unique_ptr<Engine> makePaperMultichannelEngine() { return std::make_unique<PaperMultichannelEngine>(); }

}  // namespace bankside
