/// Every shape of the single-channel kernels that a tuner may choose is right, not only the rules' own.
#include <gtest/gtest.h>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

class VariantsOnHost : public ::testing::TestWithParam<const char*> {};

TEST_P(VariantsOnHost, AreRight) {
  on_host::setSeed(0);
  const ConvolutionProblem p = parseProblem(GetParam());
  const FilterBank bank =
      withAnchor(randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3), p.anchorX, p.anchorY);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
  const CorrelationTaps taps = correlationTaps(p, bank);
  std::vector<Image> first;
  bool wide = false;
  for (const int variant : cuda::fittingVariants(p, taps.anchorX, taps.anchorY)) {
    const cuda::Variant& v = cuda::variants()[static_cast<std::size_t>(variant)];
    if (v.paper()) continue;
    wide = wide || v.name == "any-size-wide";
    cuda::PlanTuning tuning;
    tuning.choice.variant = variant;
    const auto plan = cuda::makeSingleChannelPlan(p, bank, {}, tuning);
    std::vector<Image> results = runWhole(*plan, p, image);
    ImageSource source(image);
    EXPECT_TRUE(verify(p, bank, source, wholeImage(p), results, plan->errorBound()).passed) << v.name;
    // One order of sums: every shape has the same bytes.
    if (first.empty())
      first = std::move(results);
    else
      EXPECT_EQ(difference(first, results).maxAbsError, 0) << v.name;
  }
  EXPECT_EQ(wide, p.combine != Combine::ArgMax);
}

// Of the kernel of any size the last block's second unit lies outside the image, is cut, or is whole. Of the
// register form warps lie at one edge of the image, at both and at none, rows in fours or not.
INSTANTIATE_TEST_SUITE_P(
    Problems, VariantsOnHost,
    ::testing::Values("c1h37w300-f3k1-reflect101-f32:f32-none", "c1h37w300-f3k3-replicate-u8:f32-none",
                      "c1h37w300-f2k7-wrap-f32:f32-none", "c1h70w300-f3k4x6-reflect101-f32:f32-none",
                      "c1h70w300-f3k5x2-constant=2-u8:f32-max", "c1h70w300-f3k2x21-reflect101-f32:f32-absmax",
                      "c1h70w530-f2k17x16-reflect-u16:u16-none", "c1h70w300-f2k21-reflect101-f32:f32-argmax",
                      "c1h37w401-f3k4x6-reflect101-u16:u16-none", "c1h37w390-f3k8-wrap-f32:f32-max",
                      "c1h3w512-f2k1x9-reflect101-f32:f32-none", "c1h37w385-f1k33x3-replicate-u8:u8-none",
                      "c1h37w300-f2k9-wrap-f32:f32-none", "c1h12w8-f2k9-reflect101-u8:f32-max",
                      "c1h10w4-f2k9-reflect-f32:f32-none", "c1h30w132-f3k9-constant=2-f32:f32-absmax",
                      "c1h11w136-f1k9-reflect101-f32:f32-none", "c1h40w264-f1k7-replicate-u8:f32-none",
                      "c1h60w300-f1k11-wrap-f32:f32-none", "c1h30w133-f1k11-constant=2-u8:u8-none",
                      "c1h64w520-f1k11-reflect101-u16:f32-none", "c1h50w390-f1k5-reflect-f16:f32-none",
                      "c1h50w386-f1k3-constant=-1-u16:f32-none", "c1h9w8-f1k9-wrap-f32:f32-none",
                      "c1h30w388-f2k9-replicate-f32:f32-argmax", "c1h30w300-f2k7-reflect-u8:f32-argmax"),
    testing::byItsText);

}  // namespace
}  // namespace bankside
