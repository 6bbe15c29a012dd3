// cuDNN's forward convolution by both of its interfaces: every algorithm of the legacy one, every plan that
// the graph's heuristics propose. All are timed on the problem, and the fastest whose answer is right is
// taken; its name is the plan's variant.
#include <algorithm>

#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/peers/choosing_pass.h"
#include "kernels/peers/cudnn_forward.h"
#include "kernels/peers/cudnn_graph.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/half_planes.h"
#include "kernels/peers/peer_engine.h"

namespace bankside {
namespace cuda {
namespace {

std::string nameOf(CudnnInterface interface, CudnnMath math) {
  const std::string prefix = interface == CudnnInterface::Graph ? "cudnn:graph-" : "cudnn:";
  return prefix + (math == CudnnMath::Fma ? "fma" : math == CudnnMath::Tf32 ? "tf32" : "fp16");
}

/// Against the largest sum of magnitudes: that of a transform; of TF32's ten-bit products; of half precision,
/// which rounds pixel, tap and result by 2^-11 each (0.0015 together) and in Winograd's algorithms sums of a
/// few of them too.
ErrorBound cudnnErrorBound(CudnnMath math) { return {math == CudnnMath::Fma ? 1e-4 : 1e-2, false}; }

/// Images whose largest pixel half precision holds.
constexpr PlanePass::PixelRange halfRange{0x1p-14, 65504};

const char* textOf(CudnnMath math) {
  switch (math) {
    case CudnnMath::Fma: return "FMA math";
    case CudnnMath::Tf32: return "TF32 allowed";
    case CudnnMath::Fp16: return "half precision";
  }
  return "?";
}

class CudnnPass final : public ChoosingPass {
 public:
  CudnnPass(const ConvolutionProblem& p, const CorrelationTaps& taps, CudnnMath math, int images = 1)
      : ChoosingPass(p, images), math_(math) {
    choose(p, taps);
  }

  std::string variant() const override {
    return std::string(cudnnAlgorithmNames[algorithm_]) + (forward().channelsLast() ? ", channels last" : "");
  }
  ErrorBound errorBound() const override { return cudnnErrorBound(math_); }
  NumericTraits traits() const override {
    NumericTraits traits = PlanePass::traits();
    traits.directSums = math_ == CudnnMath::Fma && algorithm_ < CUDNN_CONVOLUTION_FWD_ALGO_FFT;
    return traits;
  }
  bool mixesPixels() const override { return true; }
  PixelRange largestPixel() const override {
    return math_ == CudnnMath::Fp16 ? halfRange : PlanePass::largestPixel();
  }
  void start(const void* src, void* dst, void* stream) override {
    forward().start(algorithm_, src, dst, static_cast<cudaStream_t>(stream));
  }

 private:
  const CudnnForward& forward() const { return *layouts_[layout_]; }
  /// A layout and one of its algorithms as one number.
  static int wayOf(std::size_t layout, int algorithm) {
    return static_cast<int>(layout) * CUDNN_CONVOLUTION_FWD_ALGO_COUNT + algorithm;
  }
  void use(int way) override {
    layout_ = static_cast<std::size_t>(way / CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
    algorithm_ = way % CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  }

  /// Half precision is tried in planes and with the channels last: the tensor cores' algorithms want the
  /// latter.
  void choose(const ConvolutionProblem& p, const CorrelationTaps& taps) {
    std::string reason = "cuDNN offers no algorithm for it";
    for (const bool channelsLast : {false, true}) {
      if (channelsLast && math_ != CudnnMath::Fp16) continue;
      try {
        layouts_.push_back(std::make_unique<CudnnForward>(p, taps, math_, channelsLast, images()));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Limit) throw;
        reason = error.what();
      }
    }
    std::vector<int> likely, hopeless;
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
      const std::vector<int> slow = slowOnPart(p, taps, *layouts_[i]);
      for (const int algorithm : layouts_[i]->algorithms()) {
        const bool isSlow = std::find(slow.begin(), slow.end(), algorithm) != slow.end();
        (isSlow ? hopeless : likely).push_back(wayOf(i, algorithm));
      }
    }
    // What is hopeless on a part of a large image is tried only if nothing else is right.
    if (!takeFastest(p, taps, likely, reason) && !takeFastest(p, taps, hopeless, reason))
      throw Error(ErrorCode::Unsupported, "no algorithm of cuDNN is right: " + reason);
  }

