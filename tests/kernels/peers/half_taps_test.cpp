/// Banks in half precision, without a GPU.
#include "kernels/peers/half_taps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/made_input.h"
#include "kernels/engines.h"

namespace bankside::cuda {
namespace {

TEST(HalfTaps, KeepElevenBitsAndNeverOverflow) {
  ConvolutionProblem p = parseProblem("c16h9w9-f5k7-constant-f32:f32-none");
  const FilterBank bank = randomBank(5, 16, 7, 7, 3);
  for (const float size : {1e-30f, 1e-3f, 1.0f, 3000.0f, 1e20f}) {
    std::vector<float> taps = correlationTaps(p, bank).taps;
    for (float& tap : taps) tap *= size;
    const HalfTaps half = halfTaps(p, taps, false);
    double sum = 0;
    for (std::size_t i = 0; i < taps.size(); ++i) {
      const double kept = static_cast<double>(toFloat(half.taps[i])) * half.alpha * half.back;
      EXPECT_NEAR(kept, taps[i], 0x1p-11 * std::fabs(taps[i]) + 0x1p-25 * half.alpha * half.back);
      sum += std::fabs(toFloat(half.taps[i]));
      if ((i + 1) % (16 * 49) == 0) {
        EXPECT_LE(sum * half.alpha, 1.0) << "a response is no larger than the largest pixel";
        EXPECT_GT(sum * half.alpha, 1.0 / 16);
        sum = 0;
      }
    }
  }
}

TEST(HalfTaps, GoWithTheChannelsLast) {
  const ConvolutionProblem p = parseProblem("c3h9w9-f2k2x3-constant-f32:f32-none");
  std::vector<float> taps(2 * 3 * 6);
  for (std::size_t i = 0; i < taps.size(); ++i) taps[i] = static_cast<float>(i);
  const HalfTaps planes = halfTaps(p, taps, false);
  const HalfTaps last = halfTaps(p, taps, true);
  const auto value = [](const HalfTaps& h, std::size_t i) { return toFloat(h.taps[i]) * h.alpha * h.back; };
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t t = 0; t < 6; ++t) {
        EXPECT_EQ(value(planes, (f * 3 + c) * 6 + t), taps[(f * 3 + c) * 6 + t]);
        EXPECT_EQ(value(last, (f * 6 + t) * 3 + c), taps[(f * 3 + c) * 6 + t]);
      }
  EXPECT_EQ(halfTaps(p, std::vector<float>(36), false).taps[0], toHalf(0.0f));
}

TEST(GpuPeers, RefuseWithASentence) {
  const auto reason = [](const char* engine, const char* problem) {
    return findEngine(engine)->supports(parseProblem(problem)).reason;
  };
  EXPECT_EQ(reason("cudnn:fp16", "c8h9w9-f2k3-constant-u16:f32-none"),
            "half precision does not hold the pixels of a u16 image");
  EXPECT_EQ(reason("cudnn:fp16", "c8h9w9-f2k3-constant-f32:f32-none"), "");
  EXPECT_NE(reason("cudnn:fp16", "c8h9w9-f2k3-wrap-f32:f32-none"), "");
  EXPECT_EQ(reason("cublas:im2col", "c8h9w9-f2k4x2-reflect-u8:f32-none"), "");
  EXPECT_NE(reason("cublas:im2col", "c8h9w9-f2k3-reflect-f32:u8-none"), "");
}

}  // namespace
}  // namespace bankside::cuda
