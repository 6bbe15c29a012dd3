#include "kernels/cuda/multichannel/summed_bank.h"

#include <algorithm>

#include "kernels/cuda/multichannel/fma/summed_table.h"
#include "kernels/cuda/multichannel/fma/widen_combine.h"
#include "kernels/cuda/multichannel/tensor/tensor_launch.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/multichannel/tensor/tensor_taps.h"

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

const BlockShape& shapeOf(const SummedChoice& choice) {
  return summedVariants()[static_cast<std::size_t>(choice.variant)].shape;
}

void upload(DeviceBuffer& to, std::span<const std::byte> bytes) {
  to.reserve(bytes.size());
  BANKSIDE_CUDA_CHECK(cudaMemcpy(to.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
}

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

ChannelBank::ChannelBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int parts,
                         std::span<const std::byte> layout)
    : problem_(problem), anchorX_(taps.anchorX), anchorY_(taps.anchorY), parts_(parts) {
  upload(taps_, layout);
}

SummedBank::SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                       const SummedChoice& choice, const SummedChoice& together)
    : ChannelBank(problem, taps, choice.parts, bytesOf(summedLayout(shapeOf(choice), problem, taps.taps))),
      choice_(choice),
      together_(together) {
  if (shapeOf(choice).filtersPerBlock == shapeOf(together).filtersPerBlock) return;
  const std::vector<float> layout = summedLayout(shapeOf(together), problem, taps.taps);
  upload(tapsTogether_, bytesOf(layout));
}

NumericTraits SummedBank::traits() const {
  // A split adds parts - 1 roundings to those of its part's taps: fewer than one a tap all the same. It is
  // chosen for all filters at once.
  return {.errorBound = {gammaBound(products())}, .dependsOnWholeBank = true};
}

void SummedBank::launch(SummedArguments& s, cudaStream_t stream) {
  const int images = s.batch.images;
  const bool together =
      images > 1 && !(together_ == choice_) &&
      predictedSeconds(together_, problem(), images) < predictedSeconds(choice_, problem(), images);
  const SummedChoice& choice = together ? together_ : choice_;
  if (together && tapsTogether_.data() != nullptr)
    s.base.taps = reinterpret_cast<const float*>(tapsTogether_.data());
  s.sumsShared = choice.sumsShared || choice.parts > 1;
  launchSummed(choice, s, stream);
}

MatrixBank::MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode,
                       int images)
    : MatrixBank(problem, taps, mode, images, tensorTaps(mode, problem, taps.taps)) {}

MatrixBank::MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode,
                       int images, const TensorTaps& laidOut)
    : ChannelBank(problem, taps, tensorParts(mode, problem, images), bytesOf(laidOut.words)),
      mode_(mode),
      tapScaleBack_(laidOut.scaleBack),
      multiprocessors_(multiprocessorCount()) {}

std::string MatrixBank::describe() const {
  std::string text = "wgmma";
  if (mode_ == TensorMode::Fp16x2) text += ", two products";
  if (parts() > 1) text += ", channels over " + std::to_string(parts()) + " blocks";
  return text;
}

int MatrixBank::imagesTogether() const {
  const ConvolutionProblem& p = problem();
  return imagesToFill(static_cast<double>(tensorTasks(p.width, p.height, p.filterCount)) * parts(), 1,
                      p.tapChannels());
}

NumericTraits MatrixBank::traits() const {
  return {.errorBound = tensorErrorBound(mode_, problem(), parts()),
          .directSums = false,
          .dependsOnWholeBank = true,
          .partEqualsWhole = !looksForLargest(problem())};
}

void MatrixBank::launch(SummedArguments& s, cudaStream_t stream) {
  s.channelsPerSplit = tensorChannelsOfPart(s.channels, parts());
  s.tapsPerStep = tapsPerStep(mode_, problem().filterHeight, problem().filterWidth);
  s.tapScaleBack = tapScaleBack_;
  s.largestBits = knownLargestBits(problem());
  if (looksForLargest(problem())) {
    largest_.reserve(static_cast<std::size_t>(s.batch.images) * mostLargestPieces * sizeof(std::uint32_t));
    auto* const largest = reinterpret_cast<std::uint32_t*>(largest_.data());
    const SourceRows& src = s.base.src;
    // Where a constant border is the kernel's business, rows outside the image hold nothing.
    const bool holes = src.rowsResolved && problem().border.kind == BorderKind::Constant;
    const int first = holes ? std::max(0, -src.firstRow) : 0;
    const int end = holes ? std::min(s.sourceRows, src.imageHeight - src.firstRow) : s.sourceRows;
    const bool constant = problem().border.kind == BorderKind::Constant;
    launchLargest(src, s.batch, first, end - first, s.channels, s.channelStride,
                  constant ? problem().border.value : 0.0f, largest, stream);
    s.largestPixel = largest;
    s.largestPieces = largestPieces(end - first, s.channels);
  }
  launchTensor(mode_, parts(), multiprocessors_, s, stream);
}

std::size_t ChannelBank::workBytesPerRow(int width) const {
  std::size_t bytes = 0;
  if (problem_.srcType != ElementType::F32)
    bytes += planeBytes(problem_.width, 1) * static_cast<std::size_t>(problem_.channels);
  if (problem_.combine != Combine::None)
    bytes += planeBytes(responseStride(width), 1) * static_cast<std::size_t>(problem_.filterCount);
  return bytes;
}

void ChannelBank::startBatch(KernelArguments a, const ImageBatch& batch, std::ptrdiff_t channelStride,
                             int sourceRows, cudaStream_t stream) {
  a = withBank(a, problem_, anchorX_, anchorY_, taps_.data());

  const int channels = problem_.tapChannels();
  SummedArguments s;
  s.base = a;
  s.batch = batch;
  s.channels = channels;
  s.channelStride = channelStride;
  s.channelsPerSplit = channelsOfPart(channels, parts_);
  s.sourceRows = sourceRows;
  if (a.src.type != ElementType::F32) {
    const int stride = roundUp(problem_.width, 4);
    const std::size_t imageBytes = planeBytes(stride, sourceRows) * static_cast<std::size_t>(s.channels);
    widened_.reserve(imageBytes * static_cast<std::size_t>(batch.images));
    auto* const floats = reinterpret_cast<float*>(widened_.data());
    launchWiden(a.src, batch, sourceRows, s.channels, channelStride, floats, stride, stream);
    s.base.src.pixels = floats;
    s.base.src.stride = stride;
    s.base.src.type = ElementType::F32;
    s.batch.sourceBytes = static_cast<std::ptrdiff_t>(imageBytes);
    s.channelStride = static_cast<std::ptrdiff_t>(stride) * sourceRows;
  }
  s.imageChannels =
      static_cast<int>(s.batch.sourceBytes / (s.channelStride * static_cast<std::ptrdiff_t>(sizeof(float))));
  if (a.combine == Combine::None) {
    launch(s, stream);
    return;
  }
  const int stride = responseStride(a.width);
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(stride) * a.height;
  const std::size_t imageBytes = planeBytes(stride, a.height) * static_cast<std::size_t>(a.filterCount);
  responses_.reserve(imageBytes * static_cast<std::size_t>(batch.images));
  auto* const responses = reinterpret_cast<float*>(responses_.data());
  s.base.dst = {responses, nullptr, plane, stride, ElementType::F32};
  s.batch.resultBytes = static_cast<std::ptrdiff_t>(imageBytes);
  launch(s, stream);
  launchCombine(a, batch, responses, stride, plane, stream);
}

}  // namespace bankside::cuda