  /// The algorithms that are more than `worthTiming` times slower than the fastest of them on a part of a
  /// large image. Some take seconds for large filters.
  std::vector<int> slowOnPart(ConvolutionProblem p, const CorrelationTaps& taps,
                              const CudnnForward& whole) const {
    constexpr int side = 1024;
    constexpr double worthTiming = 4;
    if (p.height < 2 * side || p.width < 2 * side) return {};
    p.height = p.width = side;
    std::vector<std::pair<double, int>> times;
    try {
      const CudnnForward part(p, taps, math_, whole.channelsLast(), images());
      const DeviceBuffer src(sourceBytes()), dst(resultBytes());
      BANKSIDE_CUDA_CHECK(cudaMemset(src.data(), 0x3c, sourceBytes()));
      const auto& offered = part.algorithms();
      for (const int algorithm : whole.algorithms()) {
        if (std::find(offered.begin(), offered.end(), algorithm) == offered.end()) continue;
        try {
          times.emplace_back(
              shortestSeconds([&](cudaStream_t s) { part.start(algorithm, src.data(), dst.data(), s); }),
              algorithm);
        } catch (const Error&) {  // The whole image may be another matter.
        }
      }
    } catch (const Error&) {
      return {};
    }
    std::vector<int> slow;
    if (times.empty()) return slow;
    const double fastest = std::min_element(times.begin(), times.end())->first;
    for (const auto& [seconds, algorithm] : times)
      if (seconds > worthTiming * fastest) slow.push_back(algorithm);
    return slow;
  }

  CudnnMath math_;
  std::vector<std::unique_ptr<CudnnForward>> layouts_;
  std::size_t layout_ = 0;
  int algorithm_ = 0;
};

/// What the graph interface's heuristics propose, the fastest that is right. Pixels and results are as that
/// plan's user has them: halves where it multiplies halves, channels last where it wants them so. Bringing
/// them there and back is in no time.
class CudnnGraphPass final : public ChoosingPass {
 public:
  CudnnGraphPass(const ConvolutionProblem& p, const CorrelationTaps& taps, CudnnMath math, int images)
      : ChoosingPass(p, images),
        math_(math),
        pixels_(static_cast<std::size_t>(p.height) * static_cast<std::size_t>(p.width)),
        channels_(p.channels),
        filters_(p.filterCount) {
    std::string reason = "its heuristics propose no plan";
    std::vector<int> ways;
    for (const bool channelsLast : {false, true}) {
      if (channelsLast && math == CudnnMath::Fma) continue;
      try {
        layouts_.push_back(std::make_unique<CudnnGraph>(p, taps, math, channelsLast, images));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Limit) throw;
        reason = error.what();
        continue;
      }
      for (std::size_t plan = 0; plan < layouts_.back()->plans().size(); ++plan) {
        ways.push_back(static_cast<int>(plans_.size()));
        plans_.push_back({layouts_.size() - 1, plan});
      }
    }
    if (!takeFastest(p, taps, ways, reason))
      throw Error(ErrorCode::Unsupported, "no plan of cuDNN's graph interface is right: " + reason);
  }

  std::string variant() const override {
    return graph().plans()[plan_.plan] + (graph().channelsLast() ? ", channels last" : "");
  }
  ErrorBound errorBound() const override { return cudnnErrorBound(math_); }
  bool mixesPixels() const override { return true; }
  PixelRange largestPixel() const override {
    return math_ == CudnnMath::Fp16 ? halfRange : PlanePass::largestPixel();
  }
  void start(const void* src, void* dst, void* stream) override {
    graph().start(plan_.plan, const_cast<void*>(src), dst, static_cast<cudaStream_t>(stream));
  }
  void layOut(void* src, void* stream) override {
    if (asPlanes()) return;
    const auto s = static_cast<cudaStream_t>(stream);
    const auto* from = static_cast<const float*>(copyOf(src, sourceBytes(), s));
    const std::size_t each = pixels_ * static_cast<std::size_t>(channels_);
    for (int i = 0; i < images(); ++i, from += each) {
      const std::size_t at = static_cast<std::size_t>(i) * each;
      if (math_ == CudnnMath::Fp16) {
        startToHalf(from, static_cast<Half*>(src) + at, channels_, pixels_, graph().channelsLast(), s);
      } else {
        startToChannelsLast(from, static_cast<float*>(src) + at, channels_, pixels_, s);
      }
    }
  }
  void bringBack(void* dst, void* stream) override {
    if (asPlanes()) return;
    const auto s = static_cast<cudaStream_t>(stream);
    const void* const from = copyOf(dst, resultBytes(), s);
    const std::size_t each = pixels_ * static_cast<std::size_t>(filters_);
    for (int i = 0; i < images(); ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * each;
      float* const to = static_cast<float*>(dst) + at;
      if (math_ == CudnnMath::Fp16) {
        startToFloat(static_cast<const Half*>(from) + at, to, filters_, pixels_, graph().channelsLast(),
                     graph().back(), s);
      } else {
        startToPlanes(static_cast<const float*>(from) + at, to, filters_, pixels_, s);
      }
    }
  }

