#include "kernels/planner/cuda_planner.h"

#include "core/error.h"
#include "core/text.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/runtime/cuda_engine.h"
#include "kernels/cuda/runtime/device_rates.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/planner/cuda_choice.h"

namespace bankside {
namespace {

using namespace planner;

std::string timeText(double microseconds) {
  return formatFixed(microseconds, microseconds < 10 ? 1 : 0) + " us";
}

/// "predicted 530 us (single-channel: 1603 us, fft: not exact) by the rates of NVIDIA H200, precision
/// fp32".
std::string reason(const CudaOption& taken, const std::vector<CudaOption>& others, Precision precision) {
  std::string text = "predicted " + timeText(taken.microseconds) + " (";
  const char* separator = "";
  for (const CudaOption& option : others) {
    text += separator + std::string(engineName(option.path)).substr(5) + ": " +
            (option.why.empty() ? timeText(option.microseconds) : option.why);
    separator = ", ";
  }
  return text + ") by the rates of " + cuda::deviceRates().device + ", precision " + toString(precision);
}

CudaCosts costsHere() {
  const cuda::DeviceRates& here = cuda::deviceRates();
  const cuda::DeviceRates measured;
  CudaCosts costs = cudaCosts({.copy = measured.rates.copyBytes / here.rates.copyBytes,
                               .sums = measured.rates.multiplyAdds / here.rates.multiplyAdds,
                               .multiprocessors = here.multiprocessors});
  if (cuda::tensorState()) costs.tensorUnits = cuda::tensorUnits();
  return costs;
}

class PlannedCudaPlan final : public Plan {
 public:
  PlannedCudaPlan(std::unique_ptr<Plan> plan, CudaOption taken, std::vector<CudaOption> others,
                  Precision precision)
      : plan_(std::move(plan)), taken_(std::move(taken)), others_(std::move(others)), precision_(precision) {}
  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    return plan_->run(source, sink, region, std::move(stop));
  }
  void runAll(RunQueue& queue, std::stop_token stop) override { plan_->runAll(queue, std::move(stop)); }
  NumericTraits traits() const override { return plan_->traits(); }
  std::string device() const override { return plan_->device(); }
  ImageMemory* imageMemory() const override { return plan_->imageMemory(); }
  PlanInfo info() const override {
    const PlanInfo plan = plan_->info();
    return {engineName(taken_.path), plan.shape,
            reason(taken_, others_, precision_) + (plan.why.empty() ? "" : "; " + plan.why)};
  }

 private:
  std::unique_ptr<Plan> plan_;
  CudaOption taken_;
  std::vector<CudaOption> others_;
  Precision precision_;
};

/// A pass that says which engine's it is.
class PlannedPass final : public DevicePass {
 public:
  PlannedPass(std::unique_ptr<DevicePass> pass, const CudaOption& taken, const std::vector<CudaOption>&,
              Precision)
      : pass_(std::move(pass)), engine_(engineName(taken.path)) {}
  std::string variant() const override { return engine_ + ", " + pass_->variant(); }
  ErrorBound errorBound() const override { return pass_->errorBound(); }
  std::size_t resultBytes() const override { return pass_->resultBytes(); }
  Plane plane(int i) const override { return pass_->plane(i); }
  int images() const override { return pass_->images(); }
  void start(const void* src, void* dst, void* stream) override { pass_->start(src, dst, stream); }

 private:
  std::unique_ptr<DevicePass> pass_;
  std::string engine_;
};

class PlannedDevicePlan final : public DevicePlan {
 public:
  PlannedDevicePlan(std::unique_ptr<DevicePlan> plan, CudaOption taken, std::vector<CudaOption> others,
                    Precision precision)
      : plan_(std::move(plan)), path_(engineName(taken.path)), why_(reason(taken, others, precision)) {}
  PlanInfo info() const override { return {path_, plan_->info().shape, why_}; }
  NumericTraits traits() const override { return plan_->traits(); }
  void start(const DevicePlanes& image, const DevicePlanes& results, const DevicePlanes* indices,
             void* stream) override {
    plan_->start(image, results, indices, stream);
  }

