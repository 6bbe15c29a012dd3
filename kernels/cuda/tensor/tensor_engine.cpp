#include "kernels/cuda/tensor/tensor_engine.h"

#include <cmath>

#include "core/text.h"
#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/cuda/tensor/tensor_kernels.h"

namespace bankside {
namespace {

using namespace cuda;

/// Whether halves hold the value that a Constant border gives; `rounded`: whether one does to 11 bits.
bool holdsBorder(const ConvolutionProblem& p, bool rounded) {
  if (!p.border.isConstant() || p.srcType == ElementType::F32) return true;
  const float value = p.srcType == ElementType::U16 ? p.border.value * scaleOfWords : p.border.value;
  const float high = toFloat(toHalf(value));
  if (p.srcType != ElementType::U16) return high == value;
  if (rounded && value != 0 && std::fabs(value) < smallestSplit) return false;
  return high + toFloat(toHalf((value - high) / lowWeight)) * lowWeight == value;
}

class TensorEngine final : public BankEngine {
 public:
  /// `rounded`: to half precision, taps and pixels.
  explicit TensorEngine(bool rounded) : rounded_(rounded) {}

  std::string name() const override { return rounded_ ? "cuda:tensor-fp16" : "cuda:tensor"; }

  std::string description() const override {
    if (rounded_) return "tensor cores, taps and pixels in half precision, f32 sums";
    const Support state = tensorState();
    const TensorForm form = state ? tensorUnits().form : TensorForm::Warpgroups;
    return std::string("tensor cores, sums of f32 accuracy, ") + std::to_string(tensorKernelCount(form)) +
           " kernels" + (form == TensorForm::Warps ? " by mma.sync" : "") + notTried();
  }

  Support available() const override { return tensorState(); }

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

 protected:
  std::unique_ptr<BandKernel> load(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                   const BankUse& use) const override {
    PartialProducts products = productsFor(problem, taps.taps);
    if (rounded_ && products != PartialProducts::Exact) products = PartialProducts::Rounded;
    return std::make_unique<TensorBank>(problem, taps, products, TensorChoice{}, use.besideOthers);
  }

 private:
  bool rounded_;
};

}  // namespace

std::unique_ptr<Engine> makeTensorEngine() { return std::make_unique<TensorEngine>(false); }
std::unique_ptr<Engine> makeHalfTensorEngine() { return std::make_unique<TensorEngine>(true); }

}  // namespace bankside