 private:
  struct PlanPlace {
    std::size_t layout = 0;
    std::size_t plan = 0;
  };
  const CudnnGraph& graph() const { return *layouts_[plan_.layout]; }
  bool asPlanes() const { return math_ != CudnnMath::Fp16 && !graph().channelsLast(); }
  void use(int way) override { plan_ = plans_[static_cast<std::size_t>(way)]; }
  const void* copyOf(const void* data, std::size_t bytes, cudaStream_t stream) {
    scratch_.reserve(bytes);
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(scratch_.data(), data, bytes, cudaMemcpyDeviceToDevice, stream));
    return scratch_.data();
  }

  CudnnMath math_;
  std::size_t pixels_;
  int channels_;
  int filters_;
  std::vector<std::unique_ptr<CudnnGraph>> layouts_;
  std::vector<PlanPlace> plans_;
  PlanPlace plan_;
  DeviceBuffer scratch_;
};

class CudnnEngine final : public PeerEngine {
 public:
  CudnnEngine(CudnnInterface interface, CudnnMath math) : interface_(interface), math_(math) {}
  std::string name() const override { return nameOf(interface_, math_); }
  EngineKind kind() const override {
    return {.role = EngineKind::Role::Peer, .paperPeer = name() == "cudnn:fma"};
  }
  std::string description() const override {
    if (!library()) return library().reason;
    const char* const how = interface_ == CudnnInterface::Graph ? ", best of its graph interface's heuristics"
                            : math_ == CudnnMath::Fp16 ? " from and to f32, best of its forward algorithms"
                                                       : ", best of its forward algorithms";
    return "cuDNN " + std::to_string(cudnnLibrary().cudnnGetVersion()) + ", " + textOf(math_) + how;
  }

 protected:
  Support library() const override { return cudnnLibrary().file.available(); }
  bool sumsChannels() const override { return true; }
  Support takes(const ConvolutionProblem& p) const override {
    if (math_ == CudnnMath::Fp16 && p.srcType == ElementType::U16)
      return Support::no("half precision does not hold the pixels of a u16 image");
    if (!p.border.isZero()) return Support::no("cuDNN pads with zeros, not with " + format(p.border));
    if (!oddAndCentred(p))
      return Support::no("cuDNN pads alike on both sides: odd filters anchored in the middle only");
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    if (interface_ == CudnnInterface::Graph) return std::make_unique<CudnnGraphPass>(plane, taps, math_, 1);
    return std::make_unique<CudnnPass>(plane, taps, math_);
  }
  std::unique_ptr<PlanePass> makeBatchPass(const ConvolutionProblem& plane, const CorrelationTaps& taps,
                                           int images) const override {
    if (interface_ == CudnnInterface::Graph)
      return std::make_unique<CudnnGraphPass>(plane, taps, math_, images);
    // Its conversions know one image.
    if (math_ == CudnnMath::Fp16) return PeerEngine::makeBatchPass(plane, taps, images);
    return std::make_unique<CudnnPass>(plane, taps, math_, images);
  }

 private:
  CudnnInterface interface_;
  CudnnMath math_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeCudnnEngine(CudnnInterface interface, CudnnMath math) {
  return std::make_unique<cuda::CudnnEngine>(interface, math);
}

}  // namespace bankside
