/// One problem as cuDNN sees it: descriptors, taps and workspace.
#pragma once

#include <vector>

#include "core/problem.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/peers/cudnn_library.h"
#include "kernels/peers/gpu_peers.h"

namespace bankside::cuda {

inline constexpr const char* cudnnAlgorithmNames[CUDNN_CONVOLUTION_FWD_ALGO_COUNT] = {
    "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"};

/// f32 planes in and out whatever the math, of one image or, unless Fp16, of several: for Fp16 pixels are
/// rounded to half precision on the way in, in planes or with the channels last, and results widened on the
/// way out.
class CudnnForward {
 public:
  CudnnForward(const ConvolutionProblem& problem, const CorrelationTaps& taps, CudnnMath math,
               bool channelsLast, int images = 1);
  CudnnForward(const CudnnForward&) = delete;
  CudnnForward& operator=(const CudnnForward&) = delete;
  ~CudnnForward();

  /// Errors  Error{Device} with cuDNN's sentence
  void start(int algorithm, const void* src, void* dst, cudaStream_t stream) const;

  /// Those that cuDNN offers with a workspace of at most 8 GiB.
  const std::vector<int>& algorithms() const { return algorithms_; }
  bool channelsLast() const { return channelsLast_; }

 private:
  void convolve(int algorithm, const void* src, void* dst, float alpha) const;
  void loadTaps(const CorrelationTaps& taps);

  ConvolutionProblem problem_;
  CudnnMath math_;
  bool channelsLast_;
  std::size_t pixels_;
  float alpha_ = 1.0f;
  float back_ = 1.0f;
  std::vector<int> algorithms_;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t in_ = nullptr, out_ = nullptr;
  cudnnFilterDescriptor_t filter_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
  DeviceBuffer taps_, workspace_, halfSource_, halfResult_;
};

}  // namespace bankside::cuda
