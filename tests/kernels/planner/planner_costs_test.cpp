/// What the planners' models add up, with costs that can be added by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/made_input.h"
#include "kernels/cuda/fft/fft_layout.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/engines.h"
#include "kernels/planner/cuda_choice.h"
#include "kernels/planner/machine_scale.h"
#include "kernels/planner/path_choice.h"

namespace bankside::planner {
namespace {

CorrelationTaps randomTaps(const ConvolutionProblem& p) {
  return correlationTaps(p, randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 1));
}

CudaOption option(CudaPath path, const char* problem, const CudaCosts& costs,
                  Precision precision = Precision::Fp32) {
  const ConvolutionProblem p = parseProblem(problem);
  const auto options = rankCudaPaths(p, randomTaps(p), precision, costs);
  return *std::find_if(options.begin(), options.end(), [&](const CudaOption& o) { return o.path == path; });
}

double singleChannel(const char* problem, const CudaCosts& costs) {
  return option(CudaPath::SingleChannel, problem, costs).microseconds;
}

const CudaCosts plain = {
    .launch = 5, .tap = 1, .largeTap = 3, .response = 10, .largeResponse = 20, .rounded = 100, .pixel = 1000};

/// Blocks of 256 x 32 places; 132 of them fill the device.
TEST(CudaCosts, OfOneChannelAreMultiplyAddsResponsesAndPixels) {
  const double pixels = 4096.0 * 4096;
  const auto picoseconds = [&](const char* problem) {
    return (singleChannel(problem, plain) - 5) / pixels * 1e6;
  };
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k3-reflect101-f32:f32-none"), 2 * (9 + 10) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k15-reflect101-f32:f32-none"), 2 * (225 + 10) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k17-reflect101-f32:f32-none"), 2 * (289 * 3 + 20) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k4-reflect101-f32:f32-none"), 2 * (16 * 3 + 20) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k3x5-reflect101-f32:f32-none"), 2 * (15 * 3 + 20) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k3-reflect101-f32:u8-none"), 2 * (9 + 10) + 1000 + 200, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k3-reflect101-f32:u16-none"), 2 * (9 + 10) + 1000 + 200, 1e-6);
  EXPECT_NEAR(picoseconds("c1h4096w4096-f2k3-reflect101-f32:u8-max"), 2 * (9 + 10) + 1000, 1e-6);
  EXPECT_NEAR(picoseconds("c3h4096w4096-f2k3-reflect101-f32:f32-none-perplane"), 3 * (2 * (9 + 10) + 1000),
              1e-6);
}

/// 64 x 256 pixels are two blocks a response of 256 x 32, all of them full; 33 x 257 are four, mostly empty.
TEST(CudaCosts, OfSmallImagesAreThoseOfPlacesThatStandEmpty) {
  const auto emptiness = [](const char* problem, double pixels, double sums, int filters) {
    return ((singleChannel(problem, plain) - 5) / pixels * 1e6 - 1000) / (filters * sums);
  };
  EXPECT_NEAR(emptiness("c1h64w256-f2k3-reflect101-f32:f32-none", 64 * 256, 9 + 10, 2), 132.0 / 4, 1e-6);
  EXPECT_NEAR(emptiness("c1h64w256-f2k3-reflect101-f32:f32-max", 64 * 256, 9 + 10, 2), 132.0 / 2, 1e-6);
  EXPECT_NEAR(emptiness("c1h33w257-f2k3-reflect101-f32:f32-none", 33 * 257, 9 + 10, 2),
              132.0 / 8 * (4 * 256 * 32) / (33.0 * 257), 1e-6);
  EXPECT_NEAR(emptiness("c1h64w256-f2k4-reflect101-f32:f32-none", 64 * 256, 16 * 3 + 20, 2), 132.0 / 8, 1e-6);
  EXPECT_NEAR(emptiness("c1h64w256-f1k3-reflect101-f32:f32-none", 64 * 256, 9 + 10, 1), 1, 1e-6);
}

