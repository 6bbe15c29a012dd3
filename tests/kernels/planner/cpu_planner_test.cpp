#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/judge/compare.h"
#include "kernels/engines.h"
#include "kernels/highway/limits.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/planner/machine_scale.h"
#include "kernels/planner/path_choice.h"
#include "tests/kernels/cpu_direct_checks.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using namespace planner;
using ::testing::HasSubstr;

constexpr PathCosts costs = {
    .pixel = 0.05, .result = 0.15, .tap = 0.02, .step = 0.05, .passTap = 0.02, .term = 0.03, .fftUnit = 0.06};

FilterBank gaussianBank(int filters, int side) {
  std::vector<Filter> list;
  for (int f = 0; f < filters; ++f) {
    std::vector<float> taps;
    const double sigma = 0.2 * side + 0.1 * f;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double dy = y - side / 2;
        const double dx = x - side / 2;
        taps.push_back(static_cast<float>(std::exp(-0.5 * (dx * dx + dy * dy) / sigma / sigma)));
      }
    }
    list.push_back(makeFilter("g" + std::to_string(f), side, side, std::move(taps)));
  }
  return {{}, std::move(list)};
}

ConvolutionProblem floats(const FilterBank& bank, int height, int width) {
  return makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, Combine::None);
}

CpuPath chosen(const FilterBank& bank, int height, int width, const MachineKind& kind) {
  const ConvolutionProblem p = floats(bank, height, width);
  const PathCosts measured = pathCosts(kind);
  return choosePath(p, bankFacts(p, correlationTaps(p, bank), measured), measured).path;
}

TEST(ChoosePath, LeavesDirectOnlyForAClearGain) {
  ConvolutionProblem p;
  p.height = p.width = 1000;
  p.filterHeight = p.filterWidth = 9;
  BankFacts facts;
  facts.directTaps = 100;  // 0.05 + 0.15 + 100 x 0.02 = 2.2 ns a pixel
  const auto withFft = [&](double nanoseconds) {
    facts.fftWork = nanoseconds / costs.fftUnit * 1e6;
    return choosePath(p, facts, costs);
  };
  EXPECT_EQ(withFft(2.2 / 1.04).path, CpuPath::Direct);
  EXPECT_EQ(withFft(2.2 / 1.06).path, CpuPath::Fft);
  const PathChoice choice = withFft(1.5);
  EXPECT_NEAR(choice.seconds[0], 2.2e-3, 1e-9);
  EXPECT_EQ(choice.seconds[1], 0);  // out: no groups
  EXPECT_EQ(choice.seconds[2], 0);  // out: no rank
  EXPECT_NEAR(choice.seconds[3], 1.5e-3, 1e-9);
}

TEST(ChoosePath, ExactTakesDirectSumsWhateverTheOthersCost) {
  ConvolutionProblem p;
  p.height = p.width = 1000;
  BankFacts facts;
  facts.directTaps = 1000;
  facts.fftWork = 1;
  facts.groupTaps = 1;
  facts.rank = 1;
  EXPECT_NE(choosePath(p, facts, costs, Precision::Fp16).path, CpuPath::Direct);
  const PathChoice exact = choosePath(p, facts, costs, Precision::Exact);
  EXPECT_EQ(exact.path, CpuPath::Direct);
  EXPECT_EQ(exact.seconds[3], 0);
  const FilterBank bank = gaussianBank(2, 31);
  const ConvolutionProblem large = floats(bank, 300, 300);
  const Engine& engine = *findEngine("cpu");
  EXPECT_THAT(engine.prepare(large, bank, {})->info().path, ::testing::Ne("cpu:direct"));
  const auto plan = engine.prepare(large, bank, {.precision = Precision::Exact});
  EXPECT_THAT(plan->info().path, ::testing::Eq("cpu:direct"));
  EXPECT_THAT(plan->info().why, HasSubstr("precision exact"));
}

