#include "kernels/cuda/single_channel_pass.h"

#include "kernels/cuda/device_choice.h"
#include "kernels/cuda/loaded_bank.h"

namespace bankside::cuda {
namespace {

class SingleChannelPass final : public DevicePass {
 public:
  SingleChannelPass(const ConvolutionProblem& p, const CorrelationTaps& taps, const Choice& choice)
      : problem_(p), types_(outputPlanes(p)), bank_(p, taps, choice) {}

  std::string variant() const override { return bank_.describe(); }
  ErrorBound errorBound() const override {
    return {gammaBound(static_cast<double>(problem_.filterHeight) * problem_.filterWidth), true};
  }
  std::size_t resultBytes() const override {
    const Plane last = plane(static_cast<int>(types_.size()) - 1);
    return last.offset + last.rowBytes * static_cast<std::size_t>(problem_.height);
  }
  Plane plane(int i) const override {
    // ArgMax's index plane comes last and is of another type.
    const bool index = problem_.combine == Combine::ArgMax && i == 1;
    const std::size_t before = index ? planeElements() * sizeOf(types_.front())
                                     : static_cast<std::size_t>(i) * planeElements() * sizeOf(types_.front());
    return {before, static_cast<std::size_t>(stride()) * sizeOf(types_[static_cast<std::size_t>(i)])};
  }

  void start(const void* src, void* dst, void* stream) override {
    KernelArguments k;
    k.src = {src, problem_.width, problem_.srcType, problem_.width, problem_.height, 0, false};
    k.dst.pixels = dst;
    k.dst.type = types_.front();
    k.dst.stride = stride();
    k.dst.planeStride = static_cast<std::ptrdiff_t>(planeElements());
    if (problem_.combine == Combine::ArgMax)
      k.dst.index = reinterpret_cast<std::uint16_t*>(static_cast<std::byte*>(dst) + plane(1).offset);
    k.width = problem_.width;
    k.height = problem_.height;
    bank_.start(k, static_cast<cudaStream_t>(stream));
  }

 private:
  int stride() const { return roundUp(problem_.width, 64); }
  std::size_t planeElements() const {
    return static_cast<std::size_t>(stride()) * static_cast<std::size_t>(problem_.height);
  }

  ConvolutionProblem problem_;
  std::vector<ElementType> types_;
  LoadedBank bank_;
};

}  // namespace

std::unique_ptr<DevicePass> makeSingleChannelPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                                  const PlanTuning& tuning) {
  const CorrelationTaps taps = correlationTaps(problem, bank);
  Choice choice = tuning.choice;
  if (choice.variant < 0) choice = chooseOnDevice(problem, taps.anchorX, taps.anchorY);
  if (problem.channels != 1 || problem.width % 4 != 0 ||
      !fits(variants()[static_cast<std::size_t>(choice.variant)], problem, taps.anchorX, taps.anchorY))
    throw Error(ErrorCode::Unsupported,
                "variant " + variants()[static_cast<std::size_t>(choice.variant)].name + " cannot run " +
                    format(problem) + " without copies (one channel, rows of whole groups of four pixels)");
  return std::make_unique<SingleChannelPass>(problem, taps, choice);
}

}  // namespace bankside::cuda
