// NPP's general filter with a border, one call a filter. NPP's headers are not part of every toolkit: what is
// used of them is declared here, as nppdefs.h and nppi_filtering_functions.h of NPP 11 to 13 have it.
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/shared_library.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/peer_engine.h"

namespace bankside {
namespace cuda {
namespace {

struct NppSize {
  int width;
  int height;
};
struct NppPoint {
  int x;
  int y;
};
struct NppContext {
  cudaStream_t stream;
  int device;
  int multiprocessors;
  int threadsPerMultiprocessor;
  int threadsPerBlock;
  std::size_t sharedBytes;
  int major;
  int minor;
  unsigned int streamFlags;
  unsigned int reserved;
};
constexpr int nppReplicate = 2;

struct NppLibrary {
  SharedLibrary file{"NPP's filtering library", {"libnppif.so.13", "libnppif.so.12", "libnppif.so.11"}};
  int (*filterBorder)(const float*, int, NppSize, NppPoint, float*, int, NppSize, const float*, NppSize,
                      NppPoint, int,
                      NppContext) = file.find<decltype(filterBorder)>("nppiFilterBorder_32f_C1R_Ctx");
};

const NppLibrary& nppLibrary() {
  static const NppLibrary one;
  return one;
}

class NppPass final : public PlanePass {
 public:
  NppPass(const ConvolutionProblem& p, const CorrelationTaps& taps) : PlanePass(p), problem_(p) {
    // NPP wants a filter's taps in reverse order.
    const std::size_t each = filterTaps();
    std::vector<float> reversed(taps.taps.size());
    for (std::size_t i = 0; i < reversed.size(); ++i)
      reversed[i] = taps.taps[i / each * each + (each - 1 - i % each)];
    taps_.reserve(reversed.size() * sizeof(float));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(taps_.data(), reversed.data(), reversed.size() * sizeof(float), cudaMemcpyHostToDevice));
    cudaDeviceProp properties{};
    BANKSIDE_CUDA_CHECK(cudaGetDevice(&context_.device));
    BANKSIDE_CUDA_CHECK(cudaGetDeviceProperties(&properties, context_.device));
    context_.multiprocessors = properties.multiProcessorCount;
    context_.threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor;
    context_.threadsPerBlock = properties.maxThreadsPerBlock;
    context_.sharedBytes = properties.sharedMemPerBlock;
    context_.major = properties.major;
    context_.minor = properties.minor;
  }

  std::string variant() const override { return std::to_string(problem_.filterCount) + " calls"; }
  ErrorBound errorBound() const override { return {gammaBound(static_cast<double>(filterTaps()) + 1)}; }
  /// A call a filter.
  NumericTraits traits() const override { return {.errorBound = errorBound()}; }

  void start(const void* src, void* dst, void* stream) override {
    NppContext context = context_;
    context.stream = static_cast<cudaStream_t>(stream);
    context.streamFlags = cudaStreamNonBlocking;  // ours are; asking a stream ends its capture
    const NppSize size{problem_.width, problem_.height};
    const int step = problem_.width * static_cast<int>(sizeof(float));
    const auto* taps = reinterpret_cast<const float*>(taps_.data());
    for (int f = 0; f < problem_.filterCount; ++f) {
      auto* out = reinterpret_cast<float*>(static_cast<std::byte*>(dst) + plane(f).offset);
      const int status = nppLibrary().filterBorder(
          static_cast<const float*>(src), step, size, {0, 0}, out, step, size,
          taps + static_cast<std::size_t>(f) * filterTaps(), {problem_.filterWidth, problem_.filterHeight},
          {problem_.anchorX, problem_.anchorY}, nppReplicate, context);
      if (status != 0)
        throw Error(ErrorCode::Device, "NPP: nppiFilterBorder_32f_C1R_Ctx: status " + std::to_string(status));
    }
  }

 private:
  std::size_t filterTaps() const {
    return static_cast<std::size_t>(problem_.filterHeight) * static_cast<std::size_t>(problem_.filterWidth);
  }

  ConvolutionProblem problem_;
  DeviceBuffer taps_;
  NppContext context_{};
};

class NppEngine final : public PeerEngine {
 public:
  std::string name() const override { return "npp:filter-border"; }
  std::string description() const override {
    return library() ? "NPP, nppiFilterBorder_32f_C1R, a call a filter" : library().reason;
  }

 protected:
  Support library() const override { return nppLibrary().file.available(); }
  Support takes(const ConvolutionProblem& p) const override {
    if (!p.border.replicates())
      return Support::no("NPP replicates the border and has no " + format(p.border));
    if (!oddAndCentred(p)) return Support::no("NPP is called for odd filters anchored in the middle only");
    if (p.width < p.filterWidth || p.height < p.filterHeight)
      return Support::no("NPP wants images that are at least as large as the filter");
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<NppPass>(plane, taps);
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeNppEngine() { return std::make_unique<cuda::NppEngine>(); }

}  // namespace bankside
