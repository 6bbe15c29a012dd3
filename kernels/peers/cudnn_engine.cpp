// cuDNN's forward convolution. Every algorithm of the legacy interface is timed on the problem, and the
// fastest whose answer is right is taken; its name is the plan's variant.
#include <algorithm>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "core/sample_rows.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/stream.h"
#include "kernels/peers/cudnn_forward.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/peer_engine.h"

namespace bankside {
namespace cuda {
namespace {

const char* nameOf(CudnnMath math) {
  switch (math) {
    case CudnnMath::Fma: return "cudnn:fma";
    case CudnnMath::Tf32: return "cudnn:tf32";
    case CudnnMath::Fp16: return "cudnn:fp16";
  }
  return "cudnn";
}

const char* textOf(CudnnMath math) {
  switch (math) {
    case CudnnMath::Fma: return "FMA math";
    case CudnnMath::Tf32: return "TF32 allowed";
    case CudnnMath::Fp16: return "half precision, from and to f32";
  }
  return "?";
}

class CudnnPass final : public PlanePass {
 public:
  CudnnPass(const ConvolutionProblem& p, const CorrelationTaps& taps, CudnnMath math, int images = 1)
      : PlanePass(p, images), math_(math) {
    choose(p, taps);
  }

  std::string variant() const override {
    return std::string(cudnnAlgorithmNames[algorithm_]) + (forward_->channelsLast() ? ", channels last" : "");
  }
  /// Against the largest sum of magnitudes: that of a transform; of TF32's ten-bit products; of half
  /// precision, which rounds pixel, tap and result by 2^-11 each (0.0015 together) and in Winograd's
  /// algorithms sums of a few of them too.
  ErrorBound errorBound() const override { return {math_ == CudnnMath::Fma ? 1e-4 : 1e-2, false}; }
  NumericTraits traits() const override {
    NumericTraits traits = PlanePass::traits();
    traits.directSums = math_ == CudnnMath::Fma && algorithm_ < CUDNN_CONVOLUTION_FWD_ALGO_FFT;
    return traits;
  }
  bool mixesPixels() const override { return true; }
  PixelRange largestPixel() const override {
    return math_ == CudnnMath::Fp16 ? PixelRange{0x1p-14, 65504} : PlanePass::largestPixel();
  }
  void start(const void* src, void* dst, void* stream) override {
    forward_->start(algorithm_, src, dst, static_cast<cudaStream_t>(stream));
  }

 private:
  /// The fastest first; the first that is right on random pixels is taken. Half precision is tried in planes
  /// and with the channels last: the tensor cores' algorithms want the latter.
  void choose(const ConvolutionProblem& p, const CorrelationTaps& taps) {
    DeviceBuffer src(sourceBytes());
    DeviceBuffer dst(resultBytes());
    BANKSIDE_CUDA_CHECK(cudaMemset(src.data(), 0, sourceBytes()));
    std::vector<std::unique_ptr<CudnnForward>> layouts;
    std::string reason = "cuDNN offers no algorithm for it";
    for (const bool channelsLast : {false, true}) {
      if (channelsLast && math_ != CudnnMath::Fp16) continue;
      try {
        layouts.push_back(std::make_unique<CudnnForward>(p, taps, math_, channelsLast, images()));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Limit) throw;
        reason = error.what();
      }
    }
    std::vector<Candidate> likely, hopeless;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const std::vector<int> slow = slowOnPart(p, taps, *layouts[i], src, dst);
      for (const int algorithm : layouts[i]->algorithms()) {
        const bool isSlow = std::find(slow.begin(), slow.end(), algorithm) != slow.end();
        (isSlow ? hopeless : likely).push_back({i, algorithm});
      }
    }
    // What is hopeless on a part of a large image is tried only if nothing else is right.
    for (const auto* candidates : {&likely, &hopeless})
      if (takeFastest(p, taps, layouts, *candidates, src, dst, reason)) return;
    throw Error(ErrorCode::Unsupported, "no algorithm of cuDNN is right: " + reason);
  }

