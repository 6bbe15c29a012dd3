// A filter bank as one product of matrices: windows as columns, then cuBLAS's f32 product with the bank. What
// Caffe did, and what the paper's section 4 compares its traffic with.
#include <algorithm>

#include "kernels/cuda/runtime/cublas_library.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/im2col.h"
#include "kernels/peers/peer_engine.h"

namespace bankside {
namespace cuda {
namespace {

/// Floats of the matrix of windows; larger images go in parts.
constexpr double mostColumnFloats = 1e9;
constexpr std::size_t workspaceBytes = std::size_t{32} << 20;

class Im2colPass final : public PlanePass {
 public:
  Im2colPass(const ConvolutionProblem& p, const CorrelationTaps& taps)
      : PlanePass(p),
        problem_(p),
        anchorX_(taps.anchorX),
        anchorY_(taps.anchorY),
        depth_(p.tapChannels() * p.filterHeight * p.filterWidth),
        pixels_(p.height * p.width),
        atOnce_(static_cast<int>(std::clamp(mostColumnFloats / depth_, 1.0, static_cast<double>(pixels_)))),
        workspace_(workspaceBytes) {
    taps_.reserve(taps.taps.size() * sizeof(float));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(taps_.data(), taps.taps.data(), taps.taps.size() * sizeof(float), cudaMemcpyHostToDevice));
    columns_.reserve(static_cast<std::size_t>(atOnce_) * static_cast<std::size_t>(depth_) * sizeof(float));
    checkCublas(cublasLibrary().cublasCreate_v2(&handle_), "create");
    checkCublas(cublasLibrary().cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH), "math");  // f32, no TF32
  }
  ~Im2colPass() override { cublasLibrary().cublasDestroy_v2(handle_); }
  Im2colPass(const Im2colPass&) = delete;
  Im2colPass& operator=(const Im2colPass&) = delete;

  std::string variant() const override {
    const int parts = (pixels_ + atOnce_ - 1) / atOnce_;
    return parts == 1 ? "sgemm" : "sgemm, " + std::to_string(parts) + " parts";
  }
  /// However cuBLAS groups the terms of a sum, none passes more roundings than there are terms.
  ErrorBound errorBound() const override { return {gammaBound(depth_)}; }

  void start(const void* src, void* dst, void* stream) override {
    const CublasLibrary& l = cublasLibrary();
    const auto s = static_cast<cudaStream_t>(stream);
    checkCublas(l.cublasSetStream_v2(handle_, s), "stream");
    // A stream comes with cuBLAS's own memory again; ours may be captured into a graph.
    checkCublas(l.cublasSetWorkspace_v2(handle_, workspace_.data(), workspace_.bytes()), "workspace");
    const float one = 1.0f;
    const float zero = 0.0f;
    auto* const columns = reinterpret_cast<float*>(columns_.data());
    for (int first = 0; first < pixels_; first += atOnce_) {
      const int count = std::min(atOnce_, pixels_ - first);
      startIm2col(problem_, anchorX_, anchorY_, static_cast<const float*>(src), first, count, columns, s);
      // In rows: responses [F][pixels] = taps [F][depth] x columns [depth][count]; cuBLAS counts in columns.
      checkCublas(l.cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, count, problem_.filterCount, depth_,
                                   &one, columns, count, reinterpret_cast<const float*>(taps_.data()), depth_,
                                   &zero, static_cast<float*>(dst) + first, pixels_),
                  "product");
    }
  }

 private:
  ConvolutionProblem problem_;
  int anchorX_;
  int anchorY_;
  int depth_;  ///< taps of a filter
  int pixels_;
  int atOnce_;
  cublasHandle_t handle_ = nullptr;
  DeviceBuffer taps_, columns_, workspace_;
};

class Im2colEngine final : public PeerEngine {
 public:
  std::string name() const override { return "cublas:im2col"; }
  std::string description() const override {
    if (!library()) return library().reason;
    return "cuBLAS " + version() + ", f32 product over a matrix of windows";
  }

 protected:
  Support library() const override { return cublasLibrary().file.available(); }
  bool sumsChannels() const override { return true; }
  Support takes(const ConvolutionProblem& p) const override {
    constexpr double most = 2147483647;
    if (static_cast<double>(p.height) * p.width > most ||
        static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth > 1e8)
      return Support::no("the matrix of windows is larger than cuBLAS counts");
    return Support::yes();
  }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<Im2colPass>(plane, taps);
  }

 private:
  static std::string version() {
    if (!deviceState()) return "without a device";
    cublasHandle_t handle = nullptr;
    int number = 0;
    if (cublasLibrary().cublasCreate_v2(&handle) != CUBLAS_STATUS_SUCCESS) return "?";
    cublasLibrary().cublasGetVersion_v2(handle, &number);
    cublasLibrary().cublasDestroy_v2(handle);
    return std::to_string(number);
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeIm2colEngine() { return std::make_unique<cuda::Im2colEngine>(); }

}  // namespace bankside