/// Where memory is slower than sums a problem costs its bytes.
TEST(CudaCosts, AreAtLeastThoseOfMemory) {
  const auto bytes = [](const char* problem) {
    return (singleChannel(problem, {.launch = 5, .byte = 1}) - 5) / (64.0 * 64) * 1e6;
  };
  EXPECT_NEAR(bytes("c1h64w64-f3k3-reflect101-f32:f32-none"), 4 + 3 * 4, 1e-6);
  EXPECT_NEAR(bytes("c1h64w64-f3k3-reflect101-u8:u16-none"), 1 + 3 * 2, 1e-6);
  EXPECT_NEAR(bytes("c1h64w64-f3k3-reflect101-u8:f32-max"), 1 + 4, 1e-6);
  EXPECT_NEAR(bytes("c1h64w64-f3k3-reflect101-u8:f32-argmax"), 1 + 4 + 2, 1e-6) << "which filter, too";
}

/// An inverse transform a filter, a forward one, and as much as two around them.
TEST(CudaCosts, OfTransformsArePointsOrNobodyMeasuredThem) {
  const char* problem = "c1h100w300-f6k9-reflect101-f32:f32-none";
  const double points = cuda::chooseFftLayout(parseProblem(problem)).points();
  CudaCosts costs = plain;
  costs.fftPoint = 2;
  costs.fftStart = 7;
  EXPECT_NEAR(option(CudaPath::Fft, problem, costs).microseconds, 7 + points * (6 + 3) * 2 * 1e-6, 1e-9);
  const char* planes = "c3h100w300-f6k9-reflect101-f32:f32-none-perplane";
  EXPECT_NEAR(option(CudaPath::Fft, planes, costs).microseconds, 7 + 3 * points * (6 + 3) * 2 * 1e-6, 1e-9);
  costs.fftPoint = 0;
  EXPECT_EQ(option(CudaPath::Fft, problem, costs).why, "not measured");
}

/// Tensor cores over several channels: pixels of no type are read before.
TEST(CudaCosts, OfSplitHalvesAreThoseOfOneKernel) {
  const CudaCosts costs = {.byte = 2, .summedCycle = 3, .summedStart = 1000};
  for (const char* problem : {"c64h32w48-f8k7-constant-f32:f32-none", "c64h32w48-f8k7-constant-f16:f32-none"})
    EXPECT_NEAR(option(CudaPath::Fp16x3, problem, costs).microseconds,
                1000 + 3 * cuda::tensorKilocycles(cuda::TensorMode::Fp16x3, parseProblem(problem)), 1e-9);
}

TEST(CudaCosts, OthersMustBeClearlyFasterThanMultiplyAdds) {
  const char* problem = "c1h4096w4096-f1k33-reflect101-f32:f32-none";  // too large for tensor cores
  const ConvolutionProblem p = parseProblem(problem);
  CudaCosts costs = plain;
  const double sums = singleChannel(problem, costs);
  const auto first = [&](double microseconds) {
    costs.fftStart = 0;
    costs.fftPoint = microseconds / (cuda::chooseFftLayout(p).points() * (1 + 3) * 1e-6);
    return rankCudaPaths(p, randomTaps(p), Precision::Fp32, costs).front().path;
  };
  EXPECT_EQ(first(sums / 1.04), CudaPath::SingleChannel);
  EXPECT_EQ(first(sums / 1.06), CudaPath::Fft);
}

