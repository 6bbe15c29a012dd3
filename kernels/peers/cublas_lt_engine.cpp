// The same product by cuBLASLt, whose heuristics propose ways that its user is expected to time.
#include <cublasLt.h>

#include <memory>

#include "kernels/cuda/runtime/cublas_library.h"
#include "kernels/peers/gpu_peers.h"
#include "kernels/peers/im2col_pass.h"

namespace bankside {
namespace cuda {
namespace {

struct CublasLtLibrary {
  SharedLibrary file{"cuBLASLt", {"libcublasLt.so.13", "libcublasLt.so.12"}};
#define BANKSIDE_CUBLAS_LT(name) decltype(&::name) name = file.find<decltype(&::name)>(#name);
  BANKSIDE_CUBLAS_LT(cublasLtCreate)
  BANKSIDE_CUBLAS_LT(cublasLtDestroy)
  BANKSIDE_CUBLAS_LT(cublasLtGetVersion)
  BANKSIDE_CUBLAS_LT(cublasLtMatmul)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulAlgoGetHeuristic)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulDescCreate)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulDescDestroy)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulPreferenceCreate)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulPreferenceDestroy)
  BANKSIDE_CUBLAS_LT(cublasLtMatmulPreferenceSetAttribute)
  BANKSIDE_CUBLAS_LT(cublasLtMatrixLayoutCreate)
  BANKSIDE_CUBLAS_LT(cublasLtMatrixLayoutDestroy)
#undef BANKSIDE_CUBLAS_LT
};

const CublasLtLibrary& lt() {
  static const CublasLtLibrary one;
  return one;
}

/// What the library makes and takes back.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cublasStatus_t (*)(Handle)>;

Owned<cublasLtMatrixLayout_t> matrix(int rows, int columns, int stride) {
  cublasLtMatrixLayout_t made = nullptr;
  checkCublas(lt().cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                              static_cast<std::uint64_t>(columns), stride),
              "matrix");
  return {made, lt().cublasLtMatrixLayoutDestroy};
}

/// Of so many pixels: columns (pixels x depth), taps (depth x filters), responses (pixels x filters).
struct Product {
  Owned<cublasLtMatrixLayout_t> columns, taps, responses;
  std::vector<cublasLtMatmulHeuristicResult_t> ways = {};
};

class LtPass final : public Im2colPass {
 public:
  LtPass(const ConvolutionProblem& p, const CorrelationTaps& taps)
      : Im2colPass(p, taps),
        handle_(made(lt().cublasLtCreate, lt().cublasLtDestroy)),
        product_(description()) {
    whole_ = product(atOnce_);
    if (pixels_ % atOnce_ != 0) rest_ = product(pixels_ % atOnce_);
    std::vector<int> ways(whole_->ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = static_cast<int>(i);
    std::string reason = "it proposes none";
    if ((rest_ && rest_->ways.empty()) || !takeFastest(p, taps, ways, reason))
      throw Error(ErrorCode::Unsupported, "no way of cuBLASLt is right: " + reason);
  }

  std::string variant() const override {
    return parts("way " + std::to_string(way_ + 1) + " of " + std::to_string(whole_->ways.size()));
  }

 private:
  static constexpr int mostWays = 16;

  template <class Handle>
  static Owned<Handle> made(cublasStatus_t (*create)(Handle*), cublasStatus_t (*destroy)(Handle)) {
    Handle one = nullptr;
    checkCublas(create(&one), "create");
    return {one, destroy};
  }
  static Owned<cublasLtMatmulDesc_t> description() {
    cublasLtMatmulDesc_t one = nullptr;
    checkCublas(lt().cublasLtMatmulDescCreate(&one, CUBLAS_COMPUTE_32F, CUDA_R_32F), "description");
    return {one, lt().cublasLtMatmulDescDestroy};
  }

  std::unique_ptr<Product> product(int count) const {
    auto one = std::make_unique<Product>(Product{matrix(count, depth_, count),
                                                 matrix(depth_, problem().filterCount, depth_),
                                                 matrix(count, problem().filterCount, pixels_)});
    const auto preference = made(lt().cublasLtMatmulPreferenceCreate, lt().cublasLtMatmulPreferenceDestroy);
    const std::size_t bytes = workspaceBytes;
    checkCublas(lt().cublasLtMatmulPreferenceSetAttribute(
                    preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
                "workspace");
    one->ways.resize(mostWays);
    int found = 0;
    const cublasStatus_t status = lt().cublasLtMatmulAlgoGetHeuristic(
        handle_.get(), product_.get(), one->columns.get(), one->taps.get(), one->responses.get(),
        one->responses.get(), preference.get(), mostWays, one->ways.data(), &found);
    one->ways.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(found) : 0);
    return one;
  }

  void use(int way) override { way_ = way; }

  void multiply(const float* columns, const float* taps, int count, float* responses,
                cudaStream_t stream) override {
    const bool whole = count == atOnce_;
    const Product& p = whole ? *whole_ : *rest_;
    const cublasLtMatmulAlgo_t& way = p.ways[whole ? static_cast<std::size_t>(way_) : 0].algo;
    const float one = 1.0f;
    const float zero = 0.0f;
    checkCublas(lt().cublasLtMatmul(handle_.get(), product_.get(), &one, columns, p.columns.get(), taps,
                                    p.taps.get(), &zero, responses, p.responses.get(), responses,
                                    p.responses.get(), &way, workspace().data(), workspace().bytes(), stream),
                "product");
  }

  Owned<cublasLtHandle_t> handle_;
  Owned<cublasLtMatmulDesc_t> product_;
  std::unique_ptr<Product> whole_, rest_;
  int way_ = 0;
};

class LtEngine final : public Im2colEngine {
 public:
  std::string name() const override { return "cublas:lt"; }
  std::string description() const override {
    if (!library()) return library().reason;
    return "cuBLASLt " + std::to_string(lt().cublasLtGetVersion()) +
           ", f32 product over a matrix of windows, the fastest of its heuristics' ways";
  }

 protected:
  Support library() const override { return lt().file.available(); }
  std::unique_ptr<PlanePass> makePass(const ConvolutionProblem& plane,
                                      const CorrelationTaps& taps) const override {
    return std::make_unique<LtPass>(plane, taps);
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Engine> makeCublasLtEngine() { return std::make_unique<cuda::LtEngine>(); }

}  // namespace bankside
