#include "kernels/cuda/multichannel/summed_bank.h"

#include "kernels/cuda/multichannel/summed_table.h"

namespace bankside::cuda {
namespace {

std::size_t planeBytes(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

int responseStride(int width) { return roundUp(width, 64); }

std::vector<float> laidOut(const BlockShape& shape, const ConvolutionProblem& p,
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

}  // namespace

SummedBank::SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                       const SummedChoice& choice)
    : problem_(problem), anchorX_(taps.anchorX), anchorY_(taps.anchorY), choice_(choice) {
  const auto& variant = summedVariants()[static_cast<std::size_t>(choice.variant)];
  const std::vector<float> layout = laidOut(variant.shape, problem, taps.taps);
  taps_.reserve(layout.size() * sizeof(float));
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy(taps_.data(), layout.data(), layout.size() * sizeof(float), cudaMemcpyHostToDevice));
}

ErrorBound SummedBank::errorBound() const {
  // A split adds parts - 1 roundings to those of its part's taps: fewer than one a tap all the same.
  return {
      gammaBound(static_cast<double>(problem_.tapChannels()) * problem_.filterHeight * problem_.filterWidth),
      true};
}

std::size_t SummedBank::workBytesPerRow(int width) const {
  std::size_t bytes = 0;
  if (problem_.srcType != ElementType::F32)
    bytes += planeBytes(problem_.width, 1) * static_cast<std::size_t>(problem_.channels);
  if (problem_.combine != Combine::None)
    bytes += planeBytes(responseStride(width), 1) * static_cast<std::size_t>(problem_.filterCount);
  return bytes;
}

void SummedBank::start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) {
  a.border = problem_.border;
  a.combine = problem_.combine;
  a.filterCount = problem_.filterCount;
  a.filterHeight = problem_.filterHeight;
  a.filterWidth = problem_.filterWidth;
  a.anchorX = anchorX_;
  a.anchorY = anchorY_;
  a.taps = reinterpret_cast<const float*>(taps_.data());

  SummedArguments s{a, problem_.tapChannels(), channelStride,
                    channelsOfPart(problem_.tapChannels(), choice_.parts),
                    choice_.sumsShared || choice_.parts > 1};
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
    launchSummed(choice_, s, stream);
    return;
  }
  const int stride = responseStride(a.width);
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(stride) * a.height;
  responses_.reserve(planeBytes(stride, a.height) * static_cast<std::size_t>(a.filterCount));
  auto* const responses = reinterpret_cast<float*>(responses_.data());
  s.base.dst = {responses, nullptr, plane, stride, ElementType::F32};
  launchSummed(choice_, s, stream);
  launchCombine(a, responses, stride, plane, stream);
}

}  // namespace bankside::cuda
