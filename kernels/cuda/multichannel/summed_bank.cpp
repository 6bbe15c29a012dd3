#include "kernels/cuda/multichannel/summed_bank.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/error.h"
#include "kernels/cuda/multichannel/fma/summed_table.h"
#include "kernels/cuda/multichannel/fma/widen_combine.h"
#include "kernels/cuda/multichannel/tensor/tensor_launch.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/multichannel/tensor/tensor_taps.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/zeroed_memory.h"

namespace bankside::cuda {
namespace {

std::size_t planeBytes(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

/// Kernels count the elements of a channel in 32 bits, a sign among them.
constexpr std::ptrdiff_t mostChannelElements = std::numeric_limits<std::int32_t>::max();
/// Of all channels' rows that are gathered at a time.
constexpr std::ptrdiff_t mostGatheredElements = std::ptrdiff_t{1} << 28;

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

bool ChannelBank::keepsResponses() const {
  if (problem_.combine != Combine::None) return true;
  return parts_ > 1 && problem_.dstType != ElementType::F32 && !deviceTraits().hasClusters();
}

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
    : MatrixBank(problem, taps, mode, tensorSplit(mode, problem, images),
                 tensorTaps(mode, problem, taps.taps)) {}

MatrixBank::MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode,
                       TensorSplit split, const TensorTaps& laidOut)
    : ChannelBank(problem, taps, split.parts, bytesOf(laidOut.words)),
      mode_(mode),
      tile_(split.tile),
      tapScaleBack_(laidOut.scaleBack) {}

std::string MatrixBank::describe() const {
  std::string text = "wgmma";
  if (mode_ == TensorMode::Fp16x2) text += ", two products";
  if (tile_ == narrowTile) text += ", narrow tiles";
  if (parts() > 1) text += ", channels over " + std::to_string(parts()) + " blocks";
  return text;
}

int MatrixBank::imagesTogether() const {
  const ConvolutionProblem& p = problem();
  return imagesToFill(static_cast<double>(tensorTasks(tile_, p.width, p.height, p.filterCount)) * parts(), 1,
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
  s.tapScaleBack = tapScaleBack_;
  s.largestBits = knownLargestBits(problem());
  launchTensor(mode_, {tile_, parts()}, s, stream);
}

std::size_t ChannelBank::workBytesPerRow(int width) const {
  std::size_t bytes = 0;
  if (problem_.srcType != ElementType::F32 && !readsAnyType())
    bytes += planeBytes(problem_.width, 1) * static_cast<std::size_t>(problem_.channels);
  if (keepsResponses())
    bytes += planeBytes(responseStride(width), 1) * static_cast<std::size_t>(problem_.filterCount);
  return bytes;
}

SummedArguments ChannelBank::argumentsOf(const KernelArguments& a, const ImageBatch& batch) const {
  SummedArguments s;
  s.base = withBank(a, problem_, anchorX_, anchorY_, taps_.data());
  s.batch = batch;
  s.channels = problem_.tapChannels();
  s.channelsPerSplit = channelsOfPart(s.channels, parts_);
  return s;
}

void ChannelBank::startBatch(KernelArguments a, const ImageBatch& batch, std::ptrdiff_t channelStride,
                             int sourceRows, cudaStream_t stream) {
  const int stride = roundUp(problem_.width, 4);
  if (std::max<std::ptrdiff_t>(a.src.stride, stride) * sourceRows > mostChannelElements) {
    const int rows = static_cast<int>(mostGatheredElements / stride / problem_.tapChannels()) -
                     (problem_.filterHeight - 1);
    if (rows < 1 || a.src.rowsResolved)
      throw Error(ErrorCode::Limit, "rows of " + std::to_string(problem_.width) +
                                        " pixels are too long for the multichannel kernels");
    return startInBands(a, batch, channelStride, rows, stream);
  }
  SummedArguments s = argumentsOf(a, batch);
  s.channelStride = channelStride;
  if (a.src.type != ElementType::F32 && !readsAnyType()) {
    const std::size_t imageBytes = planeBytes(stride, sourceRows) * static_cast<std::size_t>(s.channels);
    widened_.reserve(imageBytes * static_cast<std::size_t>(batch.images));
    auto* const floats = reinterpret_cast<float*>(widened_.data());
    launchWiden(a.src, batch, sourceRows, s.channels, channelStride, floats, stride,
                static_cast<std::ptrdiff_t>(stride) * sourceRows, stream);
    s.base.src.pixels = floats;
    s.base.src.stride = stride;
    s.base.src.type = ElementType::F32;
    s.batch.sourceBytes = static_cast<std::ptrdiff_t>(imageBytes);
    s.channelStride = static_cast<std::ptrdiff_t>(stride) * sourceRows;
  }
  finish(s, stream);
}

void ChannelBank::startInBands(const KernelArguments& a, const ImageBatch& batch,
                               std::ptrdiff_t channelStride, int rows, cudaStream_t stream) {
  const int stride = roundUp(problem_.width, 4);
  const int sourceRows = rows + problem_.filterHeight - 1;
  const auto elementBytes = static_cast<std::ptrdiff_t>(sizeOf(a.src.type));
  const std::size_t rowBytes = static_cast<std::size_t>(stride) * sizeof(float);
  const auto resultBytes = static_cast<std::ptrdiff_t>(sizeOf(a.dst.type));
  SummedArguments s = argumentsOf(a, {});
  s.channelStride = static_cast<std::ptrdiff_t>(stride) * sourceRows;
  widened_.reserve(rowBytes * static_cast<std::size_t>(sourceRows) * static_cast<std::size_t>(s.channels));
  s.base.src = {widened_.data(), stride, ElementType::F32, a.src.width, a.src.imageHeight, 0, true};
  for (int image = 0; image < batch.images; ++image) {
    const auto* const pixels = static_cast<const std::byte*>(a.src.pixels) + image * batch.sourceBytes;
    for (int done = 0; done < a.height; done += rows) {
      s.base.src.firstRow = a.y + done - anchorY_;
      s.base.y = a.y + done;
      s.base.height = std::min(rows, a.height - done);
      s.base.dst = resultsAfter(a.dst, image * batch.resultBytes);
      s.base.dst.pixels = static_cast<std::byte*>(s.base.dst.pixels) + done * a.dst.stride * resultBytes;
      if (s.base.dst.index != nullptr) s.base.dst.index += done * a.dst.stride;
      // Runs of rows that lie below each other; where a constant border is the kernel's business, rows
      // outside the image hold nothing.
      const int end = s.base.height + problem_.filterHeight - 1;
      for (int first = 0, count = 1; first < end; first += count, count = 1) {
        const int row = borderIndex(s.base.src.firstRow + first, a.src.imageHeight, problem_.border);
        if (row < 0) continue;
        while (first + count < end && borderIndex(s.base.src.firstRow + first + count, a.src.imageHeight,
                                                  problem_.border) == row + count)
          ++count;
        SourceRows from = a.src;
        from.pixels = pixels + (row - a.src.firstRow) * a.src.stride * elementBytes;
        launchWiden(from, {}, count, s.channels, channelStride,
                    reinterpret_cast<float*>(widened_.data()) + static_cast<std::ptrdiff_t>(first) * stride,
                    stride, s.channelStride, stream);
      }
      finish(s, stream);
    }
  }
}

void ChannelBank::finish(SummedArguments s, cudaStream_t stream) {
  const KernelArguments a = s.base;
  const ImageBatch batch = s.batch;
  s.imageChannels = static_cast<int>(
      s.batch.sourceBytes / (s.channelStride * static_cast<std::ptrdiff_t>(sizeOf(s.base.src.type))));
  if (!keepsResponses()) {
    launch(s, stream);
    return;
  }
  const int stride = responseStride(a.width);
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(stride) * a.height;
  const std::size_t imageBytes = planeBytes(stride, a.height) * static_cast<std::size_t>(a.filterCount);
  // Combined as whole vectors, padding and all.
  reserveZeros(responses_, imageBytes * static_cast<std::size_t>(batch.images));
  auto* const responses = reinterpret_cast<float*>(responses_.data());
  s.base.dst = {responses, nullptr, plane, stride, ElementType::F32};
  s.batch.resultBytes = static_cast<std::ptrdiff_t>(imageBytes);
  launch(s, stream);
  launchCombine(a, batch, responses, stride, plane, stream);
}

}  // namespace bankside::cuda
