#include "kernels/cuda/multichannel/fma/summed_tuning.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {
namespace {

const double quarter = std::log2(1.25) + 1e-9;
const double half = std::log2(1.5) + 1e-9;

/// How far an entry is from a problem; nothing where it says nothing about it.
std::optional<double> distance(const SummedTuningEntry& e, const ConvolutionProblem& p) {
  if (e.filterSize != p.filterWidth || e.filterSize != p.filterHeight) return std::nullopt;
  const double sides = apart(sideOf(p), e.side);
  const double filters = apart(p.filterCount, e.filterCount);
  const double channels = apart(p.tapChannels(), e.channels);
  if (sides > quarter || filters > quarter || channels > half) return std::nullopt;
  return sides + filters + channels;
}

}  // namespace

SummedChoice tunedSummedChoice(const SummedTuning& tuning, const ConvolutionProblem& p) {
  SummedChoice nearest;
  double least = 1e9;
  const std::vector<SummedChoice> fitting = fittingSummedChoices(p);
  for (const SummedTuningEntry& e : tuning.entries) {
    const auto far = distance(e, p);
    if (!far || *far >= least) continue;
    const SummedChoice choice{findSummedVariant(e.variant), e.parts, false};
    if (choice.variant < 0 || summedVariants()[static_cast<std::size_t>(choice.variant)].shape != e.shape ||
        std::find(fitting.begin(), fitting.end(), choice) == fitting.end())
      continue;
    least = *far;
    nearest = choice;
  }
  return nearest;
}

SummedChoice chooseSummed(const ConvolutionProblem& problem, const TuningTable* table) {
  if (table != nullptr) {
    const SummedChoice tuned = tunedSummedChoice(table->summed, problem);
    if (tuned.variant >= 0) return tuned;
  }
  return chooseSummed(problem);
}

}  // namespace bankside::cuda
