#include "kernels/peers/cudnn_forward.h"

#include <algorithm>

#include "kernels/peers/half_planes.h"
#include "kernels/peers/half_taps.h"

// The legacy interface is what other programs call; NVIDIA marks it so that they move on.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace bankside::cuda {
namespace {

constexpr std::size_t workspaceLimit = std::size_t{8} << 30;

cudnnMathType_t mathType(CudnnMath math) {
  switch (math) {
    case CudnnMath::Fma: return CUDNN_FMA_MATH;
    case CudnnMath::Tf32: return CUDNN_DEFAULT_MATH;
    case CudnnMath::Fp16: return CUDNN_TENSOR_OP_MATH;
  }
  return CUDNN_FMA_MATH;
}

}  // namespace

CudnnForward::CudnnForward(const ConvolutionProblem& p, const CorrelationTaps& taps, CudnnMath math,
                           bool channelsLast, int images)
    : problem_(p),
      math_(math),
      channelsLast_(channelsLast),
      pixels_(static_cast<std::size_t>(p.height) * static_cast<std::size_t>(p.width)) {
  const CudnnLibrary& l = cudnnLibrary();
  const cudnnDataType_t type = math == CudnnMath::Fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
  const cudnnTensorFormat_t format = channelsLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
  l.check(l.cudnnCreate(&handle_), "create");
  l.cudnnCreateTensorDescriptor(&in_);
  l.cudnnCreateTensorDescriptor(&out_);
  l.cudnnCreateFilterDescriptor(&filter_);
  l.cudnnCreateConvolutionDescriptor(&convolution_);
  l.check(l.cudnnSetTensor4dDescriptor(in_, format, type, images, p.channels, p.height, p.width), "input");
  l.check(l.cudnnSetTensor4dDescriptor(out_, format, type, images, p.filterCount, p.height, p.width),
          "output");
  l.check(l.cudnnSetFilter4dDescriptor(filter_, type, format, p.filterCount, p.channels, p.filterHeight,
                                       p.filterWidth),
          "filter");
  l.check(l.cudnnSetConvolution2dDescriptor(convolution_, p.filterHeight / 2, p.filterWidth / 2, 1, 1, 1, 1,
                                            CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
          "convolution");
  l.check(l.cudnnSetConvolutionMathType(convolution_, mathType(math)), "math");
  loadTaps(taps);
  std::size_t most = 0;
  for (int a = 0; a < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++a) {
    std::size_t bytes = 0;
    if (l.cudnnGetConvolutionForwardWorkspaceSize(handle_, in_, filter_, convolution_, out_,
                                                  static_cast<cudnnConvolutionFwdAlgo_t>(a),
                                                  &bytes) == CUDNN_STATUS_SUCCESS &&
        bytes <= workspaceLimit) {
      algorithms_.push_back(a);
      most = std::max(most, bytes);
    }
  }
  workspace_.reserve(most);
}

CudnnForward::~CudnnForward() {
  const CudnnLibrary& l = cudnnLibrary();
  l.cudnnDestroyConvolutionDescriptor(convolution_);
  l.cudnnDestroyFilterDescriptor(filter_);
  l.cudnnDestroyTensorDescriptor(out_);
  l.cudnnDestroyTensorDescriptor(in_);
  l.cudnnDestroy(handle_);
}

void CudnnForward::loadTaps(const CorrelationTaps& taps) {
  const auto load = [&](const void* from, std::size_t bytes) {
    taps_.reserve(bytes);
    BANKSIDE_CUDA_CHECK(cudaMemcpy(taps_.data(), from, bytes, cudaMemcpyHostToDevice));
  };
  if (math_ != CudnnMath::Fp16) {
    load(taps.taps.data(), taps.taps.size() * sizeof(float));
    return;
  }
  const HalfTaps half = halfTaps(problem_, taps.taps, channelsLast_);
  alpha_ = half.alpha;
  back_ = half.back;
  load(half.taps.data(), half.taps.size() * sizeof(Half));
  halfSource_.reserve(pixels_ * static_cast<std::size_t>(problem_.channels) * sizeof(Half));
  halfResult_.reserve(pixels_ * static_cast<std::size_t>(problem_.filterCount) * sizeof(Half));
}

void CudnnForward::convolve(int algorithm, const void* src, void* dst, float alpha) const {
  const CudnnLibrary& l = cudnnLibrary();
  const float zero = 0.0f;
  l.check(l.cudnnConvolutionForward(handle_, &alpha, in_, src, filter_, taps_.data(), convolution_,
                                    static_cast<cudnnConvolutionFwdAlgo_t>(algorithm), workspace_.data(),
                                    workspace_.bytes(), &zero, out_, dst),
          cudnnAlgorithmNames[algorithm]);
}

void CudnnForward::start(int algorithm, const void* src, void* dst, cudaStream_t stream) const {
  const CudnnLibrary& l = cudnnLibrary();
  l.check(l.cudnnSetStream(handle_, stream), "stream");
  if (math_ != CudnnMath::Fp16) {
    convolve(algorithm, src, dst, 1.0f);
    return;
  }
  startToHalf(static_cast<const float*>(src), halfSource_.data(), problem_.channels, pixels_, channelsLast_,
              stream);
  convolve(algorithm, halfSource_.data(), halfResult_.data(), alpha_);
  startToFloat(halfResult_.data(), static_cast<float*>(dst), problem_.filterCount, pixels_, channelsLast_,
               back_, stream);
}

}  // namespace bankside::cuda
