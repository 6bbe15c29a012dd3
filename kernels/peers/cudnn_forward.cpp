#include "kernels/peers/cudnn_forward.h"

#include <algorithm>

#include "core/error.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#include <dlfcn.h>

#include <cmath>

#include "core/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/device_buffer.h"

// The legacy interface is what other programs call; NVIDIA marks it so that they move on.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace bankside::cuda {
namespace {

/// The functions that are used, found in the library by name.
struct Library {
  void* handle = dlopen("libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);
  template <class Function>
  Function find(const char* name) const {
    auto function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) throw Error(ErrorCode::Unsupported, std::string("cuDNN has no ") + name);
    return function;
  }
#define BANKSIDE_CUDNN(name) decltype(&::name) name = handle ? find<decltype(&::name)>(#name) : nullptr;
  BANKSIDE_CUDNN(cudnnGetVersion)
  BANKSIDE_CUDNN(cudnnGetErrorString)
  BANKSIDE_CUDNN(cudnnCreate)
  BANKSIDE_CUDNN(cudnnDestroy)
  BANKSIDE_CUDNN(cudnnSetStream)
  BANKSIDE_CUDNN(cudnnCreateTensorDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyTensorDescriptor)
  BANKSIDE_CUDNN(cudnnSetTensor4dDescriptor)
  BANKSIDE_CUDNN(cudnnCreateFilterDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyFilterDescriptor)
  BANKSIDE_CUDNN(cudnnSetFilter4dDescriptor)
  BANKSIDE_CUDNN(cudnnCreateConvolutionDescriptor)
  BANKSIDE_CUDNN(cudnnDestroyConvolutionDescriptor)
  BANKSIDE_CUDNN(cudnnSetConvolution2dDescriptor)
  BANKSIDE_CUDNN(cudnnSetConvolutionMathType)
  BANKSIDE_CUDNN(cudnnGetConvolutionForwardWorkspaceSize)
  BANKSIDE_CUDNN(cudnnConvolutionForward)
#undef BANKSIDE_CUDNN

  void check(cudnnStatus_t status, const char* what) const {
    if (status != CUDNN_STATUS_SUCCESS)
      throw Error(ErrorCode::Device, std::string("cuDNN: ") + what + ": " + cudnnGetErrorString(status));
  }
};

const Library& library() {
  static const Library one;
  if (one.handle == nullptr)
    throw Error(ErrorCode::Unsupported, "cuDNN 9 is not on this machine (libcudnn.so.9 could not be opened)");
  return one;
}

constexpr std::size_t workspaceLimit = std::size_t{8} << 30;

const char* const names[CUDNN_CONVOLUTION_FWD_ALGO_COUNT] = {
    "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"};

}  // namespace

struct CudnnForward::State {
  State(const ConvolutionProblem& p, const FilterBank& b, bool tensorFloat)
      : problem(p), bank(b), allowTensorFloat(tensorFloat) {
    const Library& l = library();
    l.check(l.cudnnCreate(&handle), "create");
    l.cudnnCreateTensorDescriptor(&in);
    l.cudnnCreateTensorDescriptor(&out);
    l.cudnnCreateFilterDescriptor(&filter);
    l.cudnnCreateConvolutionDescriptor(&convolution);
    l.check(l.cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, p.height, p.width),
            "input");
    l.check(l.cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, p.filterCount, p.height,
                                         p.width),
            "output");
    l.check(l.cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, p.filterCount, 1,
                                         p.filterHeight, p.filterWidth),
            "filter");
    l.check(l.cudnnSetConvolution2dDescriptor(convolution, p.filterHeight / 2, p.filterWidth / 2, 1, 1, 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            "convolution");
    l.check(l.cudnnSetConvolutionMathType(convolution, tensorFloat ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
            "math");
    const CorrelationTaps t = correlationTaps(p, b);
    taps.reserve(t.taps.size() * sizeof(float));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(taps.data(), t.taps.data(), t.taps.size() * sizeof(float), cudaMemcpyHostToDevice));
    for (int a = 0; a < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++a) {
      std::size_t bytes = 0;
      if (l.cudnnGetConvolutionForwardWorkspaceSize(handle, in, filter, convolution, out,
                                                    static_cast<cudnnConvolutionFwdAlgo_t>(a),
                                                    &bytes) == CUDNN_STATUS_SUCCESS &&
          bytes <= workspaceLimit) {
        algorithms.push_back(a);
        most = std::max(most, bytes);
      }
    }
    workspace.reserve(most);
  }
  ~State() {
    const Library& l = library();
    l.cudnnDestroyConvolutionDescriptor(convolution);
    l.cudnnDestroyFilterDescriptor(filter);
    l.cudnnDestroyTensorDescriptor(out);
    l.cudnnDestroyTensorDescriptor(in);
    l.cudnnDestroy(handle);
  }

  ConvolutionProblem problem;
  FilterBank bank;
  bool allowTensorFloat;
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t in = nullptr, out = nullptr;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  DeviceBuffer taps, workspace;
  std::size_t most = 0;
  std::vector<int> algorithms;
};

