/// On the GPU: sums of split halves against exact ones and against serial f32 sums on the same data.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/text.h"
#include "kernels/engines.h"
#include "kernels/planner/cuda_choice.h"
#include "tests/kernels/cuda/gpu.h"
#include "tests/kernels/cuda/sum_error.h"

namespace bankside::cuda {
namespace {

/// The largest error of `cuda:multichannel-fp16x3` over that of serial f32 sums, over signs of taps and
/// seeds.
double worstRatio(const ConvolutionProblem& p, PixelRange range) {
  const Engine& split = *findEngine("cuda:multichannel-fp16x3");
  const Engine& fma = *findEngine("cuda:multichannel");
  const bool dim = range == PixelRange::Dim;
  double most = 0;
  for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
    for (std::uint64_t seed = 3; seed < 6; ++seed) {
      const FilterBank bank = bankOfSigns(p, signs, seed);
      const Image image = imageOfRange(p, range, seed + 100);
      const double serial = worstError(fma, p, bank, image, !dim, {.precision = Precision::Exact});
      most = std::max(most, worstError(split, p, bank, image, !dim) / serial);
    }
  }
  return most;
}

/// Every cell is recorded; where split halves may do for f32 sums, the error is no larger than theirs.
TEST(MultichannelAccuracy, IsNoWorseThanSerialF32WhereThePlannerWouldTakeIt) {
  BANKSIDE_NEEDS_GPU();
  if (const Support available = findEngine("cuda:multichannel-fp16x3")->available(); !available)
    GTEST_SKIP() << available.reason;
  int taken = 0;
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    for (const auto& [size, channels] :
         {std::pair{1, 64}, {1, 320}, {1, 1024}, {2, 80},  {2, 192}, {3, 16}, {3, 36}, {3, 64},
          {3, 96},          {3, 128}, {3, 192},  {3, 256}, {5, 13},  {5, 32}, {5, 64}, {5, 128},
          {7, 7},           {7, 17},  {7, 64},   {11, 8},  {15, 2},  {15, 16}}) {
      const ConvolutionProblem p = parseProblem("c" + std::to_string(channels) + "h96w128-f64k" +
                                                std::to_string(size) + "-reflect101-" + type + ":f32-none");
      const FilterBank bank = bankOfSigns(p, TapSigns::Both, 3);
      const bool takes = planner::splitHalvesMayDo(p, correlationTaps(p, bank));
      for (const PixelRange range : {PixelRange::Even, PixelRange::Dim}) {
        const bool dim = range == PixelRange::Dim;
        if (dim && p.srcType != ElementType::F32) continue;
        const double ratio = worstRatio(p, range);
        RecordProperty(std::string(type) + (dim ? "_dim" : "") + "_k" + std::to_string(size) + "_c" +
                           std::to_string(channels) + (takes ? "_taken" : ""),
                       formatNumber(ratio));
        if (!takes) continue;
        ++taken;
        EXPECT_LE(ratio, 1.0) << format(p) << (dim ? ", dim" : "");
      }
    }
  }
  EXPECT_GT(taken, 10);
}

}  // namespace
}  // namespace bankside::cuda
