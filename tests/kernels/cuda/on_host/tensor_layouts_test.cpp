/// Every layout that a tuner may choose is right, not only the one that the rule takes.
#include <gtest/gtest.h>

#include "core/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/band_plan.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

class TensorLayouts : public ::testing::TestWithParam<const char*> {};

TEST_P(TensorLayouts, AreRight) {
  on_host::setSeed(0);
  on_host::setMultiprocessors(132);
  const ConvolutionProblem p = parseProblem(GetParam());
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
  const CorrelationTaps taps = correlationTaps(p, bank);
  int looked = 0;
  for (const cuda::TensorChoice& choice : cuda::tensorChoices(p)) {
    if (choice.rowStep > 5) continue;
    auto own = std::make_unique<cuda::TensorBank>(p, taps, choice);
    const ErrorBound bound = own->errorBound();
    const auto plan = cuda::makeBandPlan(p, taps.anchorY, std::move(own), {});
    const std::vector<Image> results = runWhole(*plan, p, image);
    ImageSource source(image);
    const Verification v = verify(p, bank, source, wholeImage(p), results, bound);
    EXPECT_TRUE(v.passed) << GetParam() << ", " << choice.shifts << " x " << choice.rowStep << ", "
                          << choice.tapColumns << " columns";
    ++looked;
  }
  EXPECT_GE(looked, 6);
}

// Odd and even numbers of instructions, several blocks of taps and several passes, results beside the image.
INSTANTIATE_TEST_SUITE_P(
    Banks, TensorLayouts,
    ::testing::Values("c1h21w600-f5k11-reflect101-u8:f32-none", "c1h21w600-f12k7x6-constant=3-u8:f32-none",
                      "c1h21w600-f9k3-replicate-f16:f32-none", "c1h21w600-f5k11-reflect101-u8:f32-max",
                      "c1h13w300-f6k9-wrap-f32:f32-none", "c1h13w300-f3k17-reflect101-u16:u16-none",
                      "c1h13w300-f7k5-reflect101-u8:f32-argmax", "c1h13w301-f1k1x9-replicate-u8:f32-absmax"));

}  // namespace
}  // namespace bankside
