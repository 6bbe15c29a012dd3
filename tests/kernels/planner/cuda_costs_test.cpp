/// What the GPU's planner knows of devices and paths, to the last digit and at its edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/made_input.h"
#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/planner/cuda_choice.h"

namespace bankside::planner {
namespace {

std::vector<CudaOption> rankedBy(const char* problem, const CudaCosts& costs, Precision precision) {
  const ConvolutionProblem p = parseProblem(problem);
  const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 1);
  return rankCudaPaths(p, correlationTaps(p, bank), precision, costs);
}

CudaOption optionBy(CudaPath path, const char* problem, const CudaCosts& costs,
                    Precision precision = Precision::Fp32) {
  const auto options = rankedBy(problem, costs, precision);
  return *std::find_if(options.begin(), options.end(), [&](const CudaOption& o) { return o.path == path; });
}

/// A slip in one of them would move predictions within the quarter that they may be off by.
TEST(CudaCosts, AreThoseThatWereMeasured) {
  const auto expect = [](double copy, double sums, int multiprocessors) {
    const CudaCosts c = cudaCosts({copy, sums, multiprocessors});
    EXPECT_NEAR(c.launch, 4.5, 1e-12);
    EXPECT_NEAR(c.byte, 0.25 * copy, 1e-12);
    EXPECT_NEAR(c.tap, 0.0339 * sums, 1e-12);
    EXPECT_NEAR(c.largeTap, 0.053 * sums, 1e-12);
    EXPECT_NEAR(c.response, 0.15 * sums, 1e-12);
    EXPECT_NEAR(c.largeResponse, 1.05 * sums, 1e-12);
    EXPECT_NEAR(c.rounded, 0.27 * sums, 1e-12);
    EXPECT_NEAR(c.pixel, 2.2 * sums, 1e-12);
    EXPECT_NEAR(c.tensorCycle, 3.7 * sums, 1e-12);
    EXPECT_NEAR(c.tensorRounded, 0.48 * sums, 1e-12);
    EXPECT_NEAR(c.tensorStart, 7.5, 1e-12);
    EXPECT_NEAR(c.tensorF32Start, 10.5, 1e-12);
    EXPECT_NEAR(c.tensorByWarps, 2.2, 1e-12);
    EXPECT_NEAR(c.summedCycle, 0.565 * sums, 1e-12);
    EXPECT_NEAR(c.summedStart, 0.6, 1e-12);
    EXPECT_NEAR(c.fftPoint, 9 * copy, 1e-12);
    EXPECT_NEAR(c.fftStart, 20, 1e-12);
    EXPECT_EQ(c.scale.multiprocessors, multiprocessors);
  };
  expect(1, 1, 132);
  expect(2, 5, 40);
}

TEST(CudaChoice, LeastSidesAreThoseThatWereMeasured) {
  for (const auto form : {cuda::TensorForm::Warpgroups, cuda::TensorForm::Warps}) {
    EXPECT_EQ(leastTensorSide(ElementType::U8, form), 1);
    EXPECT_EQ(leastTensorSide(ElementType::F16, form), 6);
    EXPECT_EQ(leastTensorSide(ElementType::F32, form), 7);
  }
  EXPECT_EQ(leastTensorSide(ElementType::U16), 5);
  EXPECT_EQ(leastTensorSide(ElementType::U16, cuda::TensorForm::Warps), 9);
}

/// Cycles of the layout that the bank gets; by warps all of it, the start too, times a doubt.
TEST(CudaCosts, OfTensorCoresAreCyclesAndAStart) {
  for (const auto form : {cuda::TensorForm::Warpgroups, cuda::TensorForm::Warps}) {
    CudaCosts costs = {
        .tensorCycle = 3, .tensorRounded = 40, .tensorStart = 7, .tensorF32Start = 11, .tensorByWarps = 5};
    costs.tensorUnits = {form, 2};
    const double doubt = form == cuda::TensorForm::Warps ? 5 : 1;
    const auto expect = [&](const char* problem, cuda::PartialProducts products, double rounding,
                            double start) {
      const ConvolutionProblem p = parseProblem(problem);
      const double pixels = static_cast<double>(p.height) * p.width * p.responseGroups();
      const CudaPath path =
          products == cuda::PartialProducts::Rounded ? CudaPath::TensorFp16 : CudaPath::Tensor;
      const double cycles = cuda::tensorCost(p, products, costs.tensorUnits);
      EXPECT_NEAR(optionBy(path, problem, costs, Precision::Fp16).microseconds,
                  doubt * (start + pixels * (3 * cycles + rounding) * 1e-6), 1e-9)
          << problem;
    };
    expect("c1h90w80-f5k9-reflect101-u8:f32-none", cuda::PartialProducts::Most, 0, 7);
    expect("c1h90w80-f5k9-reflect101-u8:u8-none", cuda::PartialProducts::Most, 40 * 5, 7);
    expect("c1h90w80-f5k9-reflect101-u16:u16-none", cuda::PartialProducts::Most, 40 * 5, 7);
    expect("c1h90w80-f5k9-reflect101-f32:f32-none", cuda::PartialProducts::Most, 0, 11);
    expect("c1h90w80-f5k9-reflect101-f32:f32-none", cuda::PartialProducts::Rounded, 0, 11);
    expect("c3h90w80-f5k9-reflect101-f16:f32-max-perplane", cuda::PartialProducts::Rounded, 0, 7);
  }
}

/// `cuda:multichannel` is predicted by its own engine's model; under Exact for channels that are not split.
TEST(CudaCosts, OfSummedChannelsAreThoseOfTheShapeThatTheyGet) {
  const CudaCosts costs = {.scale = {.sums = 3}};
  const auto expect = [&](const char* problem, Precision precision, int parts) {
    const ConvolutionProblem p = parseProblem(problem);
    const double seconds = cuda::predictedSeconds(cuda::chooseSummed(p, 1, parts), p);
    const double least = cuda::takesFewChannels(p, seconds) ? cuda::fewChannelsSeconds(p) : seconds;
    EXPECT_NEAR(optionBy(CudaPath::Multichannel, problem, costs, precision).microseconds, least * 1e6 * 3,
                1e-9)
        << problem;
    return cuda::takesFewChannels(p, seconds);
  };
  const char* split = "c128h32w32-f128k3-constant-f32:f32-none";
  EXPECT_FALSE(expect(split, Precision::Fp32, 0));
  EXPECT_FALSE(expect(split, Precision::Exact, 1));
  EXPECT_FALSE(expect(split, Precision::Fp16, 0));
  EXPECT_TRUE(expect("c3h1024w1024-f4k3-constant-f32:f32-none", Precision::Fp32, 0));
}

TEST(CudaCosts, OfSplitHalvesAreThousandsOfCycles) {
  const CudaCosts costs = {.launch = 5, .summedCycle = 3, .summedStart = 100};
  for (const char* problem :
       {"c64h32w48-f8k7-constant-u8:f32-none", "c64h32w48-f8k7-constant-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(problem);
    EXPECT_NEAR(optionBy(CudaPath::Fp16x3, problem, costs).microseconds,
                100 + 3 * cuda::tensorKilocycles(cuda::TensorMode::Fp16x3, p), 1e-9);
    EXPECT_NEAR(optionBy(CudaPath::Fp16, problem, costs, Precision::Fp16).microseconds,
                100 + 3 * cuda::tensorKilocycles(cuda::TensorMode::Fp16, p), 1e-9);
  }
}

/// Nothing is faster than a launch, nor than reading and writing.
TEST(CudaCosts, OfSeveralChannelsAreAtLeastThoseOfMemory) {
  const char* problem = "c64h32w48-f8k7-constant-u8:f32-none";
  EXPECT_NEAR(optionBy(CudaPath::Fp16x3, problem, {.launch = 5}).microseconds, 5, 1e-12);
  EXPECT_NEAR(optionBy(CudaPath::Fp16x3, problem, {.launch = 5, .byte = 2}).microseconds,
              5 + 32 * 48 * (64 + 8 * 4) * 2e-6, 1e-9);
  EXPECT_NEAR(optionBy(CudaPath::Multichannel, problem, {.byte = 1e6}).microseconds, 32 * 48 * (64 + 8 * 4),
              1e-3);
}

/// Planes that have their own responses fill a device together.
TEST(CudaCosts, OfPlanesAreThoseOfOneImageWithAsManyBlocks) {
  const CudaCosts costs = {.tap = 1, .response = 10};
  const double sums =
      optionBy(CudaPath::SingleChannel, "c3h64w256-f2k3-reflect101-f32:f32-none-perplane", costs)
          .microseconds;
  EXPECT_NEAR(sums, 3 * 64 * 256 * 1e-6 * 2 * (9 + 10) * 132 / (2 * 3 * 2), 1e-9);
}

TEST(CudaChoice, ExactSumsAreLeftToTensorCoresHoweverFewTheyAre) {
  const ConvolutionProblem p = parseProblem("c1h64w64-f1k3-reflect101-u16:f32-none");
  const FilterBank ones({}, {makeFilter("ones", 3, 3, std::vector<float>(9, 1.0f))});
  for (const Precision precision : {Precision::Fp32, Precision::Exact}) {
    for (const CudaOption& o : rankCudaPaths(p, correlationTaps(p, ones), precision, cudaCosts())) {
      if (o.path != CudaPath::Tensor) continue;
      EXPECT_EQ(o.why, "");
    }
  }
  const char* same = "c1h64w64-f1k3-reflect101-u16:f32-none";
  EXPECT_EQ(optionBy(CudaPath::Tensor, same, cudaCosts()).why, "few taps: FP32 sums err less");
  EXPECT_EQ(optionBy(CudaPath::Tensor, same, cudaCosts(), Precision::Exact).why, "not exact here");
  EXPECT_EQ(optionBy(CudaPath::Tensor, same, cudaCosts(), Precision::Fp16).why, "");
  EXPECT_EQ(optionBy(CudaPath::Tensor, "c1h64w64-f1k9x1-reflect101-u8:f32-none", cudaCosts()).why,
            "one column: most products would be by zero");
  EXPECT_EQ(optionBy(CudaPath::Tensor, "c1h64w64-f1k9x2-reflect101-u8:f32-none", cudaCosts()).why, "");
}

TEST(CudaChoice, HalvesAreForWhoAsksForThem) {
  const char* few = "c3h64w64-f2k3-reflect101-f32:f32-none";
  EXPECT_EQ(optionBy(CudaPath::Fp16x3, few, cudaCosts(), Precision::Fp16).why, "");
  EXPECT_EQ(optionBy(CudaPath::Fp16, few, cudaCosts(), Precision::Fp16).why, "");
  for (const Precision precision : {Precision::Fp32, Precision::Exact}) {
    EXPECT_EQ(optionBy(CudaPath::Fp16, few, cudaCosts(), precision).why, "precision fp16 alone");
    EXPECT_EQ(optionBy(CudaPath::Multichannel, few, cudaCosts(), precision).why, "");
    EXPECT_EQ(
        optionBy(CudaPath::TensorFp16, "c1h64w64-f2k9-reflect101-u8:f32-none", cudaCosts(), precision).why,
        "precision fp16 alone");
  }
  EXPECT_EQ(optionBy(CudaPath::Fp16x3, few, cudaCosts(), Precision::Exact).why, "not exact");
  EXPECT_EQ(optionBy(CudaPath::Fp16x3, few, cudaCosts()).why, "few taps: FP32 sums err less");
}

/// Those that may not be taken come last, in the order in which they are listed.
TEST(CudaChoice, RefusedPathsKeepTheirOrder) {
  std::vector<CudaPath> refused;
  for (const CudaOption& o : rankedBy("c3h64w64-f2k3-reflect101-f32:f32-none", cudaCosts(), Precision::Fp32))
    if (!o.why.empty()) refused.push_back(o.path);
  EXPECT_EQ(refused, (std::vector{CudaPath::SingleChannel, CudaPath::Tensor, CudaPath::TensorFp16,
                                  CudaPath::Fft, CudaPath::Fp16x3, CudaPath::Fp16}));
}

/// Sums over channels, too, are left only for what is clearly faster.
TEST(CudaCosts, SplitHalvesMustBeClearlyFasterThanMultiplyAdds) {
  const char* problem = "c64h32w48-f8k7-constant-u8:f32-none";
  const double sums = optionBy(CudaPath::Multichannel, problem, {}).microseconds;
  EXPECT_EQ(rankedBy(problem, {.summedStart = sums / 1.04}, Precision::Fp32).front().path,
            CudaPath::Multichannel);
  EXPECT_EQ(rankedBy(problem, {.summedStart = sums / 1.06}, Precision::Fp32).front().path, CudaPath::Fp16x3);
}

}  // namespace
}  // namespace bankside::planner