TEST(ChoosePath, TakesTheFasterOfTheOthers) {
  ConvolutionProblem p;
  p.height = p.width = 1000;
  BankFacts facts;
  facts.directTaps = 1000;
  facts.fftWork = 2e8;
  facts.rank = 1;
  facts.firstTaps = facts.secondTaps = 31;
  facts.terms = 1;
  EXPECT_EQ(choosePath(p, facts, costs).path, CpuPath::Separable);
  facts.fftWork = 1e6;
  EXPECT_EQ(choosePath(p, facts, costs).path, CpuPath::Fft);
  facts.fftWork = 0;
  facts.rank = 0;
  EXPECT_EQ(choosePath(p, facts, costs).path, CpuPath::Direct);
}

TEST(ChoosePath, KnownBanksOnEveryVectorLength) {
  for (const MachineKind& kind : {MachineKind{4}, MachineKind{8}, MachineKind{16, false}, MachineKind{16}}) {
    EXPECT_EQ(chosen(gaussianBank(1, 31), 1024, 1024, kind), CpuPath::Separable)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(gaussianBank(1, 15), 1024, 1024, kind), CpuPath::Separable)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(randomBank(12, 1, 31, 31), 1024, 1024, kind), CpuPath::Fft)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(randomBank(12, 1, 3, 3), 1024, 1024, kind), CpuPath::Direct)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(randomBank(1, 1, 3, 3), 1024, 1024, kind), CpuPath::Direct)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(gaussianBank(1, 3), 1024, 1024, kind), CpuPath::Direct)
        << kind.lanes << kind.twoMultiplyAdds;
    EXPECT_EQ(chosen(randomBank(1, 1, 1, 31), 1024, 1024, kind), CpuPath::Direct)
        << kind.lanes << kind.twoMultiplyAdds;
  }
}

TEST(ChoosePath, GroupsOfRowsBetweenSmallFiltersAndTransforms) {
  for (const MachineKind& kind : {MachineKind{16, false}, MachineKind{16}}) {
    EXPECT_EQ(chosen(randomBank(12, 1, 7, 7), 1024, 1024, kind), CpuPath::Karatsuba);
    EXPECT_EQ(chosen(randomBank(12, 1, 1, 7), 1024, 1024, kind), CpuPath::Direct);
    EXPECT_EQ(chosen(randomBank(1, 1, 5, 5), 1024, 1024, kind), CpuPath::Direct);
  }
  EXPECT_EQ(chosen(randomBank(4, 1, 7, 7), 1024, 1024, {16, false}), CpuPath::Karatsuba);
  EXPECT_EQ(chosen(randomBank(12, 1, 9, 9), 1024, 1024, {16}), CpuPath::Karatsuba);
}

/// A maximum stays in registers but for transforms.
TEST(ChoosePath, TransformsPayForTheMaximum) {
  BankFacts facts;
  facts.directTaps = 1000;
  facts.fftWork = 2e8;
  ConvolutionProblem p;
  p.height = p.width = 1000;
  p.filterCount = 12;
  PathCosts fused = costs;
  fused.fusedMax = 0.1;
  const double before = choosePath(p, facts, fused).seconds[static_cast<int>(CpuPath::Fft)];
  p.combine = Combine::Max;
  const double after = choosePath(p, facts, fused).seconds[static_cast<int>(CpuPath::Fft)];
  EXPECT_NEAR(after - before, 12 * 0.1e-3, 1e-9);
}

/// Integers that direct sums keep exact are not given to groups that may not.
TEST(ChoosePath, GroupsOfRowsOnlyWhereIntegersStayExact) {
  std::vector<Filter> filters;
  for (int f = 0; f < 12; ++f) {
    std::vector<float> taps(49);
    for (std::size_t i = 0; i < taps.size(); ++i)
      taps[i] = static_cast<float>((i * i + 3 * i * static_cast<std::size_t>(f)) % 5 + 1);
    filters.push_back(makeFilter("f" + std::to_string(f), 7, 7, std::move(taps)));
  }
  const FilterBank bank({}, std::move(filters));
  const auto groupTaps = [&](ElementType type) {
    const auto p = makeProblem(bank, 1, 512, 512, type, ElementType::F32, {}, Combine::None);
    return bankFacts(p, correlationTaps(p, bank), pathCosts({16})).groupTaps;
  };
  EXPECT_GT(groupTaps(ElementType::U8), 0);
  EXPECT_EQ(groupTaps(ElementType::U16), 0);  // 65,535 x about 147 x 3 passes 2^24
  EXPECT_GT(groupTaps(ElementType::F32), 0);
}

