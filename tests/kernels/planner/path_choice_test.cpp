/// What the CPU's planner knows of machines and banks, to the last digit and at its edges.
#include "kernels/planner/path_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/made_input.h"
#include "kernels/fft/tile_grid.h"
#include "kernels/highway/karatsuba_choice.h"
#include "kernels/highway/separable_program.h"

namespace bankside::planner {
namespace {

using namespace direct;

void expectCosts(const MachineKind& kind, const PathCosts& expected) {
  const PathCosts got = pathCosts(kind);
  for (const auto cost : {&PathCosts::pixel, &PathCosts::result, &PathCosts::tap, &PathCosts::step,
                          &PathCosts::passTap, &PathCosts::term, &PathCosts::fusedMax, &PathCosts::fftUnit})
    EXPECT_NEAR(got.*cost, expected.*cost, 1e-15) << kind.lanes << " lanes, " << kind.twoMultiplyAdds;
}

/// A slip in one of them would move the choice in a few cells of a benchmark and be seen by nobody.
TEST(PathCosts, AreThoseThatWereMeasured) {
  expectCosts({16, true}, {.pixel = 0.12,
                           .result = 0.077,
                           .tap = 0.0087,
                           .step = 0.036,
                           .passTap = 0.0103,
                           .term = 0.055,
                           .fusedMax = 0.13,
                           .fftUnit = 0.046});
  expectCosts({16, false}, {.pixel = 0.078,
                            .result = 0.12,
                            .tap = 0.0175,
                            .step = 0.051,
                            .passTap = 0.0194,
                            .term = 0.066,
                            .fusedMax = 0.10,
                            .fftUnit = 0.0704});
  const PathCosts avx2 = {.pixel = 0.05,
                          .result = 0.15,
                          .tap = 0.020,
                          .step = 0.06,
                          .passTap = 0.020,
                          .term = 0.05,
                          .fusedMax = 0.05,
                          .fftUnit = 0.105};
  expectCosts({8, true}, avx2);
  expectCosts({8, false}, avx2);
  EXPECT_NEAR(pathCosts({15}).tap, 0.020 * 8 / 15, 1e-15) << "nobody has such vectors: not those of sixteen";
}

CpuPath choice(const BankFacts& facts, const PathCosts& costs) {
  ConvolutionProblem p;
  p.height = p.width = 10;
  return choosePath(p, facts, costs).path;
}

TEST(ChoosePath, OfTwoThatCostTheSameTheLaterOneIsTaken) {
  const PathCosts costs = {.result = 1, .tap = 1, .passTap = 1};
  EXPECT_EQ(choice({.directTaps = 100, .groupTaps = 10, .rank = 1, .firstTaps = 4, .secondTaps = 6}, costs),
            CpuPath::Separable);
  EXPECT_EQ(choice({.directTaps = 100, .groupTaps = 9, .rank = 1, .firstTaps = 4, .secondTaps = 6}, costs),
            CpuPath::Karatsuba);
}

/// What little a path has to do is work too.
TEST(ChoosePath, LessThanOneTapIsNotNothing) {
  const PathCosts costs = {.result = 1, .tap = 1, .fftUnit = 1};
  EXPECT_EQ(choice({.directTaps = 100, .groupTaps = 0.5}, costs), CpuPath::Karatsuba);
  EXPECT_EQ(choice({.directTaps = 100, .fftWork = 0.5}, costs), CpuPath::Fft);
}

/// A path that cannot go has no time, whatever the rest of it would take.
TEST(ChoosePath, WhatABankHasNotTakesNoTime) {
  ConvolutionProblem p;
  p.height = p.width = 10;
  p.filterCount = 4;
  p.combine = Combine::Max;
  const PathCosts costs = {
      .pixel = 1, .result = 1, .tap = 1, .passTap = 1, .term = 1, .fusedMax = 1e-3, .fftUnit = 1};
  const PathChoice made = choosePath(p, {.directTaps = 100}, costs);
  EXPECT_EQ(made.path, CpuPath::Direct);
  for (const CpuPath path : {CpuPath::Karatsuba, CpuPath::Separable, CpuPath::Fft})
    EXPECT_EQ(made.seconds[static_cast<int>(path)], 0) << static_cast<int>(path);
}

TEST(ChoosePath, EveryDifferenceOfRowsReadsItsPixels) {
  ConvolutionProblem p;
  p.height = 7;
  p.width = 5;
  p.channels = 3;
  p.filterCount = 2;
  const PathCosts costs = {.pixel = 0.5, .result = 4, .tap = 8};
  const PathChoice made = choosePath(p, {.directTaps = 100, .groupTaps = 10, .groupRows = 4}, costs);
  EXPECT_NEAR(made.seconds[static_cast<int>(CpuPath::Karatsuba)] * 1e9,
              35 * (0.5 * 3 + 4 * 2 + 3 * 0.5 * 3 + 8 * 10), 1e-9);
  EXPECT_NEAR(made.seconds[static_cast<int>(CpuPath::Direct)] * 1e9, 35 * (0.5 * 3 + 4 * 2 + 8 * 100), 1e-9);
}

/// A filter of so many terms, powers of the row times powers of the column: integers, so that nothing is
/// rounded.
Filter powers(const char* label, int height, int width, int terms) {
  std::vector<float> taps;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int term = 1; term <= terms; ++term) sum += std::pow(y + 1, term) * std::pow(x - 2, term);
      taps.push_back(static_cast<float>(sum));
    }
  }
  return makeFilter(label, height, width, std::move(taps));
}

