#include "kernels/highway/separable_program.h"

#include <algorithm>
#include <map>

namespace bankside::direct {
namespace {

/// Filters go on sharing columns until a stage has so many results in flight, or its row taps (mostly zeros
/// where filters share nothing) so many places.
constexpr std::size_t manyTerms = 64;
constexpr double manyTaps = 2e6;

/// Rows have no pixels in common, so every load serves one tap of each filter of a block, and most loads
/// cross a cache line: what that adds to the multiply-add of a single filter (AVX-512, measured: as much
/// again).
constexpr double lineCrossing = 1.0;

/// Terms of a stage: column in the bank -> place in the stage, by channel.
using Places = std::map<int, int>;

DirectProgram columnProgram(const ConvolutionProblem& problem, const std::vector<const float*>& columns) {
  ConvolutionProblem p = problem;
  p.channels = 1;
  p.filterWidth = 1;
  p.filterCount = static_cast<int>(columns.size());
  CorrelationTaps taps;
  for (const float* column : columns) taps.taps.insert(taps.taps.end(), column, column + p.filterHeight);
  return makeDirectProgram(p, taps);
}

DirectProgram rowProgram(const ConvolutionProblem& problem, const SeparableBank& bank, int first, int count,
                         const Places& places) {
  ConvolutionProblem p = problem;
  p.channels = static_cast<int>(std::max<std::size_t>(1, places.size()));
  p.channelMode = ChannelMode::Summed;
  p.filterHeight = 1;
  p.filterCount = count;
  const auto width = static_cast<std::size_t>(p.filterWidth);
  const std::size_t filterTaps = static_cast<std::size_t>(p.channels) * width;
  CorrelationTaps taps;
  taps.taps.assign(filterTaps * static_cast<std::size_t>(count), 0.0f);
  for (int f = 0; f < count; ++f) {
    for (const SeparableBank::Term& term : bank.filters[static_cast<std::size_t>(first + f)]) {
      float* row = taps.taps.data() + static_cast<std::size_t>(f) * filterTaps +
                   static_cast<std::size_t>(places.at(term.column)) * width;
      // Two terms of one filter may share a column.
      for (std::size_t x = 0; x < width; ++x) row[x] += term.row[x];
    }
  }
  return makeDirectProgram(p, taps, 1);
}

SeparableStage makeStage(const ConvolutionProblem& problem, const SeparableBank& bank, int first, int count,
                         const Places& used) {
  SeparableStage stage;
  stage.firstFilter = first;
  Places places;
  for (int c = 0; c < problem.tapChannels(); ++c) {
    std::vector<const float*> columns;
    const int firstTerm = stage.terms;
    for (const auto& [column, unused] : used) {
      if (bank.columns[static_cast<std::size_t>(column)].channel != c) continue;
      columns.push_back(bank.columns[static_cast<std::size_t>(column)].taps.data());
      places[column] = stage.terms++;
    }
    if (!columns.empty()) stage.columns.push_back({c, firstTerm, columnProgram(problem, columns)});
  }
  stage.rows = rowProgram(problem, bank, first, count, places);
  return stage;
}

}  // namespace

SeparableProgram makeSeparableProgram(const ConvolutionProblem& problem, const SeparableBank& bank) {
  SeparableProgram program;
  for (int first = 0; first < problem.filterCount;) {
    Places used;
    int count = 0;
    while (first + count < problem.filterCount) {
      Places more = used;
      for (const auto& term : bank.filters[static_cast<std::size_t>(first + count)]) more[term.column] = 0;
      const double places = static_cast<double>(more.size()) * problem.filterWidth * (count + 1);
      if (count > 0 && (more.size() > manyTerms || places > manyTaps)) break;
      used = std::move(more);
      ++count;
    }
    program.stages.push_back(makeStage(problem, bank, first, count, used));
    first += count;
  }
  for (const SeparableStage& stage : program.stages) {
    program.mostTerms = std::max(program.mostTerms, stage.terms);
    for (const FilterBlock& b : stage.rows.blocks)
      program.rowTaps += static_cast<double>(b.step.taps.size()) * (1 + lineCrossing / b.count);
    for (const auto& pass : stage.columns) {
      program.stepRows = std::max(program.stepRows, pass.program.stepRows);
      program.columnTaps += weightedTaps(pass.program);
    }
  }
  program.windowRows = problem.filterHeight + program.stepRows - 1;
  return program;
}

}  // namespace bankside::direct