/// Zeros make the direct path cheap, so they count.
TEST(BankFacts, ZerosCount) {
  std::vector<float> taps(31 * 31, 0.0f);
  taps[0] = 1;
  taps[1] = -2;
  taps[960] = 3;
  const FilterBank sparse({}, {makeFilter("s", 31, 31, taps)});
  const ConvolutionProblem p = floats(sparse, 512, 512);
  EXPECT_LT(bankFacts(p, correlationTaps(p, sparse), pathCosts({16})).directTaps, 4);
  EXPECT_EQ(chosen(sparse, 512, 512, {16}), CpuPath::Direct);
}

TEST(BankFacts, RankAndSharing) {
  const FilterBank smooth = gaussianBank(2, 15);
  ConvolutionProblem p = floats(smooth, 512, 512);
  const BankFacts facts = bankFacts(p, correlationTaps(p, smooth), pathCosts({16}));
  EXPECT_EQ(facts.rank, 1);
  EXPECT_EQ(facts.terms, 2);
  const FilterBank dense = randomBank(2, 1, 15, 15);
  p = floats(dense, 512, 512);
  EXPECT_EQ(bankFacts(p, correlationTaps(p, dense), pathCosts({16})).rank, 0);
}

/// 20 terms would beat direct sums of 6,561 taps by far, and transforms beat 20 terms by far.
TEST(BankFacts, RanksThatLoseAreNotLookedFor) {
  std::vector<float> taps(81 * 81);
  for (int y = 0; y < 81; ++y) {
    for (int x = 0; x < 81; ++x) {
      double sum = 0;
      for (int term = 1; term <= 20; ++term)
        sum += std::cos(0.07 * term * y) * std::cos(0.03 * term * x + term);
      taps[static_cast<std::size_t>(y * 81 + x)] = static_cast<float>(sum);
    }
  }
  const FilterBank waves({}, {makeFilter("waves", 81, 81, taps)});
  const ConvolutionProblem p = floats(waves, 1000, 1000);
  const CorrelationTaps correlation = correlationTaps(p, waves);
  PathCosts measured = pathCosts({16});
  const BankFacts facts = bankFacts(p, correlation, measured);
  EXPECT_EQ(facts.rank, 0);
  EXPECT_EQ(choosePath(p, facts, measured).path, CpuPath::Fft);
  EXPECT_EQ(bankFacts(p, correlation, measured, Precision::Exact).fftWork, 0) << "direct sums alone";
  measured.fftUnit *= 100;
  const BankFacts dearer = bankFacts(p, correlation, measured);
  EXPECT_GT(dearer.rank, 15);
  EXPECT_EQ(choosePath(p, dearer, measured).path, CpuPath::Separable);
}

TEST(CpuPlanner, IsTheFirstEngine) {
  EXPECT_EQ(findEngine("cpu")->name(), "cpu");
  const FilterBank bank = randomBank(1, 1, 3, 3);
  EXPECT_EQ(selectEngine("auto", floats(bank, 9, 9)).name(), "cpu");
  EXPECT_EQ(selectEngine("cpu", floats(bank, 9, 9)).name(), "cpu");
}

TEST(CpuPlanner, SaysWhatItPickedAndWhy) {
  const FilterBank bank = gaussianBank(1, 31);
  const ConvolutionProblem p = floats(bank, 1024, 1024);
  const auto plan = findEngine("cpu")->prepare(p, bank, {1});
  EXPECT_THAT(plan->info().path, ::testing::Eq("cpu:separable"));
  EXPECT_THAT(plan->info().why, HasSubstr("direct "));
  EXPECT_THAT(plan->info().why, HasSubstr("karatsuba "));
  EXPECT_THAT(plan->info().why, HasSubstr("fft "));
  EXPECT_FALSE(plan->errorBound().pixelwise);
  EXPECT_EQ(plan->info(), findEngine("cpu")->prepare(p, bank, {2})->info());

  const FilterBank small = randomBank(12, 1, 3, 3);
  const auto direct = findEngine("cpu")->prepare(floats(small, 64, 64), small, {1});
  EXPECT_THAT(direct->info().path, ::testing::Eq("cpu:direct"));
  EXPECT_THAT(direct->info().why, HasSubstr("separable out"));
  EXPECT_TRUE(direct->errorBound().pixelwise);
}

