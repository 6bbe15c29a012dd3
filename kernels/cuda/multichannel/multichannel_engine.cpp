#include "kernels/cuda/multichannel/multichannel_engine.h"

#include "kernels/cuda/multichannel/fma/summed_table.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/paper/general_bank.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/cuda/tuning/device_choice.h"

namespace bankside {
namespace {

using namespace cuda;

class MultichannelEngine : public DeviceEngine {
 public:
  std::string name() const override { return "cuda:multichannel"; }

  std::string device() const override {
    cudaDeviceProp properties{};
    if (!deviceState() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "NVIDIA GPU";
    return properties.name;
  }

  std::string description() const override {
    return "filters over all channels at once, " + std::to_string(summedKernels().size()) + " kernels";
  }

  Support available() const override {
    if (Support state = deviceState(); !state) return state;
    int major = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess || major < 9)
      return Support::no("the multichannel kernel needs a GPU of compute capability 9.0 or later (clusters)");
    return Support::yes();
  }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.filterHeight > mostFilterHeight || p.filterWidth > mostFilterHeight) {
      return Support::no("filter " + std::to_string(p.filterHeight) + "x" + std::to_string(p.filterWidth) +
                         " is larger than the compiled set 1x1 to 15x15");
    }
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
    const CorrelationTaps taps = correlationTaps(problem, bank);
    return makeBandPlan(problem, taps.anchorY, load(problem, taps, 1), options);
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return prepareBatch(problem, bank, 1);
  }

  std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& problem, const FilterBank& bank,
                                           int images) const override {
    requireSupport(*this, problem);
    return makeKernelPass(problem, load(problem, correlationTaps(problem, bank), images), images);
  }

 protected:
  /// For launches over `images` images, any split; for 1 a plan may launch several, with one image's split.
  virtual std::unique_ptr<ChannelBank> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                            int images) const {
    const SummedChoice choice = chooseSummedOnDevice(problem, images);
    return std::make_unique<SummedBank>(problem, taps, choice,
                                        images == 1 ? chooseTogether(choice, problem) : choice);
  }
};

class PaperMultichannelEngine final : public MultichannelEngine {
 public:
  std::string name() const override { return "cuda:multichannel-paper"; }
  std::string description() const override {
    return "Algorithm 2 of Chen et al., DAC 2017, as it stands; kept to be measured against";
  }
  Support supports(const ConvolutionProblem& p) const override {
    if (chooseGeneralVariant(p) < 0)
      return Support::no("Algorithm 2 is compiled for filters of 3x3, 5x5 and 7x7");
    return Support::yes();
  }

 protected:
  std::unique_ptr<ChannelBank> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                    int) const override {
    return std::make_unique<GeneralBank>(problem, taps, chooseGeneralVariant(problem));
  }
};

class TensorMultichannelEngine final : public MultichannelEngine {
 public:
  TensorMultichannelEngine(TensorMode mode, std::string name, std::string how)
      : mode_(mode), name_(std::move(name)), how_(std::move(how)) {}
  std::string name() const override { return name_; }
  std::string description() const override { return "filters over all channels at once, " + how_; }
  Support available() const override { return hopperState(); }

 protected:
  std::unique_ptr<ChannelBank> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                    int images) const override {
    return std::make_unique<MatrixBank>(problem, taps, withoutEmptyParts(mode_, problem), images);
  }

 private:
  TensorMode mode_;
  std::string name_, how_;
};

}  // namespace

std::unique_ptr<Engine> makeMultichannelEngine() { return std::make_unique<MultichannelEngine>(); }
std::unique_ptr<Engine> makePaperMultichannelEngine() { return std::make_unique<PaperMultichannelEngine>(); }
std::unique_ptr<Engine> makeTensorMultichannelEngine() {
  return std::make_unique<TensorMultichannelEngine>(TensorMode::Tf32x3, "cuda:multichannel-tf32x3",
                                                    "three TF32 products on the tensor cores for one of f32");
}
std::unique_ptr<Engine> makeSplitHalfMultichannelEngine() {
  return std::make_unique<TensorMultichannelEngine>(
      TensorMode::Fp16x3, "cuda:multichannel-fp16x3",
      "three products of halves on the tensor cores for one of f32");
}
std::unique_ptr<Engine> makeHalfMultichannelEngine() {
  return std::make_unique<TensorMultichannelEngine>(TensorMode::Fp16, "cuda:multichannel-fp16",
                                                    "pixels and taps in half precision on the tensor cores");
}

}  // namespace bankside
