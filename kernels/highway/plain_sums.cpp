#include "kernels/highway/plain_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/highway/row_extent.h"

namespace bankside::direct {
namespace {

/// Results are looked at in blocks of so many: those of a block are summed together.
constexpr int blockPixels = 64;

int windowRows(const ConvolutionProblem& problem) { return problem.filterHeight + maxStepRows - 1; }

double absoluteSum(const std::vector<float>& taps) {
  return std::accumulate(taps.begin(), taps.end(), 0.0,
                         [](double sum, float tap) { return sum + std::fabs(static_cast<double>(tap)); });
}

/// The most that a sum on the way may be of the largest pixel.
double largestGain(const SeparableBank& bank) {
  double most = 1;
  for (const SeparableBank::First& first : bank.firsts) most = std::max(most, absoluteSum(first.taps));
  double gain = most;
  for (const auto& filter : bank.filters) {
    double sum = 0;
    for (const SeparableBank::Term& term : filter) sum += absoluteSum(term.taps);
    gain = std::max(gain, most * sum);
  }
  return gain;
}

}  // namespace

PlainSums::PlainSums(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                     const SeparableBank& bank)
    : problem_(problem), taps_(taps) {
  most_ = static_cast<float>(std::numeric_limits<float>::max() / 2 / largestGain(bank));
  const bool cancel = std::any_of(bank.filters.begin(), bank.filters.end(),
                                  [](const auto& terms) { return terms.size() > 1; });
  const bool integers = problem.srcType == ElementType::U8 || problem.srcType == ElementType::U16;
  const bool fit = integers && most_ >= 65535 && std::fabs(problem.border.value) <= most_;
  if (!cancel || fit) return;
  for (int f = 0; f < problem.filterCount; ++f)
    programs_.push_back(rowProgram(problem, taps, {.first = f, .count = 1}, windowRows(problem)));
}

bool PlainSums::isTrouble(const float* pixels, int count) const {
  return !(largestOfRow(pixels, count) <= most_);
}

void PlainSums::mend(const SourceBand& in, const RowKernels& kernels, const StepPlace& step, int row,
                     int filter, PlainWindow& window, float* response) const {
  const auto isFinite = [](float value) { return value - value == 0; };
  for (int first = 0; first < step.width; first += blockPixels) {
    const int last = std::min(step.width, first + blockPixels);
    if (std::all_of(response + first, response + last, isFinite)) continue;
    if (!window.started) {
      window.rows.start(problem_, taps_, in, kernels, step.channel, step.x, step.width, windowRows(problem_),
                        false);
      window.started = true;
    }
    window.rows.moveTo(step.y, problem_.filterHeight + step.rows - 1);
    float* sums = window.sums.atLeast(paddedRow(step.width));
    BlockCall call;
    call.program = &programs_[static_cast<std::size_t>(filter)];
    call.rows = window.rows.rows() + row;
    call.first = first;
    call.pixels = last;
    call.dst = &sums;
    kernels.block[0][0](call);
    for (int i = first; i < last; ++i)
      if (!isFinite(response[i])) response[i] = sums[i];
  }
}

}  // namespace bankside::direct