CudnnForward::CudnnForward(const ConvolutionProblem& problem, const FilterBank& bank, bool allowTensorFloat32)
    : state_(std::make_unique<State>(problem, bank, allowTensorFloat32)) {}
CudnnForward::~CudnnForward() = default;

const std::vector<int>& CudnnForward::algorithms() const { return state_->algorithms; }
std::string CudnnForward::name(int algorithm) const { return names[algorithm]; }

void CudnnForward::run(int algorithm, const float* src, float* dst, void* stream) {
  const Library& l = library();
  const float one = 1.0f;
  const float zero = 0.0f;
  l.check(l.cudnnSetStream(state_->handle, static_cast<cudaStream_t>(stream)), "stream");
  l.check(
      l.cudnnConvolutionForward(state_->handle, &one, state_->in, src, state_->filter, state_->taps.data(),
                                state_->convolution, static_cast<cudnnConvolutionFwdAlgo_t>(algorithm),
                                state_->workspace.data(), state_->workspace.bytes(), &zero, state_->out, dst),
      names[algorithm]);
}

std::string CudnnForward::judge(int algorithm) const {
  ConvolutionProblem p = state_->problem;
  p.height = p.width = 128;
  CudnnForward small(p, state_->bank, state_->allowTensorFloat);
  const Image image = randomImage(1, p.height, p.width, ElementType::F32, 11);
  const std::size_t plane = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
  DeviceBuffer src(plane * sizeof(float));
  DeviceBuffer dst(plane * sizeof(float) * static_cast<std::size_t>(p.filterCount));
  const ConstPlane rows = image.plane(0);
  BANKSIDE_CUDA_CHECK(cudaMemcpy2D(src.data(), static_cast<std::size_t>(p.width) * 4, rows.data,
                                   static_cast<std::size_t>(rows.strideBytes),
                                   static_cast<std::size_t>(p.width) * 4, static_cast<std::size_t>(p.height),
                                   cudaMemcpyHostToDevice));
  small.run(algorithm, reinterpret_cast<const float*>(src.data()), reinterpret_cast<float*>(dst.data()),
            nullptr);
  BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<Image> outputs;
  for (int f = 0; f < p.filterCount; ++f) {
    Image out(1, p.height, p.width, ElementType::F32);
    const MutablePlane to = out.plane(0);
    BANKSIDE_CUDA_CHECK(cudaMemcpy2D(to.data, static_cast<std::size_t>(to.strideBytes),
                                     dst.data() + static_cast<std::size_t>(f) * plane * sizeof(float),
                                     static_cast<std::size_t>(p.width) * 4,
                                     static_cast<std::size_t>(p.width) * 4,
                                     static_cast<std::size_t>(p.height), cudaMemcpyDeviceToHost));
    outputs.push_back(std::move(out));
  }
  ImageSource source(image);
  const ErrorBound bound{state_->allowTensorFloat ? 1e-2 : 1e-4, false};
  const Verification v = verify(p, state_->bank, source, wholeImage(p), outputs, bound, 1);
  return v.passed ? std::string() : v.place();
}

std::string CudnnForward::libraryVersion() { return std::to_string(library().cudnnGetVersion()); }

}  // namespace bankside::cuda

#else

namespace bankside::cuda {

struct CudnnForward::State {
  std::vector<int> algorithms;
};

CudnnForward::CudnnForward(const ConvolutionProblem&, const FilterBank&, bool) {
  throw Error(ErrorCode::Unsupported, "this build has no cuDNN peer (cudnn.h was not found)");
}
CudnnForward::~CudnnForward() = default;
const std::vector<int>& CudnnForward::algorithms() const { return state_->algorithms; }
std::string CudnnForward::name(int) const { return {}; }
void CudnnForward::run(int, const float*, float*, void*) {}
std::string CudnnForward::judge(int) const { return {}; }
std::string CudnnForward::libraryVersion() { return {}; }

}  // namespace bankside::cuda

#endif
