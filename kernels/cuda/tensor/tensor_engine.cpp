#include "kernels/cuda/tensor/tensor_engine.h"

#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "kernels/cuda/tensor/tensor_kernels.h"
#include "kernels/cuda/tuning/device_choice.h"

namespace bankside {
namespace {

using namespace cuda;

/// Whether halves hold the value that a Constant border gives; `rounded`: whether one does to 11 bits.
bool holdsBorder(const ConvolutionProblem& p, bool rounded) {
  if (p.border.kind != BorderKind::Constant || p.srcType == ElementType::F32) return true;
  const float value = p.srcType == ElementType::U16 ? p.border.value * scaleOfWords : p.border.value;
  const float high = toFloat(toHalf(value));
  if (p.srcType != ElementType::U16) return high == value;
  if (rounded && value != 0 && std::fabs(value) < smallestSplit) return false;
  return high + toFloat(toHalf((value - high) / lowWeight)) * lowWeight == value;
}

class TensorEngine final : public DeviceEngine {
 public:
  /// `rounded`: to half precision, taps and pixels.
  explicit TensorEngine(bool rounded) : rounded_(rounded) {}

  std::string name() const override { return rounded_ ? "cuda:tensor-fp16" : "cuda:tensor"; }

  std::string device() const override {
    cudaDeviceProp properties{};
    if (!deviceState() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "NVIDIA GPU";
    return properties.name;
  }

  std::string description() const override {
    if (rounded_) return "tensor cores, taps and pixels in half precision, f32 sums";
    return "tensor cores, sums of f32 accuracy, " + std::to_string(tensorKernelCount()) + " kernels";
  }

  Support available() const override { return hopperState(); }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.channels > 1 && p.channelMode == ChannelMode::Summed) {
      return Support::no("filters over several channels at once (" + std::to_string(p.channels) +
                         ") are not for the tensor-core kernel");
    }
    if (p.filterHeight > mostTensorSide || p.filterWidth > mostTensorSide) {
      return Support::no("filter " + std::to_string(p.filterHeight) + "x" + std::to_string(p.filterWidth) +
                         " is larger than 31x31");
    }
    if (!holdsBorder(p, rounded_))
      return Support::no("half precision does not hold the border value in " + format(p.border));
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    requireAvailable();
    const CorrelationTaps taps = correlationTaps(problem, bank);
    return makeBandPlan(problem, taps.anchorY, bankOf(problem, taps), options);
  }

  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    requireSupport(*this, problem);
    requireAvailable();
    return makeKernelPass(problem, bankOf(problem, correlationTaps(problem, bank)));
  }

 private:
  std::unique_ptr<TensorBank> bankOf(const ConvolutionProblem& problem, const CorrelationTaps& taps) const {
    TapProducts products = productsFor(problem, taps.taps);
    if (rounded_ && products != TapProducts::Exact) products = TapProducts::Rounded;
    // Tables are of banks that need no more and no less products than most.
    const TensorChoice choice =
        products == TapProducts::Most ? chooseTensorOnDevice(problem) : TensorChoice{};
    return std::make_unique<TensorBank>(problem, taps, products, choice);
  }

  void requireAvailable() const {
    if (const Support state = available(); !state)
      throw Error(ErrorCode::Unsupported, "engine " + name() + ": " + state.reason);
  }

  bool rounded_;
};

}  // namespace

std::unique_ptr<Engine> makeTensorEngine() { return std::make_unique<TensorEngine>(false); }
std::unique_ptr<Engine> makeHalfTensorEngine() { return std::make_unique<TensorEngine>(true); }

}  // namespace bankside
