#include "kernels/highway/separable_program.h"

#include <algorithm>
#include <map>

namespace bankside::direct {
namespace {

/// Filters go on sharing first factors until a stage has so many results in flight, or its second taps
/// (mostly zeros where filters share nothing) so many places.
constexpr std::size_t manyTerms = 64;
constexpr double manyTaps = 2e6;

/// Rows have no pixels in common, so every load serves one tap of each filter of a block, and most loads
/// cross a cache line: what that adds to the multiply-add of a single filter (AVX-512, measured: as much
/// again).
constexpr double lineCrossing = 1.0;

/// Terms of a stage: first factor in the bank -> place in the stage, by channel.
using Places = std::map<int, int>;

DirectProgram firstProgram(const ConvolutionProblem& problem, bool rowsFirst,
                           const std::vector<const float*>& factors) {
  ConvolutionProblem p = problem;
  p.channels = 1;
  (rowsFirst ? p.filterHeight : p.filterWidth) = 1;
  p.filterCount = static_cast<int>(factors.size());
  CorrelationTaps taps;
  for (const float* factor : factors)
    taps.taps.insert(taps.taps.end(), factor, factor + p.filterHeight * p.filterWidth);
  return rowsFirst ? makeDirectProgram(p, taps, 1) : makeDirectProgram(p, taps);
}

DirectProgram secondProgram(const ConvolutionProblem& problem, const SeparableBank& bank, int first,
                            int count, const Places& places) {
  ConvolutionProblem p = problem;
  p.channels = static_cast<int>(std::max<std::size_t>(1, places.size()));
  p.channelMode = ChannelMode::Summed;
  (bank.rowsFirst ? p.filterWidth : p.filterHeight) = 1;
  p.filterCount = count;
  const auto side = static_cast<std::size_t>(p.filterHeight) * static_cast<std::size_t>(p.filterWidth);
  const std::size_t filterTaps = static_cast<std::size_t>(p.channels) * side;
  CorrelationTaps taps;
  taps.taps.assign(filterTaps * static_cast<std::size_t>(count), 0.0f);
  for (int f = 0; f < count; ++f) {
    for (const SeparableBank::Term& term : bank.filters[static_cast<std::size_t>(first + f)]) {
      float* to = taps.taps.data() + static_cast<std::size_t>(f) * filterTaps +
                  static_cast<std::size_t>(places.at(term.first)) * side;
      // Two terms of one filter may share a first factor.
      for (std::size_t i = 0; i < side; ++i) to[i] += term.taps[i];
    }
  }
  return bank.rowsFirst ? makeDirectProgram(p, taps) : makeDirectProgram(p, taps, 1);
}

SeparableStage makeStage(const ConvolutionProblem& problem, const SeparableBank& bank, int first, int count,
                         const Places& used, int firstTerm) {
  SeparableStage stage;
  stage.firstFilter = first;
  stage.firstTerm = firstTerm;
  Places places;
  for (int c = 0; c < problem.tapChannels(); ++c) {
    std::vector<const float*> factors;
    const int passTerm = firstTerm + stage.terms;
    for (const auto& [factor, unused] : used) {
      if (bank.firsts[static_cast<std::size_t>(factor)].channel != c) continue;
      factors.push_back(bank.firsts[static_cast<std::size_t>(factor)].taps.data());
      places[factor] = stage.terms++;
    }
    if (!factors.empty())
      stage.firsts.push_back({c, passTerm, firstProgram(problem, bank.rowsFirst, factors)});
  }
  stage.seconds = secondProgram(problem, bank, first, count, places);
  return stage;
}

/// Multiply-adds of a pass along rows, weighted.
double rowTaps(const DirectProgram& program) {
  double sum = 0;
  for (const FilterBlock& b : program.blocks)
    sum += static_cast<double>(b.step.taps.size()) * (1 + lineCrossing / b.count);
  return sum;
}

}  // namespace

SeparableProgram makeSeparableProgram(const ConvolutionProblem& problem, const SeparableBank& bank) {
  SeparableProgram program;
  program.rowsFirst = bank.rowsFirst;
  const int side = bank.rowsFirst ? problem.filterHeight : problem.filterWidth;
  for (int first = 0; first < problem.filterCount;) {
    Places used;
    int count = 0;
    while (first + count < problem.filterCount) {
      Places more = used;
      for (const auto& term : bank.filters[static_cast<std::size_t>(first + count)]) more[term.first] = 0;
      const double places = static_cast<double>(more.size()) * side * (count + 1);
      if (count > 0 && (more.size() > manyTerms || places > manyTaps)) break;
      used = std::move(more);
      ++count;
    }
    program.stages.push_back(
        makeStage(problem, bank, first, count, used, bank.rowsFirst ? program.terms : 0));
    const SeparableStage& stage = program.stages.back();
    program.terms = std::max(program.terms, stage.firstTerm + stage.terms);
    first += count;
  }
  for (const SeparableStage& stage : program.stages) {
    program.stepRows = std::max(program.stepRows, stage.seconds.stepRows);
    program.secondTaps += bank.rowsFirst ? weightedTaps(stage.seconds) : rowTaps(stage.seconds);
    for (const auto& pass : stage.firsts) {
      program.stepRows = std::max(program.stepRows, pass.program.stepRows);
      program.firstTaps += bank.rowsFirst ? rowTaps(pass.program) : weightedTaps(pass.program);
    }
  }
  program.windowRows = problem.filterHeight + program.stepRows - 1;
  return program;
}

}  // namespace bankside::direct
