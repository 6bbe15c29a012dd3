#include "kernels/cuda/multichannel/summed_pass.h"

#include "core/error.h"

namespace bankside::cuda {
namespace {

class SummedPass final : public DevicePass {
 public:
  SummedPass(const ConvolutionProblem& p, std::unique_ptr<ChannelBank> bank)
      : problem_(p), types_(outputPlanes(p)), bank_(std::move(bank)) {}

  std::string variant() const override { return bank_->describe(); }
  ErrorBound errorBound() const override { return bank_->errorBound(); }
  std::size_t resultBytes() const override {
    const Plane last = plane(static_cast<int>(types_.size()) - 1);
    return last.offset + last.rowBytes * static_cast<std::size_t>(problem_.height);
  }
  Plane plane(int i) const override {
    return {static_cast<std::size_t>(i) * planeElements() * sizeOf(types_.front()),
            static_cast<std::size_t>(stride()) * sizeOf(types_[static_cast<std::size_t>(i)])};
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
    bank_->start(k, static_cast<std::ptrdiff_t>(problem_.width) * problem_.height, problem_.height,
                 static_cast<cudaStream_t>(stream));
  }

 private:
  int stride() const { return roundUp(problem_.width, 64); }
  std::size_t planeElements() const {
    return static_cast<std::size_t>(stride()) * static_cast<std::size_t>(problem_.height);
  }

  ConvolutionProblem problem_;
  std::vector<ElementType> types_;
  std::unique_ptr<ChannelBank> bank_;
};

}  // namespace

std::unique_ptr<DevicePass> makeSummedPass(const ConvolutionProblem& problem,
                                           std::unique_ptr<ChannelBank> bank) {
  if (problem.responseGroups() != 1)
    throw Error(ErrorCode::Unsupported, "a pass on the device takes one response group, not " +
                                            std::to_string(problem.responseGroups()));
  return std::make_unique<SummedPass>(problem, std::move(bank));
}

}  // namespace bankside::cuda
