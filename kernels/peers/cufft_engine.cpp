// A filter bank by full-size transforms: the image forward once, a product with each filter's spectrum, one
// batch of inverse transforms.
#include "kernels/cuda/fft/plane_transform.h"
#include "kernels/cuda/fft/spectrum_product.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/peer_engine.h"

namespace bankside {
namespace cuda {
namespace {

class CufftPass final : public PlanePass {
 public:
  CufftPass(const ConvolutionProblem& p, const CorrelationTaps& taps)
      : PlanePass(p),
        problem_(p),
        forward_(PlaneTransform::Direction::Forward, p.height, p.width, 1),
        inverse_(PlaneTransform::Direction::Inverse, p.height, p.width, p.filterCount),
        count_(static_cast<std::size_t>(p.height) * static_cast<std::size_t>(p.width / 2 + 1)),
        image_(count_ * sizeof(float2)),
        filters_(count_ * sizeof(float2) * static_cast<std::size_t>(p.filterCount)),
        products_(filters_.bytes()) {
    const auto pixels = static_cast<std::size_t>(p.height) * static_cast<std::size_t>(p.width);
    const DeviceBuffer device(pixels * sizeof(float));
    std::vector<float> plane(pixels);
    const double scale = 1.0 / static_cast<double>(pixels);
    std::size_t tap = 0;
    for (int f = 0; f < p.filterCount; ++f) {
      std::fill(plane.begin(), plane.end(), 0.0f);
      for (int ky = 0; ky < p.filterHeight; ++ky) {
        for (int kx = 0; kx < p.filterWidth; ++kx, ++tap) {
          // A correlation: the tap that reads the pixel to the right stands to the left.
          const int y = borderIndex(taps.anchorY - ky, p.height, p.border);
          const int x = borderIndex(taps.anchorX - kx, p.width, p.border);
          float& at = plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(p.width) +
                            static_cast<std::size_t>(x)];
          at = static_cast<float>(at + scale * taps.taps[tap]);
        }
      }
      BANKSIDE_CUDA_CHECK(
          cudaMemcpy(device.data(), plane.data(), pixels * sizeof(float), cudaMemcpyHostToDevice));
      forward_.start(device.data(), spectrum(f), nullptr);
      BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());
    }
  }

  std::string variant() const override {
    return "1 forward, " + std::to_string(problem_.filterCount) + " inverse";
  }
  /// That of a transform, against the largest sum of magnitudes.
  ErrorBound errorBound() const override { return {1e-4, false}; }
  NumericTraits traits() const override {
    NumericTraits traits = PlanePass::traits();
    traits.directSums = false;
    return traits;
  }
  bool mixesPixels() const override { return true; }

  void start(const void* src, void* dst, void* stream) override {
    const auto s = static_cast<cudaStream_t>(stream);
    forward_.start(const_cast<void*>(src), image_.data(), s);
    startSpectrumProduct(reinterpret_cast<const float2*>(image_.data()),
                         reinterpret_cast<const float2*>(filters_.data()),
                         reinterpret_cast<float2*>(products_.data()), count_, problem_.filterCount, 1, s);
    inverse_.start(products_.data(), dst, s);
  }

 private:
  void* spectrum(int f) const {
    return filters_.data() + static_cast<std::size_t>(f) * count_ * sizeof(float2);
  }

  ConvolutionProblem problem_;
  PlaneTransform forward_;
  PlaneTransform inverse_;
  std::size_t count_;
  DeviceBuffer image_, filters_, products_;
};

class CufftEngine final : public PeerEngine {
 public:
  std::string name() const override { return "cufft:bank"; }
  std::string description() const override {
    return library() ? transformLibrary() + ", spectra of the filters stored" : library().reason;
  }

 protected:
  Support library() const override { return transformsAvailable(); }
  Support takes(const ConvolutionProblem& p) const override {
    if (!p.border.wraps())
      return Support::no("a transform wraps the image round and has no " + format(p.border));
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<CufftPass>(plane, taps);
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeCufftEngine() { return std::make_unique<cuda::CufftEngine>(); }

}  // namespace bankside
