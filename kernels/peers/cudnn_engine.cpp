// cuDNN's forward convolution. Every algorithm of the legacy interface is timed on the problem, and the
// fastest whose answer is right is taken; its name is the plan's variant.
#include <algorithm>

#include "core/compare.h"
#include "core/made_input.h"
#include "core/sample_rows.h"
#include "kernels/cuda/device_buffer.h"
#include "kernels/cuda/stream.h"
#include "kernels/peers/cudnn_library.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/peer_engine.h"

// The legacy interface is what other programs call; NVIDIA marks it so that they move on.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace bankside {
namespace cuda {
namespace {

constexpr std::size_t workspaceLimit = std::size_t{8} << 30;

const char* const algorithmNames[CUDNN_CONVOLUTION_FWD_ALGO_COUNT] = {
    "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"};

/// One problem's descriptors, taps and workspace.
class Forward {
 public:
  Forward(const ConvolutionProblem& p, const CorrelationTaps& taps, bool tensorFloat) {
    const CudnnLibrary& l = cudnnLibrary();
    l.check(l.cudnnCreate(&handle_), "create");
    l.cudnnCreateTensorDescriptor(&in_);
    l.cudnnCreateTensorDescriptor(&out_);
    l.cudnnCreateFilterDescriptor(&filter_);
    l.cudnnCreateConvolutionDescriptor(&convolution_);
    l.check(l.cudnnSetTensor4dDescriptor(in_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, p.channels, p.height,
                                         p.width),
            "input");
    l.check(l.cudnnSetTensor4dDescriptor(out_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, p.filterCount,
                                         p.height, p.width),
            "output");
    l.check(l.cudnnSetFilter4dDescriptor(filter_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, p.filterCount,
                                         p.channels, p.filterHeight, p.filterWidth),
            "filter");
    l.check(l.cudnnSetConvolution2dDescriptor(convolution_, p.filterHeight / 2, p.filterWidth / 2, 1, 1, 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            "convolution");
    l.check(l.cudnnSetConvolutionMathType(convolution_, tensorFloat ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
            "math");
    taps_.reserve(taps.taps.size() * sizeof(float));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(taps_.data(), taps.taps.data(), taps.taps.size() * sizeof(float), cudaMemcpyHostToDevice));
    std::size_t most = 0;
    for (int a = 0; a < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++a) {
      std::size_t bytes = 0;
      if (l.cudnnGetConvolutionForwardWorkspaceSize(handle_, in_, filter_, convolution_, out_,
                                                    static_cast<cudnnConvolutionFwdAlgo_t>(a),
                                                    &bytes) == CUDNN_STATUS_SUCCESS &&
          bytes <= workspaceLimit) {
        algorithms.push_back(a);
        most = std::max(most, bytes);
      }
    }
    workspace_.reserve(most);
  }
  Forward(const Forward&) = delete;
  Forward& operator=(const Forward&) = delete;
  ~Forward() {
    const CudnnLibrary& l = cudnnLibrary();
    l.cudnnDestroyConvolutionDescriptor(convolution_);
    l.cudnnDestroyFilterDescriptor(filter_);
    l.cudnnDestroyTensorDescriptor(out_);
    l.cudnnDestroyTensorDescriptor(in_);
    l.cudnnDestroy(handle_);
  }

  void start(int algorithm, const void* src, void* dst, cudaStream_t stream) const {
    const CudnnLibrary& l = cudnnLibrary();
    const float one = 1.0f;
    const float zero = 0.0f;
    l.check(l.cudnnSetStream(handle_, stream), "stream");
    l.check(l.cudnnConvolutionForward(handle_, &one, in_, src, filter_, taps_.data(), convolution_,
                                      static_cast<cudnnConvolutionFwdAlgo_t>(algorithm), workspace_.data(),
                                      workspace_.bytes(), &zero, out_, dst),
            algorithmNames[algorithm]);
  }

  std::vector<int> algorithms;

 private:
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t in_ = nullptr, out_ = nullptr;
  cudnnFilterDescriptor_t filter_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
  DeviceBuffer taps_, workspace_;
};

class CudnnPass final : public PlanePass {
 public:
  CudnnPass(const ConvolutionProblem& p, const CorrelationTaps& taps, bool tensorFloat)
      : PlanePass(p), tensorFloat_(tensorFloat), forward_(p, taps, tensorFloat) {
    choose(p, taps);
  }

