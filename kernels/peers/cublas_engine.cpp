#include "kernels/cuda/runtime/cublas_library.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/im2col_pass.h"

namespace bankside {
namespace cuda {
namespace {

class SgemmPass final : public Im2colPass {
 public:
  SgemmPass(const ConvolutionProblem& p, const CorrelationTaps& taps) : Im2colPass(p, taps) {
    checkCublas(cublasLibrary().cublasCreate_v2(&handle_), "create");
    checkCublas(cublasLibrary().cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH), "math");  // f32, no TF32
  }
  ~SgemmPass() override { cublasLibrary().cublasDestroy_v2(handle_); }
  SgemmPass(const SgemmPass&) = delete;
  SgemmPass& operator=(const SgemmPass&) = delete;

  std::string variant() const override { return parts("sgemm"); }

 private:
  void begin(cudaStream_t stream) override {
    checkCublas(cublasLibrary().cublasSetStream_v2(handle_, stream), "stream");
    // A stream comes with cuBLAS's own memory again; ours may be captured into a graph.
    checkCublas(cublasLibrary().cublasSetWorkspace_v2(handle_, workspace().data(), workspace().bytes()),
                "workspace");
  }
  void multiply(const float* columns, const float* taps, int count, float* responses, cudaStream_t) override {
    const float one = 1.0f;
    const float zero = 0.0f;
    checkCublas(
        cublasLibrary().cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, count, problem().filterCount,
                                       depth_, &one, columns, count, taps, depth_, &zero, responses, pixels_),
        "product");
  }

  cublasHandle_t handle_ = nullptr;
};

class SgemmEngine final : public Im2colEngine {
 public:
  std::string name() const override { return "cublas:im2col"; }
  std::string description() const override {
    if (!library()) return library().reason;
    return "cuBLAS " + version() + ", f32 product over a matrix of windows";
  }

 protected:
  Support library() const override { return cublasLibrary().file.available(); }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<SgemmPass>(plane, taps);
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

std::unique_ptr<Engine> makeIm2colEngine() { return std::make_unique<cuda::SgemmEngine>(); }

}  // namespace bankside