  struct Candidate {
    std::size_t layout;
    int algorithm;
    double seconds = 0;
  };

  /// The fastest that is right; false, with the last `reason`, if none is.
  bool takeFastest(const ConvolutionProblem& p, const CorrelationTaps& taps,
                   std::vector<std::unique_ptr<CudnnForward>>& layouts,
                   const std::vector<Candidate>& candidates, const DeviceBuffer& src, const DeviceBuffer& dst,
                   std::string& reason) {
    std::vector<Candidate> timed;
    for (Candidate c : candidates) {
      try {
        c.seconds = secondsOf(*layouts[c.layout], c.algorithm, src, dst);
        timed.push_back(c);
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    std::sort(timed.begin(), timed.end(),
              [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
    for (const Candidate& c : timed) {
      const std::string wrong = judge(p, taps, layouts[c.layout]->channelsLast(), c.algorithm);
      if (wrong.empty()) {
        algorithm_ = c.algorithm;
        forward_ = std::move(layouts[c.layout]);
        return true;
      }
      reason = std::string(cudnnAlgorithmNames[c.algorithm]) + ": " + wrong;
    }
    return false;
  }

  /// The algorithms that are more than `worthTiming` times slower than the fastest of them on a part of a
  /// large image. Some take seconds for large filters.
  std::vector<int> slowOnPart(ConvolutionProblem p, const CorrelationTaps& taps, const CudnnForward& whole,
                              const DeviceBuffer& src, const DeviceBuffer& dst) const {
    constexpr int side = 1024;
    constexpr double worthTiming = 4;
    if (p.height < 2 * side || p.width < 2 * side) return {};
    p.height = p.width = side;
    std::vector<std::pair<double, int>> times;
    try {
      const CudnnForward part(p, taps, math_, whole.channelsLast(), images());
      const auto& offered = part.algorithms();
      for (const int algorithm : whole.algorithms()) {
        if (std::find(offered.begin(), offered.end(), algorithm) == offered.end()) continue;
        try {
          times.emplace_back(secondsOf(part, algorithm, src, dst), algorithm);
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

  /// The shortest of three rounds, or the first if it is long, after one that is not counted.
  static double secondsOf(const CudnnForward& forward, int algorithm, const DeviceBuffer& src,
                          const DeviceBuffer& dst) {
    constexpr double isLong = 0.01;
    const Stream stream;
    const Event begin, end;
    std::vector<double> samples;
    for (int round = 0; round < 4; ++round) {
      begin.record(stream);
      forward.start(algorithm, src.data(), dst.data(), stream);
      end.record(stream);
      stream.synchronize();
      if (round > 0) samples.push_back(secondsBetween(begin, end));
      if (round == 1 && samples.front() > isLong) break;
    }
    return *std::min_element(samples.begin(), samples.end());
  }

  /// On a small image of the same bank.
  std::string judge(ConvolutionProblem p, const CorrelationTaps& taps, bool channelsLast,
                    int algorithm) const {
    p.height = std::min(p.height, 64);
    p.width = std::min(p.width, 64);
    const CudnnForward small(p, taps, math_, channelsLast);
    const auto& offered = small.algorithms();
    if (std::find(offered.begin(), offered.end(), algorithm) == offered.end()) return "not for small images";
    const Image image = randomImage(p.channels, p.height, p.width, ElementType::F32, 11);
    const std::size_t row = static_cast<std::size_t>(p.width) * sizeof(float);
    const std::size_t plane = row * static_cast<std::size_t>(p.height);
    DeviceBuffer src(plane * static_cast<std::size_t>(p.channels));
    DeviceBuffer dst(plane * static_cast<std::size_t>(p.filterCount));
    for (int c = 0; c < p.channels; ++c) {
      const ConstPlane from = image.plane(c);
      BANKSIDE_CUDA_CHECK(cudaMemcpy2D(src.data() + static_cast<std::size_t>(c) * plane, row, from.data,
                                       static_cast<std::size_t>(from.strideBytes), row,
                                       static_cast<std::size_t>(p.height), cudaMemcpyHostToDevice));
    }
    const Stream stream;
    try {
      small.start(algorithm, src.data(), dst.data(), stream);
    } catch (const Error& error) {
      return error.what();
    }
    stream.synchronize();
    std::vector<Image> outputs;
    for (int f = 0; f < p.filterCount; ++f) {
      outputs.emplace_back(1, p.height, p.width, ElementType::F32);
      const MutablePlane to = outputs.back().plane(0);
      BANKSIDE_CUDA_CHECK(cudaMemcpy2D(to.data, static_cast<std::size_t>(to.strideBytes),
                                       dst.data() + static_cast<std::size_t>(f) * plane, row, row,
                                       static_cast<std::size_t>(p.height), cudaMemcpyDeviceToHost));
    }
    std::vector<Filter> filters;
    const std::size_t each = static_cast<std::size_t>(p.channels) * static_cast<std::size_t>(p.filterHeight) *
                             static_cast<std::size_t>(p.filterWidth);
    ConvolutionProblem judged = p;
    judged.mode = FilterMode::CrossCorrelation;
    FilterBank bank = randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth);
    for (int f = 0; f < p.filterCount; ++f) {
      Filter filter = bank[f];
      std::copy_n(taps.taps.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(f) * each), each,
                  filter.taps.begin());
      filters.push_back(std::move(filter));
    }
    ImageSource source(image);
    const FilterBank same(bank.info(), std::move(filters));
    const Verification v = verifyRows(judged, same, source, wholeImage(judged), outputs, errorBound(),
                                      sampleRows(p.height, 4, hash(judged)));
    return v.passed ? std::string() : v.place();
  }

  CudnnMath math_;
  std::unique_ptr<CudnnForward> forward_;
  int algorithm_ = 0;
};

class CudnnEngine final : public PeerEngine {
 public:
  explicit CudnnEngine(CudnnMath math) : math_(math) {}
  std::string name() const override { return nameOf(math_); }
  EngineKind kind() const override {
    return {.role = EngineKind::Role::Peer, .paperPeer = math_ == CudnnMath::Fma};
  }
  std::string description() const override {
    if (!library()) return library().reason;
    return "cuDNN " + std::to_string(cudnnLibrary().cudnnGetVersion()) + ", " + textOf(math_) +
           ", best of its forward algorithms";
  }

 protected:
  Support library() const override { return cudnnLibrary().file.available(); }
  bool sumsChannels() const override { return true; }
  Support takes(const ConvolutionProblem& p) const override {
    if (math_ == CudnnMath::Fp16 && p.srcType == ElementType::U16)
      return Support::no("half precision does not hold the pixels of a u16 image");
    if (p.border != Border{BorderKind::Constant, 0.0f})
      return Support::no("cuDNN pads with zeros, not with " + format(p.border));
    if (p.filterHeight % 2 == 0 || p.filterWidth % 2 == 0 || p.anchorX != p.filterWidth / 2 ||
        p.anchorY != p.filterHeight / 2)
      return Support::no("cuDNN pads alike on both sides: odd filters anchored in the middle only");
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<CudnnPass>(plane, taps, math_);
  }
  std::unique_ptr<PlanePass> makeBatchPass(const ConvolutionProblem& plane, const CorrelationTaps& taps,
                                           int images) const override {
    // Its conversions know one image.
    if (math_ == CudnnMath::Fp16) return PeerEngine::makeBatchPass(plane, taps, images);
    return std::make_unique<CudnnPass>(plane, taps, math_, images);
  }

 private:
  CudnnMath math_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeCudnnEngine(CudnnMath math) { return std::make_unique<cuda::CudnnEngine>(math); }

}  // namespace bankside