TEST(CudaChoice, KnowsTheLargestFilterOfEveryPath) {
  const CudaCosts costs = cudaCosts();
  EXPECT_EQ(option(CudaPath::Tensor, "c1h64w64-f2k31-reflect101-u8:f32-none", costs).why, "");
  for (const char* larger :
       {"c1h64w64-f2k32x3-reflect101-u8:f32-none", "c1h64w64-f2k3x32-reflect101-u8:f32-none"})
    EXPECT_EQ(option(CudaPath::Tensor, larger, costs).why, "filter larger than 31x31") << larger;
  EXPECT_EQ(option(CudaPath::Multichannel, "c2h64w64-f2k15-reflect101-f32:f32-none", costs).why, "");
  for (const char* larger :
       {"c2h64w64-f2k16x3-reflect101-f32:f32-none", "c2h64w64-f2k3x16-reflect101-f32:f32-none"})
    EXPECT_EQ(option(CudaPath::Multichannel, larger, costs).why, "filter larger than 15x15") << larger;
  for (const CudaPath path : {CudaPath::Multichannel, CudaPath::Fp16x3, CudaPath::Fp16})
    EXPECT_EQ(option(path, "c3h64w64-f2k3-reflect101-f32:f32-none-perplane", costs).why, "several channels");
  for (const CudaPath path : {CudaPath::SingleChannel, CudaPath::Tensor, CudaPath::TensorFp16, CudaPath::Fft})
    EXPECT_EQ(option(path, "c2h64w64-f2k3-reflect101-f32:f32-none", costs).why, "one channel");
}

/// The side at which tensor cores take over from FP32 sums depends on the pixels, and on the kind of tensor
/// cores.
TEST(CudaChoice, KnowsTheLeastSideOfEveryType) {
  const auto takes = [](const char* type, int side, cuda::TensorForm form) {
    CudaCosts costs = cudaCosts();
    costs.tensorUnits.form = form;
    const std::string wide = "c1h64w64-f2k" + std::to_string(side) + "x30-reflect101-" + type + ":f32-none";
    const std::string high = "c1h64w64-f2k30x" + std::to_string(side) + "-reflect101-" + type + ":f32-none";
    const bool one = option(CudaPath::Tensor, wide.c_str(), costs).why.empty();
    EXPECT_EQ(one, option(CudaPath::Tensor, high.c_str(), costs).why.empty() || side == 1) << high;
    return one;
  };
  for (const auto form : {cuda::TensorForm::Warpgroups, cuda::TensorForm::Warps}) {
    EXPECT_TRUE(takes("u8", 1, form));
    EXPECT_FALSE(takes("f16", 5, form));
    EXPECT_TRUE(takes("f16", 6, form));
    EXPECT_FALSE(takes("f32", 6, form));
    EXPECT_TRUE(takes("f32", 7, form));
  }
  EXPECT_FALSE(takes("u16", 4, cuda::TensorForm::Warpgroups));
  EXPECT_TRUE(takes("u16", 5, cuda::TensorForm::Warpgroups));
  EXPECT_FALSE(takes("u16", 8, cuda::TensorForm::Warps));
  EXPECT_TRUE(takes("u16", 9, cuda::TensorForm::Warps));
}

/// A combine that picks a sum keeps it; one that adds sums up does not.
TEST(CudaChoice, AddsNothingUpAfterExactSums) {
  for (const auto& [combine, keeps] : {std::pair{"none", true},
                                       {"max", true},
                                       {"absmax", true},
                                       {"argmax", true},
                                       {"mean", false},
                                       {"sum", false},
                                       {"magnitude", false}}) {
    const ConvolutionProblem p = parseProblem(std::string("c1h9w9-f2k3-reflect101-u8:f32-") + combine);
    const std::vector<float> ones(9, 1.0f);
    const FilterBank bank({}, {makeFilter("a", 3, 3, ones), makeFilter("b", 3, 3, ones)});
    EXPECT_EQ(staysExactInAnyOrder(p, correlationTaps(p, bank)), keeps) << combine;
  }
}