 private:
  std::unique_ptr<DevicePlan> plan_;
  std::string path_;
  std::string why_;
};

class CudaPlannerEngine final : public cuda::CudaEngine {
 public:
  std::string name() const override { return "cuda"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Planner}; }
  std::string description() const override {
    return "picks cuda:single-channel, cuda:tensor, cuda:fft, cuda:multichannel or cuda:multichannel-fp16x3, "
           "with precision fp16 those of half precision too; " +
           single_->description();
  }

  Support supports(const ConvolutionProblem& problem) const override {
    const Support single = single_->supports(problem);
    if (single) return single;
    if (const Support state = multichannel_->available(); !state) return state;
    return multichannel_->supports(problem);
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return choose<PlannedCudaPlan>(problem, bank, options.precision,
                                   [&](const Engine& path) { return path.prepare(problem, bank, options); });
  }

  std::unique_ptr<DevicePlan> prepareDevice(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const DevicePlanOptions& options) const override {
    return choose<PlannedDevicePlan>(problem, bank, options.precision, [&](const Engine& path) {
      return dynamic_cast<const DeviceEngine&>(path).prepareDevice(problem, bank, options);
    });
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return prepareBatch(problem, bank, 1);
  }

  std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& problem, const FilterBank& bank,
                                           int images) const override {
    return choose<PlannedPass>(problem, bank, Precision::Fp32, [&](const Engine& path) {
      return dynamic_cast<const DeviceEngine&>(path).prepareBatch(problem, bank, images);
    });
  }

 private:
  const Engine& engineOf(CudaPath path) const {
    switch (path) {
      case CudaPath::SingleChannel: return *single_;
      case CudaPath::Tensor: return *tensor_;
      case CudaPath::TensorFp16: return *tensorFp16_;
      case CudaPath::Multichannel: return *multichannel_;
      case CudaPath::Fp16x3: return *fp16x3_;
      case CudaPath::Fft: return *fft_;
      case CudaPath::Fp16: break;
    }
    return *fp16_;
  }

  /// The best path that takes the problem, and the bank: nothing of a problem shows taps that halves cannot
  /// hold.
  template <class Planned, class Prepare>
  std::unique_ptr<Planned> choose(const ConvolutionProblem& problem, const FilterBank& bank,
                                  Precision precision, const Prepare& prepare) const {
    requireReady(problem);
    std::vector<CudaOption> options =
        rankCudaPaths(problem, correlationTaps(problem, bank), precision, costsHere());
    for (std::size_t i = 0; i < options.size(); ++i) {
      CudaOption& option = options[i];
      if (!option.why.empty()) continue;
      const Engine& path = engineOf(option.path);
      Support support = path.available();
      if (support) support = path.supports(problem);
      if (!support) {
        option.why = support.reason;
        continue;
      }
      try {
        auto prepared = prepare(path);
        const CudaOption taken = option;
        options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
        return std::make_unique<Planned>(std::move(prepared), taken, std::move(options), precision);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::Unsupported) throw;
        option.why = error.what();
      }
    }
    std::string refusals;
    for (const CudaOption& option : options)
      refusals += (refusals.empty() ? "" : "; ") + std::string(engineName(option.path)) + ": " + option.why;
    throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + refusals);
  }

  std::unique_ptr<Engine> single_ = makeSingleChannelEngine();
  std::unique_ptr<Engine> tensor_ = makeTensorEngine();
  std::unique_ptr<Engine> tensorFp16_ = makeHalfTensorEngine();
  std::unique_ptr<Engine> fft_ = makeCudaFftEngine();
  std::unique_ptr<Engine> multichannel_ = makeMultichannelEngine();
  std::unique_ptr<Engine> fp16x3_ = makeSplitHalfMultichannelEngine();
  std::unique_ptr<Engine> fp16_ = makeHalfMultichannelEngine();
};

}  // namespace

std::unique_ptr<Engine> makeCudaPlannerEngine() { return std::make_unique<CudaPlannerEngine>(); }

}  // namespace bankside
