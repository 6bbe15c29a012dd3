#include "kernels/cuda/chain/cuda_chain.h"

#include "core/error.h"
#include "kernels/cuda/chain/activate_kernel.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

/// Whole planes, rows on boundaries of 64 elements.
struct Planes {
  int stride;
  std::ptrdiff_t plane;  ///< elements from one to the next

  Planes(int width, int height)
      : stride(roundUp(width, 64)), plane(static_cast<std::ptrdiff_t>(stride) * height) {}
  std::size_t bytes(int planes, ElementType type) const {
    return static_cast<std::size_t>(plane) * static_cast<std::size_t>(planes) * sizeOf(type);
  }
};

/// ArgMax's indices come after all values.
struct ResultPlanes {
  explicit ResultPlanes(const ConvolutionProblem& p) : types(outputPlanes(p)) {
    withIndex = p.combine == Combine::ArgMax;
    values = static_cast<int>(types.size()) / (withIndex ? 2 : 1);
  }
  std::vector<ElementType> types;
  bool withIndex = false;
  int values = 1;

  std::size_t bytes(const Planes& planes) const {
    return planes.bytes(values, types.front()) + (withIndex ? planes.bytes(values, ElementType::U16) : 0);
  }
};

class CudaChain final : public ChainDevice {
 public:
  CudaChain(const ChainedProblem& chain, std::unique_ptr<BandKernel> first,
            std::unique_ptr<BandKernel> second)
      : chain_(chain),
        first_(std::move(first)),
        second_(std::move(second)),
        planes_(chain.first.width, chain.first.height),
        results_(chain.second) {}

  std::string describe() const override {
    return first_->describe() + ", " + toString(chain_.activation) + ", " + second_->describe();
  }
  ErrorBound firstErrorBound() const override { return first_->errorBound(); }
  ErrorBound errorBound() const override { return second_->errorBound(); }