/// Halves hold 22 bits of a bank's largest tap: of a filter whose largest is 2^-10 of it, 12.
TEST(CudaChoice, SplitsFiltersThatAreAlikeInSize) {
  const ConvolutionProblem p = parseProblem("c64h256w256-f2k7-constant-f32:f32-none");
  const auto mayDo = [&](float first, float second) {
    std::vector<Filter> filters = randomBank(2, 64, 7, 7).filters();
    std::fill(filters[0].taps.begin(), filters[0].taps.end(), first);
    std::fill(filters[1].taps.begin(), filters[1].taps.end(), second);
    return splitHalvesMayDo(p, correlationTaps(p, {{}, std::move(filters)}));
  };
  EXPECT_TRUE(mayDo(1, 0x1p-10f));
  EXPECT_FALSE(mayDo(1, 0x1.fp-11f));
  EXPECT_TRUE(mayDo(16, 0x1p-6f));
  EXPECT_FALSE(mayDo(16, 0x1.fp-7f)) << "whatever the largest is";
  EXPECT_FALSE(mayDo(-0x1.fp-11f, -1)) << "whichever is the larger, of either sign";
  EXPECT_TRUE(mayDo(1, 0)) << "zeros lose nothing";
}

/// 320 taps, and six sums that make up a response.
TEST(CudaChoice, SplitsFromSoManyTapsAndSumsOn) {
  const auto why = [](const char* problem) { return option(CudaPath::Fp16x3, problem, cudaCosts()).why; };
  EXPECT_EQ(why("c320h64w64-f64k1-constant-f32:f32-none"), "");
  EXPECT_EQ(why("c319h64w64-f64k1-constant-f32:f32-none"), "few taps: FP32 sums err less");
  EXPECT_EQ(why("c88h64w64-f64k2-constant-f32:f32-none"), "");
  EXPECT_EQ(why("c80h64w64-f64k2-constant-f32:f32-none"), "few taps: FP32 sums err less") << "five sums";
}

const PathCosts costs = {
    .pixel = 1, .result = 10, .tap = 2, .step = 3, .passTap = 5, .term = 7, .fusedMax = 11, .fftUnit = 13};

ConvolutionProblem planes(ChannelMode mode) {
  ConvolutionProblem p;
  p.height = 50;
  p.width = 20;
  p.channels = 3;
  p.channelMode = mode;
  p.filterCount = 4;
  p.filterHeight = p.filterWidth = 9;
  return p;
}

const BankFacts everyPath = {.directTaps = 100,
                             .groupTaps = 60,
                             .groupSteps = 6,
                             .groupRows = 2,
                             .rank = 1,
                             .firstTaps = 8,
                             .secondTaps = 9,
                             .terms = 2,
                             .fftWork = 500};

TEST(PathCosts, AddUpToTheTimeOfEveryPath) {
  const auto nanoseconds = [](ChannelMode mode, CpuPath path) {
    return choosePath(planes(mode), everyPath, costs).seconds[static_cast<int>(path)] * 1e9;
  };
  const double summed = 50 * 20;
  const double rows = 3 * 1 + 4 * 10;
  EXPECT_NEAR(nanoseconds(ChannelMode::Summed, CpuPath::Direct), summed * (rows + 200), 1e-6);
  EXPECT_NEAR(nanoseconds(ChannelMode::Summed, CpuPath::Karatsuba), summed * (rows + 3 + 120 + 18), 1e-6);
  EXPECT_NEAR(nanoseconds(ChannelMode::Summed, CpuPath::Separable), summed * (rows + 14 + 85), 1e-6);
  EXPECT_NEAR(nanoseconds(ChannelMode::Summed, CpuPath::Fft), 13 * 500, 1e-6);
  const double apart = 1 + 4 * 10;  // a plane
  EXPECT_NEAR(nanoseconds(ChannelMode::PerPlane, CpuPath::Direct), 3 * summed * (apart + 200), 1e-6);
  EXPECT_NEAR(nanoseconds(ChannelMode::PerPlane, CpuPath::Karatsuba), 3 * summed * (apart + 1 + 120 + 18),
              1e-6);
}

