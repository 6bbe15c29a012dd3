#include "kernels/cuda/runtime/kernel_pass.h"

#include "core/error.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/align_rows.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/plane_launch.h"

namespace bankside::cuda {
namespace {

class KernelPass final : public DevicePass {
 public:
  KernelPass(const ConvolutionProblem& p, std::unique_ptr<BandKernel> kernel, int images)
      : problem_(p), types_(outputPlanes(p)), kernel_(std::move(kernel)), images_(images) {
    // Before a stream is recorded, which cannot allocate.
    if (aligns()) aligned_.reserve(alignedRowBytes(rowBytes()) * rows() * static_cast<std::size_t>(images));
  }

  std::string variant() const override { return kernel_->describe(); }
  ErrorBound errorBound() const override { return kernel_->errorBound(); }
  std::size_t resultBytes() const override { return imageBytes() * static_cast<std::size_t>(images_); }
  int images() const override { return images_; }
  Plane plane(int i) const override {
    // ArgMax's index plane comes last and is of another type.
    const bool index = problem_.combine == Combine::ArgMax && i == 1;
    const std::size_t before = index ? planeElements() * sizeOf(types_.front())
                                     : static_cast<std::size_t>(i) * planeElements() * sizeOf(types_.front());
    return {before, static_cast<std::size_t>(resultStride()) * sizeOf(types_[static_cast<std::size_t>(i)])};
  }

  void start(const void* src, void* dst, void* stream) override {
    const auto pixelBytes = static_cast<std::ptrdiff_t>(sizeOf(problem_.srcType));
    std::ptrdiff_t row = static_cast<std::ptrdiff_t>(rowBytes());
    if (aligns()) {
      startAlignRows(src, rowBytes(), rows() * static_cast<std::size_t>(images_), aligned_.data(),
                     static_cast<cudaStream_t>(stream));
      src = aligned_.data();
      row = static_cast<std::ptrdiff_t>(alignedRowBytes(rowBytes()));
    }
    const auto valueBytes = static_cast<std::ptrdiff_t>(sizeOf(types_.front()));
    const auto elements = static_cast<std::ptrdiff_t>(planeElements());
    const DevicePlanes image{const_cast<void*>(src), row * problem_.height, row, pixelBytes, 0};
    const DevicePlanes results{dst, elements * valueBytes, resultStride() * valueBytes, valueBytes, 0};
    DevicePlanes indices;
    const bool index = problem_.combine == Combine::ArgMax;
    if (index) indices.pixels = static_cast<std::byte*>(dst) + plane(1).offset;
    const ImageBatch batch{images_, image.plane * problem_.channels,
                           static_cast<std::ptrdiff_t>(imageBytes())};
    startGroups(*kernel_, problem_, image, results, index ? &indices : nullptr, batch,
                static_cast<cudaStream_t>(stream));
  }

 private:
  std::size_t imageBytes() const {
    const Plane last = plane(static_cast<int>(types_.size()) - 1);
    return last.offset + last.rowBytes * static_cast<std::size_t>(problem_.height);
  }
  /// Whether rows do not begin where the kernel reads whole groups of pixels: they are copied first.
  bool aligns() const { return problem_.width % kernel_->rowUnit() != 0; }
  std::size_t rowBytes() const { return static_cast<std::size_t>(problem_.width) * sizeOf(problem_.srcType); }
  std::size_t rows() const {
    return static_cast<std::size_t>(problem_.height) * static_cast<std::size_t>(problem_.channels);
  }
  int resultStride() const { return roundUp(problem_.width, 64); }
  std::size_t planeElements() const {
    return static_cast<std::size_t>(resultStride()) * static_cast<std::size_t>(problem_.height);
  }

  ConvolutionProblem problem_;
  std::vector<ElementType> types_;
  std::unique_ptr<BandKernel> kernel_;
  int images_;
  DeviceBuffer aligned_;
};

}  // namespace

std::unique_ptr<DevicePass> makeKernelPass(const ConvolutionProblem& problem,
                                           std::unique_ptr<BandKernel> kernel, int images) {
  if (problem.responseGroups() != 1)
    throw Error(ErrorCode::Unsupported, "a pass on the device takes one response group, not " +
                                            std::to_string(problem.responseGroups()));
  return std::make_unique<KernelPass>(problem, std::move(kernel), images);
}

}  // namespace bankside::cuda
