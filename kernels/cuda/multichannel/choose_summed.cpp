#include "kernels/cuda/multichannel/choose_summed.h"

#include <algorithm>
#include <limits>

namespace bankside::cuda {
namespace {

/// The device that predictions are for; others get the same choice, so that bytes do not depend on the
/// device.
constexpr int multiprocessors = 132;
constexpr double flopsOfMultiprocessor = 65.5e12 / multiprocessors;

/// Seconds that do not depend on the work: a launch, the first loads, the last stores; and what a cluster
/// adds that exchanges sums.
constexpr double fixedSeconds = 3.5e-6;
constexpr double exchangeSeconds = 1.0e-6;

bool isPaper(const SummedVariant& v) { return v.name.rfind("paper", 0) == 0; }

/// Share of the multiply-add rate that a full multiprocessor reaches: taps and pixels of a thread's tile are
/// loaded for it to use, so that larger tiles lose less.
double efficiency(const SummedVariant& v) {
  const int sums = v.shape.filtersPerThread * v.shape.pixelsPerThread;
  const double best = sums >= 128 ? 0.84 : sums >= 64 ? 0.80 : sums >= 32 ? 0.74 : 0.62;
  const double lengthOfRow = v.filterWidth / (v.filterWidth + 0.45);
  return best * lengthOfRow;
}

/// How much of that is left with `warps` on each of the four schedulers.
double filled(double warps) { return std::min(1.0, 0.30 + 0.175 * warps * (warps < 1 ? 1 : 1)); }

int blocksWithoutSplit(const SummedVariant& v, const ConvolutionProblem& p) {
  return ceilDiv(p.width, v.shape.tileWidth) * ceilDiv(p.height, v.shape.tileHeight) *
         ceilDiv(p.filterCount, v.shape.filtersPerBlock);
}

}  // namespace

int channelsOfPart(int channels, int parts) { return ceilDiv(channels, parts); }

double predictedSeconds(const SummedChoice& choice, const ConvolutionProblem& p) {
  const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
  const double work = 2.0 * v.shape.filtersPerBlock * v.shape.tilePixels() * p.filterHeight * p.filterWidth *
                      channelsOfPart(p.tapChannels(), choice.parts);
  const int resident = residentBlocks(v, p, choice.parts > 1 || choice.sumsShared);
  double blocks = static_cast<double>(blocksWithoutSplit(v, p)) * choice.parts;
  double seconds = fixedSeconds + (choice.parts > 1 ? exchangeSeconds : 0);
  const auto wave = [&](double each) {
    const double rate = efficiency(v) * filled(each * v.shape.threads() / 128) * flopsOfMultiprocessor;
    return each * work / rate;
  };
  const double slots = static_cast<double>(resident) * multiprocessors;
  const auto whole = static_cast<int>(blocks / slots);
  seconds += whole * wave(resident);
  blocks -= whole * slots;
  if (blocks > 0) seconds += wave(static_cast<int>((blocks + multiprocessors - 1) / multiprocessors));
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

SummedChoice chooseSummed(const ConvolutionProblem& p) {
  SummedChoice best;
  double least = std::numeric_limits<double>::max();
  for (const SummedChoice& choice : fittingSummedChoices(p)) {
    if (isPaper(summedVariants()[static_cast<std::size_t>(choice.variant)])) continue;
    const double seconds = predictedSeconds(choice, p);
    if (seconds < least) {
      least = seconds;
      best = choice;
    }
  }
  return best;
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