  std::string variant() const override { return algorithmNames[algorithm_]; }
  /// That of a transform or of TF32's ten-bit products, against the largest sum of magnitudes.
  ErrorBound errorBound() const override { return {tensorFloat_ ? 1e-2 : 1e-4, false, false}; }
  bool mixesPixels() const override { return true; }
  void start(const void* src, void* dst, void* stream) override {
    forward_.start(algorithm_, src, dst, static_cast<cudaStream_t>(stream));
  }

 private:
  /// The fastest first; the first that is right on random pixels is taken.
  void choose(const ConvolutionProblem& p, const CorrelationTaps& taps) {
    DeviceBuffer src(sourceBytes());
    DeviceBuffer dst(resultBytes());
    BANKSIDE_CUDA_CHECK(cudaMemset(src.data(), 0, sourceBytes()));
    const Stream stream;
    const Event begin, end;
    std::vector<std::pair<double, int>> times;
    std::string reason = "cuDNN offers no algorithm for it";
    for (const int algorithm : forward_.algorithms) {
      try {
        std::vector<double> samples;
        for (int round = 0; round < 4; ++round) {
          begin.record(stream);
          forward_.start(algorithm, src.data(), dst.data(), stream);
          end.record(stream);
          stream.synchronize();
          if (round > 0) samples.push_back(secondsBetween(begin, end));
        }
        times.emplace_back(*std::min_element(samples.begin(), samples.end()), algorithm);
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    std::sort(times.begin(), times.end());
    for (const auto& [seconds, algorithm] : times) {
      if (const std::string wrong = judge(p, taps, algorithm); wrong.empty()) {
        algorithm_ = algorithm;
        return;
      } else {
        reason = std::string(algorithmNames[algorithm]) + ": " + wrong;
      }
    }
    throw Error(ErrorCode::Unsupported, "no algorithm of cuDNN is right: " + reason);
  }

  /// On a small image of the same bank.
  std::string judge(ConvolutionProblem p, const CorrelationTaps& taps, int algorithm) const {
    p.height = std::min(p.height, 64);
    p.width = std::min(p.width, 64);
    const Forward small(p, taps, tensorFloat_);
    const auto& offered = small.algorithms;
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

  bool tensorFloat_;
  Forward forward_;
  int algorithm_ = 0;
};

class CudnnEngine final : public PeerEngine {
 public:
  explicit CudnnEngine(bool tensorFloat) : tensorFloat_(tensorFloat) {}
  std::string name() const override { return tensorFloat_ ? "cudnn:tf32" : "cudnn:fma"; }
  std::string description() const override {
    if (!library()) return library().reason;
    return "cuDNN " + std::to_string(cudnnLibrary().cudnnGetVersion()) + ", " +
           (tensorFloat_ ? "TF32 allowed" : "FMA math") + ", best of its forward algorithms";
  }

 protected:
  Support library() const override { return cudnnLibrary().file.available(); }
  bool sumsChannels() const override { return true; }
  Support takes(const ConvolutionProblem& p) const override {
    if (p.border != Border{BorderKind::Constant, 0.0f})
      return Support::no("cuDNN pads with zeros, not with " + format(p.border));
    if (p.filterHeight % 2 == 0 || p.filterWidth % 2 == 0 || p.anchorX != p.filterWidth / 2 ||
        p.anchorY != p.filterHeight / 2)
      return Support::no("cuDNN pads alike on both sides: odd filters anchored in the middle only");
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<CudnnPass>(plane, taps, tensorFloat_);
  }

 private:
  bool tensorFloat_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeCudnnEngine(bool allowTensorFloat32) {
  return std::make_unique<cuda::CudnnEngine>(allowTensorFloat32);
}

}  // namespace bankside
