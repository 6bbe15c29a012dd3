#include "kernels/cuda/chain/chained_engine.h"

#include "kernels/cuda/chain/chain_plan.h"
#include "kernels/cuda/chain/cuda_chain.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/runtime/device_mutex.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"

namespace bankside {
namespace {

using namespace cuda;

bool sumsChannels(const ConvolutionProblem& p) { return p.tapChannels() > 1; }

std::unique_ptr<BandKernel> loadBank(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  if (sumsChannels(p)) return std::make_unique<SummedBank>(p, taps, chooseSummed(p));
  return makeSingleChannelBand(p, taps);
}

/// Holds the device for as long as a chain runs: constant memory is one for the process.
class LockedChain final : public ChainedPlan {
 public:
  explicit LockedChain(std::unique_ptr<ChainedPlan> plan) : plan_(std::move(plan)) {}
  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    if (const Support state = deviceState(); !state) throw Error(ErrorCode::Device, state.reason);
    const std::lock_guard lock(deviceMutex());
    return plan_->run(source, sink, region, std::move(stop));
  }
  PlanInfo info() const override { return plan_->info(); }
  NumericTraits traits() const override { return plan_->traits(); }
  ErrorBound firstErrorBound() const override { return plan_->firstErrorBound(); }

 private:
  std::unique_ptr<ChainedPlan> plan_;
};

class ChainedEngine final : public Engine {
 public:
  std::string name() const override { return "cuda:chained"; }
  std::string device() const override { return summed_->device(); }
  std::string description() const override {
    return "the single-channel and multichannel kernels; between two banks the maps stay on the device";
  }
  Support available() const override { return summed_->available(); }
  Support supports(const ConvolutionProblem& p) const override { return of(p).supports(p); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return of(problem).prepare(problem, bank, options);
  }

  std::unique_ptr<ChainedPlan> prepareChain(const ChainedProblem& chain, const FilterBank& first,
                                            const FilterBank& second, const PlanOptions&) const override {
    requireSupport(*this, chain.first);
    requireSupport(*this, chain.second);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
    const CorrelationTaps firstTaps = correlationTaps(chain.first, first);
    const CorrelationTaps secondTaps = correlationTaps(chain.second, second);
    auto one = loadBank(chain.first, firstTaps);
    auto two = loadBank(chain.second, secondTaps);
    const ChainBands bands;
    std::size_t free = 0;
    std::size_t all = 0;
    BANKSIDE_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    // Half of what is free: others use the device too. Else the runner keeps the maps on the host.
    if (chainBytes(chain, *one, *two, bands.bytes) > 0.5 * static_cast<double>(free)) return nullptr;
    return std::make_unique<LockedChain>(makeChainPlan(chain, firstTaps.anchorY, secondTaps.anchorY,
                                                       makeCudaChain(chain, std::move(one), std::move(two)),
                                                       bands));
  }

 private:
  const Engine& of(const ConvolutionProblem& p) const { return sumsChannels(p) ? *summed_ : *single_; }

  std::unique_ptr<Engine> single_ = makeSingleChannelEngine();
  std::unique_ptr<Engine> summed_ = makeMultichannelEngine();
};

}  // namespace

std::unique_ptr<Engine> makeChainedEngine() { return std::make_unique<ChainedEngine>(); }

}  // namespace bankside
