#include "kernels/cuda/multichannel/summed_bank.h"

#include <algorithm>

#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/multichannel/tensor_layout.h"

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

std::vector<float> tensorLayout(const ConvolutionProblem& p, const std::vector<float>& taps) {
  const int each = p.filterHeight * p.filterWidth;
  const int channels = p.tapChannels();
  const int blocks = ceilDiv(p.filterCount, tensorShape.filtersPerBlock);
  std::vector<float> layout(static_cast<std::size_t>(blocks) *
                            static_cast<std::size_t>(ceilDiv(channels, channelsPerProduct)) *
                            static_cast<std::size_t>(each) * tensorTapFloats);
  std::size_t from = 0;
  for (int f = 0; f < p.filterCount; ++f) {
    for (int c = 0; c < channels; ++c) {
      for (int t = 0; t < each; ++t, ++from) {
        const float upper = nearestTf32(taps[from]);
        layout[tensorTapPosition(f, c, t, channels, each, false)] = upper;
        layout[tensorTapPosition(f, c, t, channels, each, true)] = nearestTf32(taps[from] - upper);
      }
    }
  }
  return layout;
}

/// Where an image has too few tiles to fill the device: parts of whole steps of channels.
int tensorParts(const ConvolutionProblem& p) {
  const int blocks = ceilDiv(p.width, tensorShape.tileWidth) * ceilDiv(p.height, tensorShape.tileHeight) *
                     ceilDiv(p.filterCount, tensorShape.filtersPerBlock);
  int parts = 1;
  while (parts < 8 && blocks * parts < 200 && p.tapChannels() % (2 * parts * channelsPerProduct) == 0)
    parts *= 2;
  return parts;
}

}  // namespace

ChannelBank::ChannelBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int parts,
                         const std::vector<float>& layout)
    : problem_(problem), anchorX_(taps.anchorX), anchorY_(taps.anchorY), parts_(parts) {
  taps_.reserve(layout.size() * sizeof(float));
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy(taps_.data(), layout.data(), layout.size() * sizeof(float), cudaMemcpyHostToDevice));
}

SummedBank::SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                       const SummedChoice& choice)
    : ChannelBank(
          problem, taps, choice.parts,
          summedLayout(summedVariants()[static_cast<std::size_t>(choice.variant)].shape, problem, taps.taps)),
      choice_(choice) {}

ErrorBound SummedBank::errorBound() const {
  // A split adds parts - 1 roundings to those of its part's taps: fewer than one a tap all the same.
  return {gammaBound(products()), true};
}

void SummedBank::launch(SummedArguments& s, cudaStream_t stream) {
  s.sumsShared = choice_.sumsShared || choice_.parts > 1;
  launchSummed(choice_, s, stream);
}

Tf32Bank::Tf32Bank(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : ChannelBank(problem, taps, tensorParts(problem), tensorLayout(problem, taps.taps)) {}

std::string Tf32Bank::describe() const {
  return parts() == 1 ? "mma" : "mma, channels over " + std::to_string(parts()) + " blocks";
}

ErrorBound Tf32Bank::errorBound() const {
  // Of a product, lower x lower (2^-22) and what the lower parts lose when they become TF32 (2^-21 and 2^-22)
  // are missing. Three instructions add 8 products to a sum; each of their nine terms may lose 2^-23 of the
  // largest where f32 rounds by 2^-24.
  const int steps =
      ceilDiv(problem().tapChannels(), channelsPerProduct) * problem().filterHeight * problem().filterWidth;
  return {gammaBound(3.0 * 9 * 2 * steps + parts()) + 0x1p-20, true};
}

void Tf32Bank::launch(SummedArguments& s, cudaStream_t stream) { launchTensor(parts(), s, stream); }

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
  a.border = problem_.border;
  a.combine = problem_.combine;
  a.filterCount = problem_.filterCount;
  a.filterHeight = problem_.filterHeight;
  a.filterWidth = problem_.filterWidth;
  a.anchorX = anchorX_;
  a.anchorY = anchorY_;
  a.taps = reinterpret_cast<const float*>(taps_.data());

  SummedArguments s{a, problem_.tapChannels(), channelStride, channelsOfPart(problem_.tapChannels(), parts_),
                    false};
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
