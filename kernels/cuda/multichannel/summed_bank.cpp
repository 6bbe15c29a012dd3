#include "kernels/cuda/multichannel/summed_bank.h"

#include <algorithm>

#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_taps.h"

namespace bankside::cuda {
namespace {

std::size_t planeBytes(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

int responseStride(int width) { return roundUp(width, 64); }

std::vector<float> summedLayout(const BlockShape& shape, const ConvolutionProblem& p,
                                const std::vector<float>& taps) {
  const int each = p.filterHeight * p.filterWidth;
  const int channels = p.tapChannels();
  std::vector<float> layout(static_cast<std::size_t>(roundUp(p.filterCount, shape.filtersPerBlock)) *
                            static_cast<std::size_t>(channels) * static_cast<std::size_t>(each));
  std::size_t from = 0;
  for (int f = 0; f < p.filterCount; ++f)
    for (int c = 0; c < channels; ++c)
      for (int t = 0; t < each; ++t) layout[tapPosition(shape, f, c, t, channels, each)] = taps[from++];
  return layout;
}

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

ChannelBank::ChannelBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int parts,
                         std::span<const std::byte> layout)
    : problem_(problem), anchorX_(taps.anchorX), anchorY_(taps.anchorY), parts_(parts) {
  taps_.reserve(layout.size());
  BANKSIDE_CUDA_CHECK(cudaMemcpy(taps_.data(), layout.data(), layout.size(), cudaMemcpyHostToDevice));
}

SummedBank::SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                       const SummedChoice& choice)
    : ChannelBank(problem, taps, choice.parts,
                  bytesOf(summedLayout(summedVariants()[static_cast<std::size_t>(choice.variant)].shape,
                                       problem, taps.taps))),
      choice_(choice) {}

ErrorBound SummedBank::errorBound() const {
  // A split adds parts - 1 roundings to those of its part's taps: fewer than one a tap all the same.
  return {gammaBound(products()), true};
}

void SummedBank::launch(SummedArguments& s, cudaStream_t stream) {
  s.sumsShared = choice_.sumsShared || choice_.parts > 1;
  launchSummed(choice_, s, stream);
}

MatrixBank::MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode)
    : MatrixBank(problem, taps, mode, tensorTaps(mode, problem, taps.taps)) {}

MatrixBank::MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode,
                       const TensorTaps& laidOut)
    : ChannelBank(problem, taps, tensorParts(mode, problem), bytesOf(laidOut.words)),
      mode_(mode),
      tapScaleBack_(laidOut.scaleBack) {}

std::string MatrixBank::describe() const {
  return parts() == 1 ? "mma" : "mma, channels over " + std::to_string(parts()) + " blocks";
}

ErrorBound MatrixBank::errorBound() const { return tensorErrorBound(mode_, problem(), parts()); }

void MatrixBank::launch(SummedArguments& s, cudaStream_t stream) {
  if (mode_ == TensorMode::Fp16) {
    s.tapScaleBack = tapScaleBack_;
    s.largestBits = knownLargestBits(problem());
    if (problem().srcType == ElementType::F32) {
      largest_.reserve(sizeof(std::uint32_t));
      auto* const largest = reinterpret_cast<std::uint32_t*>(largest_.data());
      const SourceRows& src = s.base.src;
      // Where a constant border is the kernel's business, rows outside the image hold nothing.
      const bool holes = src.rowsResolved && problem().border.kind == BorderKind::Constant;
      const int first = holes ? std::max(0, -src.firstRow) : 0;
      const int end = holes ? std::min(s.sourceRows, src.imageHeight - src.firstRow) : s.sourceRows;
      const bool constant = problem().border.kind == BorderKind::Constant;
      launchLargest(src, first, end - first, s.channels, s.channelStride,
                    constant ? problem().border.value : 0.0f, largest, stream);
      s.largestPixel = largest;
    }
  }
  launchTensor(mode_, parts(), s, stream);
}

std::size_t ChannelBank::workBytesPerRow(int width) const {
  std::size_t bytes = 0;
  if (problem_.srcType != ElementType::F32)
    bytes += planeBytes(problem_.width, 1) * static_cast<std::size_t>(problem_.channels);
  if (problem_.combine != Combine::None)
    bytes += planeBytes(responseStride(width), 1) * static_cast<std::size_t>(problem_.filterCount);
  return bytes;
}

void ChannelBank::start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows,
                        cudaStream_t stream) {
  a = withBank(a, problem_, anchorX_, anchorY_, taps_.data());

  SummedArguments s{
      a,         problem_.tapChannels(), channelStride, channelsOfPart(problem_.tapChannels(), parts_), false,
      sourceRows};
  if (a.src.type != ElementType::F32) {
    const int stride = roundUp(problem_.width, 4);
    widened_.reserve(planeBytes(stride, sourceRows) * static_cast<std::size_t>(s.channels));
    auto* const floats = reinterpret_cast<float*>(widened_.data());
    launchWiden(a.src, sourceRows, s.channels, channelStride, floats, stride, stream);
    s.base.src.pixels = floats;
    s.base.src.stride = stride;
    s.base.src.type = ElementType::F32;
    s.channelStride = static_cast<std::ptrdiff_t>(stride) * sourceRows;
  }
  if (a.combine == Combine::None) {
    launch(s, stream);
    return;
  }
  const int stride = responseStride(a.width);
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(stride) * a.height;
  responses_.reserve(planeBytes(stride, a.height) * static_cast<std::size_t>(a.filterCount));
  auto* const responses = reinterpret_cast<float*>(responses_.data());
  s.base.dst = {responses, nullptr, plane, stride, ElementType::F32};
  launch(s, stream);
  launchCombine(a, responses, stride, plane, stream);
}

}  // namespace bankside::cuda
