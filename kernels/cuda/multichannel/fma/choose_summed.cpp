#include "kernels/cuda/multichannel/fma/choose_summed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cuda/multichannel/fma/predicted_device.h"

namespace bankside::cuda {
namespace {

constexpr double flopsOfMultiprocessor = 65.5e12 / predictedMultiprocessors;

// What follows was fitted to 565 times of 23 shapes on 27 problems (N = 32 to 256, K = 3, 5, 7). The choice
// that comes out takes 1.9% longer than the best of them (geometric mean), 9% at most.

/// Seconds that do not depend on the work: a launch, the first loads, the last stores; and what a cluster
/// adds that exchanges sums.
constexpr double fixedSeconds = 3.84e-6;
constexpr double exchangeSeconds = 1.42e-6;

/// How a thread's sums keep a multiprocessor busy: larger tiles load less for each multiply-add, and need
/// fewer warps.
struct Busy {
  double rate;          ///< share of the multiply-add rate that a full multiprocessor comes near to
  double missing, per;  ///< with w warps on each scheduler, missing * exp(-per * w) of it is lost
};

/// Waves of blocks after which the last, incomplete one no longer counts for much; and images after which
/// their number does not.
constexpr double wavesTogether = 4;
constexpr int mostTogether = 64;

/// A split must be predicted to be so much faster: where an image fills the device it is a tie by the model,
/// and was measured to be a quarter slower (256 x 256, 32 channels, 128 filters 3 x 3).
constexpr double worthSplitting = 1.01;

bool isPaper(const SummedVariant& v) { return v.name.rfind("paper", 0) == 0; }

Busy busyWith(int sumsOfThread) {
  if (sumsOfThread >= 128) return {0.878, 0.385, 2.20};
  if (sumsOfThread >= 64) return {0.839, 2.79, 3.26};
  if (sumsOfThread >= 32) return {0.784, 1.07, 2.25};
  return {0.737, 0.827, 1.06};
}

/// Flops a second of one multiprocessor that has `warps` on each of its schedulers. A short tap row uses its
/// pixels less often.
double flopsWith(const SummedVariant& v, double warps) {
  const Busy busy = busyWith(v.shape.filtersPerThread * v.shape.pixelsPerThread);
  const double filled = std::min(1.0, 1.0 - busy.missing * std::exp(-busy.per * warps));
  return flopsOfMultiprocessor * busy.rate * filled * v.filterWidth / (v.filterWidth + 0.592);
}

int blocksWithoutSplit(const SummedVariant& v, const ConvolutionProblem& p) {
  return ceilDiv(p.width, v.shape.tileWidth) * ceilDiv(p.height, v.shape.tileHeight) *
         ceilDiv(p.filterCount, v.shape.filtersPerBlock);
}

}  // namespace

int channelsOfPart(int channels, int parts) { return ceilDiv(channels, parts); }

double predictedSeconds(const SummedChoice& choice, const ConvolutionProblem& p, int images) {
  const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
  const double work = 2.0 * v.shape.filtersPerBlock * v.shape.tilePixels() * p.filterHeight * p.filterWidth *
                      channelsOfPart(p.tapChannels(), choice.parts);
  const int resident = residentBlocks(v, p, choice.parts > 1 || choice.sumsShared);
  double blocks = static_cast<double>(blocksWithoutSplit(v, p)) * choice.parts * images;
  double seconds = fixedSeconds + (choice.parts > 1 ? exchangeSeconds : 0);
  const auto wave = [&](double each) { return each * work / flopsWith(v, each * v.shape.threads() / 128); };
  const double left = placesLeftOver(choice.parts);
  const double places = static_cast<double>(resident) * predictedMultiprocessors - left;
  const double whole = std::floor(blocks / places);
  seconds += whole * wave(resident);
  blocks -= whole * places;
  if (blocks > 0) seconds += wave(std::ceil((blocks + left) / predictedMultiprocessors));
  return seconds;
}

std::vector<SummedChoice> fittingSummedChoices(const ConvolutionProblem& p) {
  std::vector<SummedChoice> list;
  for (std::size_t i = 0; i < summedVariants().size(); ++i) {
    const SummedVariant& v = summedVariants()[i];
    if (!fits(v, p)) continue;
    for (const int parts : {1, 2, 4, 8}) {
      // Every part needs a channel, and a whole step unless it has all channels.
      const int channels = channelsOfPart(p.tapChannels(), parts);
      if (parts > 1 && (channels * (parts - 1) >= p.tapChannels() || channels < v.shape.channelsPerStep))
        continue;
      list.push_back({static_cast<int>(i), parts, false});
    }
  }
  return list;
}

namespace {

std::size_t sharedBytes(const SummedChoice& choice, const ConvolutionProblem& p) {
  const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
  return v.shape.sharedBytes(p.filterHeight, p.filterWidth, choice.sumsShared || choice.parts > 1);
}

/// With any split where `parts` is 0.
SummedChoice bestOf(const ConvolutionProblem& p, int images, int parts, std::size_t mostShared) {
  SummedChoice best;
  double least = std::numeric_limits<double>::max();
  for (const SummedChoice& choice : fittingSummedChoices(p)) {
    const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
    if (isPaper(v) || v.trial || (parts > 0 && choice.parts != parts)) continue;
    if (sharedBytes(choice, p) > mostShared) continue;
    const double rank = predictedSeconds(choice, p, images) * (choice.parts > 1 ? worthSplitting : 1.0);
    if (rank < least) {
      least = rank;
      best = choice;
    }
  }
  return best;
}

}  // namespace

SummedChoice chooseSummed(const ConvolutionProblem& p, int images, int parts, std::size_t mostShared) {
  const SummedChoice best = bestOf(p, images, parts, std::numeric_limits<std::size_t>::max());
  if (best.variant < 0 || sharedBytes(best, p) <= mostShared) return best;
  return bestOf(p, images, best.parts, mostShared);
}

int imagesToFill(double blocks, int resident, int depth) {
  const double images = std::ceil(wavesTogether * resident * predictedMultiprocessors / blocks);
  return static_cast<int>(std::clamp(std::min(images, std::floor(static_cast<double>(mostGridDepth) / depth)),
                                     1.0, static_cast<double>(mostTogether)));
}

int imagesToFill(const SummedChoice& choice, const ConvolutionProblem& p) {
  const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
  const int depth = std::max(ceilDiv(p.filterCount, v.shape.filtersPerBlock) * choice.parts, p.tapChannels());
  return imagesToFill(static_cast<double>(blocksWithoutSplit(v, p)) * choice.parts,
                      residentBlocks(v, p, choice.parts > 1 || choice.sumsShared), depth);
}

SummedChoice chooseTogether(const SummedChoice& choice, const ConvolutionProblem& p, std::size_t mostShared) {
  const int images = imagesToFill(choice, p);
  if (images == 1) return choice;
  const SummedChoice found = chooseSummed(p, images, choice.parts, mostShared);
  return found.variant >= 0 ? found : choice;
}

SummedChoice paperChoice(const ConvolutionProblem& p) {
  SummedChoice any;
  for (const SummedChoice& choice : fittingSummedChoices(p)) {
    const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
    if (choice.parts == 1 && isPaper(v)) return choice;
    if (choice.parts == 1 && v.filterHeight == 0 && any.variant < 0) any = choice;
  }
  return any;
}

std::string describe(const SummedChoice& choice) {
  std::string text = summedVariants()[static_cast<std::size_t>(choice.variant)].name;
  if (choice.parts > 1) text += ", channels over " + std::to_string(choice.parts) + " blocks";
  return text;
}

}  // namespace bankside::cuda