/// `cpu` gives the bytes of the path that it names, at any number of threads; and every path can be forced.
TEST(CpuPlanner, GivesTheBytesOfThePathItNames) {
  const Image image = randomImage(1, 90, 333, ElementType::F32);
  for (const FilterBank& bank :
       {gaussianBank(2, 21), randomBank(12, 1, 31, 31), randomBank(3, 1, 5, 5), randomBank(12, 1, 9, 9)}) {
    const ConvolutionProblem p = floats(bank, 90, 333);
    const PlanInfo plan = findEngine("cpu")->prepare(p, bank, {1})->info();
    const auto whole = runWhole(*findEngine("cpu"), p, bank, image, {1});
    EXPECT_TRUE(sameImages(whole, runWhole(*findEngine("cpu"), p, bank, image, {2})));
    for (const char* name : {"cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft"}) {
      const Engine& engine = *findEngine(name);
      ASSERT_EQ(engine.name(), name);
      const auto forced = runWhole(engine, p, bank, image, {1});
      if (plan.path == name) {
        EXPECT_TRUE(sameImages(whole, forced)) << toString(plan);
      }
      ImageSource source(image);
      const ErrorBound bound = engine.prepare(p, bank, {1})->errorBound();
      EXPECT_TRUE(verify(p, bank, source, wholeImage(p), forced, bound).passed) << name;
    }
  }
}

TEST(CpuPlanner, KindIsMeasured) {
  EXPECT_EQ(machineKind().lanes, direct::rowKernels().lanes);
  EXPECT_EQ(&machineKind(), &machineKind());
  EXPECT_GT(multiplyAddsALatency(), 0);  // under emulation it may be anything
}

TEST(CpuPlanner, ScaleIsMeasuredOnce) {
  const double scale = machineScale();
  EXPECT_GT(scale, 0);
  EXPECT_EQ(scale, machineScale());
}

TEST(CpuPlanner, SaysWhatItIs) {
  const Engine& engine = *findEngine("cpu");
  EXPECT_EQ(engine.description(), "picks cpu:direct, cpu:karatsuba, cpu:separable or cpu:fft; " +
                                      findEngine("cpu:direct")->description() +
                                      (machineKind().twoMultiplyAdds ? ", two multiply-adds a cycle"
                                                                     : ", one multiply-add a cycle"));
  EXPECT_EQ(engine.device(), "CPU");
  EXPECT_EQ(engine.kind().role, EngineKind::Role::Planner);
  EXPECT_TRUE(engine.kind().sharedPlans);
  const ConvolutionProblem p = floats(randomBank(1, 1, 3, 3), 9, 9);
  EXPECT_EQ(engine.supports(p).reason, findEngine("cpu:direct")->supports(p).reason);
}

/// The times of all paths by the scale of this machine, the one that is taken first.
TEST(CpuPlanner, TellsWhatItPredictsForEveryPath) {
  for (const FilterBank& bank : {gaussianBank(1, 31), randomBank(12, 1, 3, 3), randomBank(12, 1, 31, 31)}) {
    const ConvolutionProblem p = floats(bank, 1024, 1024);
    const PathCosts here = pathCosts(machineKind());
    const PathChoice choice = choosePath(p, bankFacts(p, correlationTaps(p, bank), here), here);
    const auto time = [&](CpuPath path) {
      char text[40];
      std::snprintf(text, sizeof text, "%.3g ms",
                    choice.seconds[static_cast<int>(path)] * machineScale() * 1e3);
      return std::string(text);
    };
    std::string others;
    for (const CpuPath path : allCpuPaths) {
      if (path == choice.path) continue;
      others += (others.empty() ? "" : ", ") + std::string(engineName(path)).substr(4) + " " +
                (choice.seconds[static_cast<int>(path)] == 0 ? "out" : time(path));
    }
    const PlanInfo info = findEngine("cpu")->prepare(p, bank, {1})->info();
    EXPECT_EQ(info.path, engineName(choice.path));
    EXPECT_EQ(info.why, "predicted " + time(choice.path) + " on one thread (" + others + ")");
  }
}

}  // namespace
}  // namespace bankside::testing