/// Filters of two terms each, on costs by which two terms pay for themselves and then do not.
TEST(BankFacts, TermsAreLookedForAsLongAsTheyCouldWin) {
  std::vector<float> taps(21 * 21);
  for (int y = 0; y < 21; ++y) {
    for (int x = 0; x < 21; ++x)
      taps[static_cast<std::size_t>(y * 21 + x)] = static_cast<float>(
          std::cos(0.2 * y) * std::cos(0.3 * x + 1) + std::cos(0.4 * y) * std::cos(0.5 * x + 2));
  }
  const FilterBank bank({}, {makeFilter("waves", 21, 21, taps)});
  const ConvolutionProblem p =
      makeProblem(bank, 1, 40, 40, ElementType::F32, ElementType::F32, {}, Combine::None);
  PathCosts c = {.tap = 1, .passTap = 1, .fftUnit = 1e9};
  EXPECT_EQ(bankFacts(p, correlationTaps(p, bank), c).rank, 2);
  EXPECT_EQ(bankFacts(p, correlationTaps(p, bank), c).terms, 2);
  c.term = 120;  // two of them, beside 441 taps: 2 x (120 + 42) still wins
  EXPECT_EQ(bankFacts(p, correlationTaps(p, bank), c).rank, 2);
  c.term = 441;
  EXPECT_EQ(bankFacts(p, correlationTaps(p, bank), c).rank, 0);
  c.pixel = 1000;  // of every path
  EXPECT_EQ(bankFacts(p, correlationTaps(p, bank), c).rank, 0);
}

/// What was measured on eight floats takes twice as many vectors of four.
TEST(PathCosts, OfShorterVectorsAreInProportion) {
  const PathCosts eight = pathCosts({8});
  const PathCosts four = pathCosts({4});
  for (const auto cost : {&PathCosts::tap, &PathCosts::step, &PathCosts::passTap, &PathCosts::fftUnit})
    EXPECT_DOUBLE_EQ(four.*cost, 2 * (eight.*cost));
  for (const auto cost : {&PathCosts::pixel, &PathCosts::result, &PathCosts::term, &PathCosts::fusedMax})
    EXPECT_DOUBLE_EQ(four.*cost, eight.*cost) << "memory's";
}

/// Whatever it is on this machine: sums that are made take time.
TEST(CpuPlanner, MeasuresTheMachine) { EXPECT_GT(machineScale(), 0); }

/// The text has what was predicted for the path taken, and every other path once.
TEST(CpuPlanner, TellsWhatItPredictsForEveryPath) {
  const FilterBank bank = randomBank(12, 1, 7, 7);
  const ConvolutionProblem p =
      makeProblem(bank, 1, 256, 256, ElementType::F32, ElementType::F32, {}, Combine::None);
  const PathCosts here = pathCosts(machineKind());
  const PathChoice choice = choosePath(p, bankFacts(p, correlationTaps(p, bank), here), here);
  const auto ms = [&](CpuPath path) {
    const double seconds = choice.seconds[static_cast<int>(path)];
    char text[32] = "out";
    if (seconds > 0) std::snprintf(text, sizeof text, "%.3g ms", seconds * machineScale() * 1e3);
    return std::string(text);
  };
  std::string others;
  for (const CpuPath path : allCpuPaths) {
    if (path == choice.path) continue;
    others += (others.empty() ? "" : ", ") + std::string(engineName(path)).substr(4) + " " + ms(path);
  }
  const std::string expected = "predicted " + ms(choice.path) + " on one thread (" + others + ")";
  const Engine& engine = *findEngine("cpu");
  const PlanInfo info = engine.prepare(p, bank, {})->info();
  EXPECT_EQ(info.path, engineName(choice.path));
  EXPECT_EQ(info.why, expected);
  EXPECT_EQ(info.shape, findEngine(info.path)->prepare(p, bank, {})->info().shape);
  EXPECT_EQ(engine.prepare(p, bank, {.precision = Precision::Fp16})->info().why,
            expected + ", precision fp16");
}

TEST(CpuPlanner, SaysWhatItIs) {
  const Engine& engine = *findEngine("cpu");
  EXPECT_EQ(engine.device(), "CPU");
  EXPECT_TRUE(engine.kind().sharedPlans);
  EXPECT_THAT(engine.description(),
              ::testing::EndsWith(machineKind().twoMultiplyAdds ? ", two multiply-adds a cycle"
                                                                : ", one multiply-add a cycle"));
}

}  // namespace
}  // namespace bankside::planner