ConvolutionProblem floats(const FilterBank& bank) {
  return makeProblem(bank, 1, 200, 200, ElementType::F32, ElementType::F32, {}, Combine::None);
}

BankFacts factsOf(const FilterBank& bank, const PathCosts& costs) {
  const ConvolutionProblem p = floats(bank);
  return bankFacts(p, correlationTaps(p, bank), costs);
}

/// 45 taps beside 14 a term: were no column shared, three terms could win and four could not.
TEST(BankFacts, TermsAreLookedForUpToThoseThatCouldWin) {
  const PathCosts costs = {.tap = 1000, .step = 1e9, .passTap = 1e-6, .fftUnit = 1e12};
  EXPECT_EQ(factsOf({{}, {powers("three", 9, 5, 3)}}, costs).rank, 3);
  EXPECT_EQ(factsOf({{}, {powers("four", 9, 5, 4)}}, costs).rank, 0);
  EXPECT_EQ(factsOf({{}, {powers("one", 3, 3, 1)}}, costs).rank, 1) << "9 beside 6: one could";
  EXPECT_EQ(factsOf({{}, {powers("two", 3, 3, 2)}}, costs).rank, 0);
  EXPECT_EQ(factsOf({{}, {powers("row", 1, 9, 1)}}, costs).rank, 0) << "9 beside 10";
}

/// The other limit: the best of the other paths, beside terms that are stored and have their share of taps.
TEST(BankFacts, TermsAreLookedForUpToWhatTheOthersTake) {
  const FilterBank bank({}, {powers("two", 21, 15, 2)});
  PathCosts costs = {.pixel = 3, .result = 5, .tap = 1, .step = 1e9, .passTap = 1, .fftUnit = 1e12};
  const double direct = factsOf(bank, costs).directTaps;
  const double taps = 2 * 15;  // of the shorter side, once for the columns and once for the filter
  const auto rankAt = [&](double share) {
    costs.term = direct / (2 * share) - taps;
    return factsOf(bank, costs).rank;
  };
  EXPECT_EQ(rankAt(1 + 5e-10), 2);
  EXPECT_EQ(rankAt(1 - 5e-10), 0);
  // Two filters: three shares of taps.
  const FilterBank both({}, {powers("two", 21, 15, 2), powers("twice", 21, 15, 2)});
  const double bothDirect = factsOf(both, costs).directTaps;
  costs.term = bothDirect / (2 * 1.001) - 3 * 15;
  EXPECT_EQ(factsOf(both, costs).rank, 2);
  costs.term = bothDirect / (2 * 0.999) - 3 * 15;
  EXPECT_EQ(factsOf(both, costs).rank, 0);
}

TEST(BankFacts, EveryFilterMustHaveFewTerms) {
  const PathCosts costs = pathCosts({16});
  const FilterBank full = randomBank(1, 1, 15, 15);
  EXPECT_EQ(factsOf({{}, {powers("a", 15, 15, 1), full.filters()[0]}}, costs).rank, 0);
  EXPECT_EQ(factsOf({{}, {full.filters()[0], powers("a", 15, 15, 1)}}, costs).rank, 0);
  EXPECT_EQ(factsOf({{}, {powers("a", 15, 15, 1), powers("b", 15, 15, 1)}}, costs).rank, 1);
}

