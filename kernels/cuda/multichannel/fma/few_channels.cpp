#include "kernels/cuda/multichannel/fma/few_channels.h"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/multichannel/fma/predicted_device.h"
#include "kernels/cuda/single_channel/any_size_shape.h"

namespace bankside::cuda {
namespace {

constexpr int mostChannels = 16;
/// Shared memory of a block at most.
constexpr double mostBytes = 220 * 1024;
constexpr int mostBlocks = 2;

// Of the form of any size as the planner has them; of compiled widths fitted to six problems of one to four
// megapixels on an H100 (h100/few-channels.json).
constexpr double launchSeconds = 4.5e-6;
constexpr double tapSeconds = 0.09e-12;
constexpr double narrowTapSeconds = 0.054e-12;
constexpr double responseSeconds = 1.05e-12;
constexpr double narrowResponseSeconds = 0.25e-12;
constexpr double pixelSeconds = 1.6e-12;
constexpr double byteSeconds = 0.25e-12;

int tilesOf(int width, int height) {
  return ceilDiv(width, AnySizeShape::unitWidth) * ceilDiv(height, AnySizeShape::tileHeight);
}

/// Blocks that a multiprocessor holds.
int residentBlocks(const ConvolutionProblem& p) {
  return std::clamp(static_cast<int>(predictedSharedBytes / static_cast<double>(fewChannelsBytes(p))), 1,
                    mostBlocks);
}

// What blocks of `summed` take for a channel's pixel and a filter's response where both are few, beside sums.
constexpr double summedPixelSeconds = 3.9e-12;
constexpr double summedResponseSeconds = 0.83e-12;

/// What `summed` does beside its sums: pixels become f32, are staged, responses are written and combined.
double aroundSummed(const ConvolutionProblem& p) {
  const double pixels = static_cast<double>(p.width) * p.height;
  double seconds = pixels * (p.tapChannels() * summedPixelSeconds + p.filterCount * summedResponseSeconds);
  if (p.srcType != ElementType::F32)
    seconds +=
        launchSeconds / 2 + pixels * p.tapChannels() * (sizeof(float) + sizeOf(p.srcType)) * byteSeconds;
  if (p.combine != Combine::None)
    seconds += launchSeconds / 2 + 2 * pixels * p.filterCount * sizeof(float) * byteSeconds;
  return seconds;
}

}  // namespace

std::size_t fewChannelsBytes(const ConvolutionProblem& p) {
  const std::size_t tile = p.filterWidth <= mostNarrowWidth
                               ? fewChannelsShape(p.filterWidth, 1).sharedBytes(p.filterHeight)
                               : AnySizeShape::sharedBytes(1, p.filterWidth, p.filterHeight);
  return static_cast<std::size_t>(p.tapChannels()) * tile;
}

int fewChannelsFilters(const ConvolutionProblem& p, int width, int height, int multiprocessors) {
  if (p.combine != Combine::None) return p.filterCount;
  const int perPass = fewChannelsPerPass(p);
  const int places = multiprocessors * residentBlocks(p);
  const int parts = std::clamp(places / tilesOf(width, height), 1, ceilDiv(p.filterCount, perPass));
  return roundUp(ceilDiv(p.filterCount, parts), perPass);
}

double fewChannelsSeconds(const ConvolutionProblem& p) {
  const double pixels = static_cast<double>(AnySizeShape::unitWidth) * AnySizeShape::tileHeight;
  const double taps = static_cast<double>(p.filterHeight) * p.filterWidth * p.tapChannels();
  const int each = fewChannelsFilters(p, p.width, p.height, predictedMultiprocessors);
  const bool narrow = p.filterWidth <= mostNarrowWidth;
  const double tap = narrow ? narrowTapSeconds : tapSeconds;
  const double response = narrow ? narrowResponseSeconds : responseSeconds;
  const double ofBlock = pixels * (each * (taps * tap + response) + p.tapChannels() * pixelSeconds);
  const int places = predictedMultiprocessors * residentBlocks(p);
  const double blocks = static_cast<double>(tilesOf(p.width, p.height)) * ceilDiv(p.filterCount, each);
  return launchSeconds + std::ceil(blocks / places) * places * ofBlock;
}

bool takesFewChannels(const ConvolutionProblem& p, double summedSeconds) {
  return p.tapChannels() <= mostChannels && static_cast<double>(fewChannelsBytes(p)) <= mostBytes &&
         fewChannelsSeconds(p) < summedSeconds + aroundSummed(p);
}

}  // namespace bankside::cuda