  void upload(int channel, int firstRow, ConstPlane rows) override {
    const ConvolutionProblem& p = chain_.first;
    image_.reserve(planes_.bytes(p.channels, p.srcType));
    const std::size_t size = sizeOf(p.srcType);
    BANKSIDE_CUDA_CHECK(cudaMemcpy2DAsync(
        image_.data() + (channel * planes_.plane + firstRow * static_cast<std::ptrdiff_t>(planes_.stride)) *
                            static_cast<std::ptrdiff_t>(size),
        static_cast<std::size_t>(planes_.stride) * size, rows.data,
        static_cast<std::size_t>(rows.strideBytes), static_cast<std::size_t>(rows.width) * size,
        static_cast<std::size_t>(rows.height), cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();  // the rows are the caller's again
  }

  void makeMaps(int firstRow, int rows) override {
    const ConvolutionProblem& p = chain_.first;
    const int maps = chain_.second.channels;
    maps_.reserve(planes_.bytes(maps, ElementType::F32));
    image_.reserve(planes_.bytes(p.channels, p.srcType));  // a constant border may need no row of it
    auto* const firstMap =
        reinterpret_cast<float*>(maps_.data()) + firstRow * static_cast<std::ptrdiff_t>(planes_.stride);
    KernelArguments a = whole(image_, p);
    a.y = firstRow;
    a.width = p.width;
    a.height = rows;
    a.dst = {firstMap, nullptr, planes_.plane, planes_.stride, ElementType::F32};
    startGroups(*first_, p, a, maps / p.responseGroups());
    launchActivation(chain_.activation, firstMap, maps, planes_.plane, rows, planes_.stride, p.width,
                     stream_);
  }

  void makeResults(const Region& band) override {
    const ConvolutionProblem& p = chain_.second;
    band_ = Planes(band.width, band.height);
    bandWidth_ = band.width;
    bandHeight_ = band.height;
    result_.reserve(results_.bytes(band_));
    maps_.reserve(planes_.bytes(p.channels, ElementType::F32));
    KernelArguments a = whole(maps_, p);
    a.x = band.x;
    a.y = band.y;
    a.width = band.width;
    a.height = band.height;
    a.dst = {result_.data(), nullptr, band_.plane, band_.stride, results_.types.front()};
    if (results_.withIndex)
      a.dst.index = reinterpret_cast<std::uint16_t*>(result_.data() +
                                                     band_.bytes(results_.values, results_.types.front()));
    startGroups(*second_, p, a, results_.values / p.responseGroups());
  }

  void wait() override { stream_.synchronize(); }

  void fetch(int plane, MutablePlane to) override {
    // Values and indices take turns among the planes, and lie one kind after the other here.
    const bool index = results_.withIndex && plane % 2 == 1;
    const int place = results_.withIndex ? plane / 2 : plane;
    const ElementType type = results_.types[static_cast<std::size_t>(plane)];
    const std::byte* const from = result_.data() +
                                  (index ? band_.bytes(results_.values, results_.types.front()) : 0) +
                                  band_.bytes(place, type);
    const std::size_t size = sizeOf(type);
    BANKSIDE_CUDA_CHECK(cudaMemcpy2DAsync(
        to.data, static_cast<std::size_t>(to.strideBytes), from,
        static_cast<std::size_t>(band_.stride) * size, static_cast<std::size_t>(bandWidth_) * size,
        static_cast<std::size_t>(bandHeight_), cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
  }

 private:
  /// A source that is whole planes of the image's size, whose border the kernels resolve.
  KernelArguments whole(const DeviceBuffer& buffer, const ConvolutionProblem& p) const {
    KernelArguments a;
    a.src = {buffer.data(), planes_.stride, p.srcType, p.width, p.height, 0, false};
    return a;
  }

  /// A launch a response group: each sees its own channels and writes its own planes.
  void startGroups(BandKernel& kernel, const ConvolutionProblem& p, const KernelArguments& a,
                   int planesOfGroup) {
    for (int group = 0; group < p.responseGroups(); ++group) {
      KernelArguments of = a;
      const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(group) * planesOfGroup * a.dst.planeStride;
      of.src.pixels = static_cast<const std::byte*>(a.src.pixels) +
                      group * planes_.plane * static_cast<std::ptrdiff_t>(sizeOf(p.srcType));
      of.dst.pixels =
          static_cast<std::byte*>(a.dst.pixels) + plane * static_cast<std::ptrdiff_t>(sizeOf(a.dst.type));
      if (a.dst.index != nullptr) of.dst.index = a.dst.index + plane;
      kernel.start(of, planes_.plane, p.height, stream_);
    }
  }

  ChainedProblem chain_;
  std::unique_ptr<BandKernel> first_;
  std::unique_ptr<BandKernel> second_;
  Planes planes_;
  ResultPlanes results_;
  Planes band_{1, 1};
  int bandWidth_ = 0;
  int bandHeight_ = 0;
  Stream stream_;
  DeviceBuffer image_, maps_, result_;
};

}  // namespace

double chainBytes(const ChainedProblem& chain, const BandKernel& first, const BandKernel& second,
                  double bandBytes) {
  const ConvolutionProblem& p = chain.first;
  const Planes planes(p.width, p.height);
  const double rows = p.height;
  return static_cast<double>(planes.bytes(p.channels, p.srcType)) +
         static_cast<double>(planes.bytes(chain.second.channels, ElementType::F32)) + 2 * bandBytes +
         rows * static_cast<double>(first.workBytesPerRow(p.width)) +
         rows * static_cast<double>(second.workBytesPerRow(p.width));
}

std::unique_ptr<ChainDevice> makeCudaChain(const ChainedProblem& chain, std::unique_ptr<BandKernel> first,
                                           std::unique_ptr<BandKernel> second) {
  return std::make_unique<CudaChain>(chain, std::move(first), std::move(second));
}

}  // namespace bankside::cuda