TEST(BankFacts, OfZerosNothingIsLookedFor) {
  const FilterBank zeros({}, {makeFilter("zeros", 9, 9, std::vector<float>(81, 0.0f))});
  const BankFacts facts = factsOf(zeros, pathCosts({16}));
  EXPECT_EQ(facts.directTaps, 0);
  EXPECT_EQ(facts.rank, 0) << "no term could be faster than no tap";
}

/// Transforms take less than nine sixteenths of the multiply-adds would.
TEST(BankFacts, GroupsAreNotLookedForWhereTheyWouldLose) {
  const FilterBank bank({}, {powers("a", 15, 15, 1), powers("b", 15, 15, 1)});
  const ConvolutionProblem p = floats(bank);
  const CorrelationTaps taps = correlationTaps(p, bank);
  const PathCosts costs = pathCosts({16});
  BankFacts facts = bankFacts(p, taps, costs);
  EXPECT_EQ(facts.groupTaps, 0);
  const CpuPath path = choosePath(p, facts, costs).path;
  const KaratsubaChoice groups = chooseKaratsuba(p, taps);
  facts.groupTaps = weightedTaps(groups.program);
  facts.groupSteps = stepsAPixel(groups.program);
  facts.groupRows = groups.program.rows;
  EXPECT_EQ(choosePath(p, facts, costs).path, path);
}

TEST(BankFacts, AreWhatThePathsWillDo) {
  const FilterBank bank({}, {powers("a", 9, 9, 1), powers("b", 9, 9, 1)});
  const ConvolutionProblem p = floats(bank);
  const CorrelationTaps taps = correlationTaps(p, bank);
  const BankFacts facts = bankFacts(p, taps, pathCosts({16}));
  EXPECT_EQ(facts.directTaps, weightedTaps(makeDirectProgram(p, taps)));
  const KaratsubaChoice groups = chooseKaratsuba(p, taps);
  ASSERT_GT(groups.program.rows, 1);
  EXPECT_EQ(facts.groupTaps, weightedTaps(groups.program));
  EXPECT_EQ(facts.groupSteps, stepsAPixel(groups.program));
  EXPECT_EQ(facts.groupRows, groups.program.rows);
  EXPECT_EQ(facts.fftWork, tileWork(p, fft::chooseTile(p)));
  const SeparableProgram separable = makeSeparableProgram(p, separate(p, taps, roundedOnce, ThreadTeam(1)));
  EXPECT_GT(facts.firstTaps, 0);
  EXPECT_GT(facts.secondTaps, 0);
  EXPECT_EQ(facts.firstTaps, separable.firstTaps);
  EXPECT_EQ(facts.secondTaps, separable.secondTaps);
}

TEST(BankFacts, OfExactSumsAreDirectTapsAlone) {
  const FilterBank bank({}, {powers("a", 15, 15, 1)});
  const ConvolutionProblem p = floats(bank);
  const BankFacts facts = bankFacts(p, correlationTaps(p, bank), pathCosts({16}), Precision::Exact);
  EXPECT_GT(facts.directTaps, 0);
  EXPECT_EQ(facts.groupTaps, 0);
  EXPECT_EQ(facts.fftWork, 0);
  EXPECT_EQ(facts.rank, 0);
}

/// A maximum that transforms would cost makes none of them where there are none.
TEST(ChoosePath, NoTransformIsNoneForAMaximumToo) {
  ConvolutionProblem p;
  p.height = p.width = 10;
  p.filterCount = 2;
  p.combine = Combine::Max;
  const PathCosts costs = {.result = 1, .tap = 1, .fusedMax = 1e-3, .fftUnit = 1};
  const PathChoice without = choosePath(p, {.directTaps = 100}, costs);
  EXPECT_EQ(without.path, CpuPath::Direct);
  EXPECT_EQ(without.seconds[static_cast<int>(CpuPath::Fft)], 0);
  const PathChoice with = choosePath(p, {.directTaps = 100, .fftWork = 3}, costs);
  EXPECT_EQ(with.path, CpuPath::Fft);
  EXPECT_NEAR(with.seconds[static_cast<int>(CpuPath::Fft)] * 1e9, 3 + 100 * 1e-3 * 2, 1e-9);
}

}  // namespace
}  // namespace bankside::planner
