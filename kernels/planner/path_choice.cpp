#include "kernels/planner/path_choice.h"

#include <algorithm>

#include "kernels/fft/tile_grid.h"
#include "kernels/highway/karatsuba_choice.h"
#include "kernels/highway/separable_program.h"

namespace bankside::planner {
namespace {

using namespace direct;

double pixelsOf(const ConvolutionProblem& p) {
  return static_cast<double>(p.height) * p.width * p.responseGroups();
}

/// Nanoseconds a pixel for what every path does.
double rowCosts(const ConvolutionProblem& p, const PathCosts& costs) {
  return costs.pixel * p.tapChannels() + costs.result * p.filterCount;
}

/// The most terms with which the separable path could still win: against direct sums were no column shared,
/// against the best of the paths that `others` knows were all of them.
int mostTerms(const ConvolutionProblem& p, const BankFacts& others, const PathCosts& costs) {
  const double area = static_cast<double>(p.filterHeight) * p.filterWidth;
  const double besideDirect = area / (worthLeavingDirect * (p.filterHeight + p.filterWidth));
  const PathChoice best = choosePath(p, others, costs);
  const double nanoseconds = best.seconds[static_cast<int>(best.path)] * 1e9 / pixelsOf(p);
  const double taps = (p.filterCount + 1.0) * std::min(p.filterHeight, p.filterWidth);
  const double term = p.tapChannels() * (costs.term + costs.passTap * taps);
  return static_cast<int>(std::min(besideDirect, (nanoseconds - rowCosts(p, costs)) / term));
}

/// Whether groups of rows could win beside transforms: four rows together make 9 of 16 multiply-adds at best,
/// but where rows of a filter cancel.
bool groupsMayWin(const ConvolutionProblem& p, BankFacts facts, const PathCosts& costs) {
  facts.groupTaps = facts.directTaps * 9 / 16;
  const PathChoice best = choosePath(p, facts, costs);
  const double transforms = best.seconds[static_cast<int>(CpuPath::Fft)];
  return transforms == 0 || best.seconds[static_cast<int>(CpuPath::Karatsuba)] < transforms;
}

bool everyFilterHasRank(const ConvolutionProblem& p, const CorrelationTaps& taps, int rank) {
  const std::size_t plane =
      static_cast<std::size_t>(p.filterHeight) * static_cast<std::size_t>(p.filterWidth);
  for (std::size_t at = 0; at < taps.taps.size(); at += plane) {
    if (!hasRank(taps.taps.data() + at, p.filterHeight, p.filterWidth, rank, roundedOnce)) return false;
  }
  return true;
}

}  // namespace

const char* engineName(CpuPath path) {
  switch (path) {
    case CpuPath::Direct: return "cpu:direct";
    case CpuPath::Karatsuba: return "cpu:karatsuba";
    case CpuPath::Separable: return "cpu:separable";
    case CpuPath::Fft: break;
  }
  return "cpu:fft";
}

BankFacts bankFacts(const ConvolutionProblem& p, const CorrelationTaps& taps, const PathCosts& costs,
                    Precision precision, const ThreadTeam& team) {
  BankFacts facts;
  facts.directTaps = direct::weightedTaps(p, taps);
  if (precision == Precision::Exact) return facts;
  if (const fft::TileGrid shape = fft::chooseTile(p); shape.width > 0) facts.fftWork = tileWork(p, shape);
  if (groupsMayWin(p, facts, costs)) {
    const KaratsubaChoice choice = chooseKaratsuba(p, taps);
    if (choice.program.rows > 1) {
      facts.groupTaps = weightedTaps(choice.program);
      facts.groupSteps = stepsAPixel(choice.program);
      facts.groupRows = choice.program.rows;
    }
  }
  if (const int most = mostTerms(p, facts, costs); most > 0 && everyFilterHasRank(p, taps, most)) {
    const SeparableBank bank = separate(p, taps, roundedOnce, team);
    const SeparableProgram program = makeSeparableProgram(p, bank);
    facts.rank = std::max(1, bank.largestRank);
    facts.firstTaps = program.firstTaps;
    facts.secondTaps = program.secondTaps;
    for (const SeparableStage& stage : program.stages) facts.terms += stage.terms;
  }
  return facts;
}

/// Measured on one core, one to twelve filters of 3 x 3 to 31 x 31, f32: with AVX-512 on a Zen 4 server CPU
/// (one multiply-add a cycle), on a Xeon of 2023 and on Zen 5 (two), with AVX2 on the former; fitted to the
/// ratios between the paths, with `tap` for the scale, and held against the kept benchmarks in
/// cpu_planner_recorded_test. Not measured: shorter vectors, taken as AVX2 in proportion, and `step` with
/// AVX2.
PathCosts pathCosts(const MachineKind& kind) {
  if (kind.lanes >= 16) {
    if (kind.twoMultiplyAdds)
      return {.pixel = 0.12,
              .result = 0.077,
              .tap = 0.0087,
              .step = 0.036,
              .passTap = 0.0103,
              .term = 0.055,
              .fusedMax = 0.13,
              .fftUnit = 0.046};
    return {.pixel = 0.078,
            .result = 0.12,
            .tap = 0.0175,
            .step = 0.051,
            .passTap = 0.0194,
            .term = 0.066,
            .fusedMax = 0.10,
            .fftUnit = 0.0704};
  }
  const double shorter = 8.0 / kind.lanes;
  const double tap = 0.020 * shorter;
  return {.pixel = 0.05,
          .result = 0.15,
          .tap = tap,
          .step = 0.06 * shorter,
          .passTap = tap,
          .term = 0.05,
          .fusedMax = 0.05,
          .fftUnit = 0.105 * shorter};
}

PathChoice choosePath(const ConvolutionProblem& p, const BankFacts& facts, const PathCosts& costs,
                      Precision precision) {
  const double pixels = pixelsOf(p);
  const double rows = rowCosts(p, costs);
  PathChoice choice;
  const auto seconds = [&](CpuPath path) -> double& { return choice.seconds[static_cast<int>(path)]; };
  seconds(CpuPath::Direct) = pixels * (rows + costs.tap * facts.directTaps) * 1e-9;
  if (precision == Precision::Exact) return choice;
  if (facts.groupTaps > 0) {
    const double differences = (facts.groupRows - 1) * costs.pixel * p.tapChannels();
    seconds(CpuPath::Karatsuba) =
        pixels * (rows + differences + costs.tap * facts.groupTaps + costs.step * facts.groupSteps) * 1e-9;
  }
  if (facts.rank > 0) {
    const double taps = facts.firstTaps + facts.secondTaps;
    seconds(CpuPath::Separable) = pixels * (rows + costs.term * facts.terms + costs.passTap * taps) * 1e-9;
  }
  if (facts.fftWork > 0) {
    const double combine = p.combine == Combine::Max ? pixels * costs.fusedMax * p.filterCount : 0;
    seconds(CpuPath::Fft) = (costs.fftUnit * facts.fftWork + combine) * 1e-9;
  }
  double least = seconds(CpuPath::Direct) / worthLeavingDirect;
  for (const CpuPath path : allCpuPaths) {
    const double t = seconds(path);
    if (path == CpuPath::Direct || t == 0 || t > least) continue;
    choice.path = path;
    least = t;
  }
  return choice;
}

}  // namespace bankside::planner
