#include "kernels/cuda/runtime/kernel_pass.h"

#include "core/error.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

class KernelPass final : public DevicePass {
 public:
  KernelPass(const ConvolutionProblem& p, std::unique_ptr<BandKernel> kernel, int images)
      : problem_(p), types_(outputPlanes(p)), kernel_(std::move(kernel)), images_(images) {}

  std::string variant() const override { return kernel_->describe(); }
  ErrorBound errorBound() const override { return kernel_->errorBound(); }
  std::size_t resultBytes() const override { return imageBytes() * static_cast<std::size_t>(images_); }
  int images() const override { return images_; }
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
    const std::ptrdiff_t channel = static_cast<std::ptrdiff_t>(problem_.width) * problem_.height;
    const ImageBatch batch{
        images_, channel * problem_.channels * static_cast<std::ptrdiff_t>(sizeOf(problem_.srcType)),
        static_cast<std::ptrdiff_t>(imageBytes())};
    kernel_->startBatch(k, batch, channel, problem_.height, static_cast<cudaStream_t>(stream));
  }

 private:
  std::size_t imageBytes() const {
    const Plane last = plane(static_cast<int>(types_.size()) - 1);
    return last.offset + last.rowBytes * static_cast<std::size_t>(problem_.height);
  }
  int stride() const { return roundUp(problem_.width, 64); }
  std::size_t planeElements() const {
    return static_cast<std::size_t>(stride()) * static_cast<std::size_t>(problem_.height);
  }

  ConvolutionProblem problem_;
  std::vector<ElementType> types_;
  std::unique_ptr<BandKernel> kernel_;
  int images_;
};

}  // namespace

std::unique_ptr<DevicePass> makeKernelPass(const ConvolutionProblem& problem,
                                           std::unique_ptr<BandKernel> kernel, int images) {
  if (problem.responseGroups() != 1)
    throw Error(ErrorCode::Unsupported, "a pass on the device takes one response group, not " +
                                            std::to_string(problem.responseGroups()));
  if (problem.width % kernel->rowUnit() != 0)
    throw Error(ErrorCode::Unsupported, kernel->describe() + " cannot run " + format(problem) +
                                            " without copies (rows of whole groups of " +
                                            std::to_string(kernel->rowUnit()) + " pixels)");
  return std::make_unique<KernelPass>(problem, std::move(kernel), images);
}

}  // namespace bankside::cuda
