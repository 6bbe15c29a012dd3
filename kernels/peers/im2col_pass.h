/// A filter bank as one product of matrices: windows as columns, then a library's f32 product with the bank.
/// What Caffe did, and what the paper's section 4 compares its traffic with.
#pragma once

#include <algorithm>

#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/peers/choosing_pass.h"
#include "kernels/peers/im2col.h"
#include "kernels/peers/peer_engine.h"

namespace bankside::cuda {

class Im2colPass : public ChoosingPass {
 public:
  Im2colPass(const ConvolutionProblem& p, const CorrelationTaps& taps)
      : ChoosingPass(p),
        depth_(p.tapChannels() * p.filterHeight * p.filterWidth),
        pixels_(p.height * p.width),
        atOnce_(static_cast<int>(std::clamp(mostColumnFloats / depth_, 1.0, static_cast<double>(pixels_)))),
        problem_(p),
        anchorX_(taps.anchorX),
        anchorY_(taps.anchorY),
        workspace_(workspaceBytes) {
    taps_.reserve(taps.taps.size() * sizeof(float));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(taps_.data(), taps.taps.data(), taps.taps.size() * sizeof(float), cudaMemcpyHostToDevice));
    columns_.reserve(static_cast<std::size_t>(atOnce_) * static_cast<std::size_t>(depth_) * sizeof(float));
  }

  /// However a library groups the terms of a sum, none passes more roundings than there are terms.
  ErrorBound errorBound() const override { return {gammaBound(depth_)}; }

  void start(const void* src, void* dst, void* stream) override {
    const auto s = static_cast<cudaStream_t>(stream);
    begin(s);
    auto* const columns = reinterpret_cast<float*>(columns_.data());
    for (int first = 0; first < pixels_; first += atOnce_) {
      const int count = std::min(atOnce_, pixels_ - first);
      startIm2col(problem_, anchorX_, anchorY_, static_cast<const float*>(src), first, count, columns, s);
      multiply(columns, reinterpret_cast<const float*>(taps_.data()), count, static_cast<float*>(dst) + first,
               s);
    }
  }

 protected:
  static constexpr std::size_t workspaceBytes = std::size_t{32} << 20;

  virtual void begin(cudaStream_t) {}
  /// responses [F][pixels] = taps [F][depth] x columns [depth][count], by rows; libraries count in columns.
  virtual void multiply(const float* columns, const float* taps, int count, float* responses,
                        cudaStream_t stream) = 0;
  void use(int) override {}

  std::string parts(const std::string& how) const {
    const int count = (pixels_ + atOnce_ - 1) / atOnce_;
    return count == 1 ? how : how + ", " + std::to_string(count) + " parts";
  }
  const ConvolutionProblem& problem() const { return problem_; }
  const DeviceBuffer& workspace() const { return workspace_; }

  const int depth_;  ///< taps of a filter
  const int pixels_;
  const int atOnce_;

 private:
  /// Floats of the matrix of windows; larger images go in parts.
  static constexpr double mostColumnFloats = 1e9;

  ConvolutionProblem problem_;
  int anchorX_;
  int anchorY_;
  DeviceBuffer taps_, columns_, workspace_;
};

/// What both of cuBLAS's interfaces take.
class Im2colEngine : public PeerEngine {
 protected:
  bool sumsChannels() const override { return true; }
  Support takes(const ConvolutionProblem& p) const override {
    constexpr double most = 2147483647;
    if (static_cast<double>(p.height) * p.width > most ||
        static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth > 1e8)
      return Support::no("the matrix of windows is larger than cuBLAS counts");
    return Support::yes();
  }
};

}  // namespace bankside::cuda
