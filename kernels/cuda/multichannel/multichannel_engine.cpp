#include "kernels/cuda/multichannel/multichannel_engine.h"

#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/multichannel/fma/few_channels_bank.h"
#include "kernels/cuda/multichannel/fma/summed_table.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/runtime/device_state.h"

namespace bankside {
namespace {

using namespace cuda;

/// Filters over all channels at once, of one image or of several in one launch.
class ChannelSumsEngine : public BankEngine {
 public:
  Support supports(const ConvolutionProblem& p) const override {
    if (p.filterHeight > mostFilterHeight || p.filterWidth > mostFilterHeight) {
      return Support::no("filter " + std::to_string(p.filterHeight) + "x" + std::to_string(p.filterWidth) +
                         " is larger than the compiled set 1x1 to 15x15");
    }
    return Support::yes();
  }

  std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& problem, const FilterBank& bank,
                                           int images) const override {
    requireReady(problem);
    return makeKernelPass(problem, loadFor(problem, correlationTaps(problem, bank), Precision::Fp32, images),
                          images);
  }

 protected:
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                   const BankUse& use) const override {
    return loadFor(problem, taps, use.precision, 1);
  }
  /// For launches over `images` images, any split; for 1 a plan may launch several, with one image's split.
  virtual std::unique_ptr<BandKernel> loadFor(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                              Precision precision, int images) const = 0;
};

class MultichannelEngine final : public ChannelSumsEngine {
 public:
  std::string name() const override { return "cuda:multichannel"; }
  std::string description() const override {
    return "filters over all channels at once, " + std::to_string(summedKernels().size()) + " kernels";
  }

 protected:
  /// Split channels are not summed in the direct order.
  std::unique_ptr<BandKernel> loadFor(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                      Precision precision, int images) const override {
    const std::size_t mostShared = deviceTraits().mostShared;
    SummedChoice choice = chooseSummed(problem, images, precision == Precision::Exact ? 1 : 0, mostShared);
    if (images == 1 && takesFewChannels(problem, predictedSeconds(choice, problem))) {
      if (fewChannelsBytes(problem) <= mostShared) return std::make_unique<FewChannelsBank>(problem, taps);
      choice = chooseSummed(problem, images, 1, mostShared);  // in the same order
    }
    return std::make_unique<SummedBank>(problem, taps, choice,
                                        images == 1 ? chooseTogether(choice, problem, mostShared) : choice);
  }
};

class TensorMultichannelEngine final : public ChannelSumsEngine {
 public:
  TensorMultichannelEngine(TensorMode mode, std::string name, std::string how)
      : mode_(mode), name_(std::move(name)), how_(std::move(how)) {}
  std::string name() const override { return name_; }
  std::string description() const override { return "filters over all channels at once, " + how_; }
  Support available() const override { return hopperState(); }

 protected:
  std::unique_ptr<BandKernel> loadFor(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                      Precision, int images) const override {
    return std::make_unique<MatrixBank>(problem, taps, withoutEmptyParts(mode_, problem), images);
  }

 private:
  TensorMode mode_;
  std::string name_, how_;
};

}  // namespace

std::unique_ptr<Engine> makeMultichannelEngine() { return std::make_unique<MultichannelEngine>(); }
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
