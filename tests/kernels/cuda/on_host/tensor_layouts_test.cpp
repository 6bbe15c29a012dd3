/// Every layout that a tuner may choose is right, not only the one that the rule takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/band_plan.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "tests/kernels/cuda/heavy_sums.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/tensor/print_products.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

void setPixel(Image& image, int y, int x, int value) {
  if (image.type() == ElementType::U16)
    image.view<std::uint16_t>(0).row(y)[x] = static_cast<std::uint16_t>(value);
  else
    image.view<float>(0).row(y)[x] = static_cast<float>(value);
}

using ::testing::HasSubstr;
using ::testing::Not;

/// `wgmma`, and `mma.sync` with an A100's shared memory and with an RTX 3090's.
constexpr on_host::FakeDevice tensorDevices[] = {{}, {80, 108, 163 * 1024}, {86, 82, 99 * 1024}};

class TensorLayouts : public ::testing::TestWithParam<std::tuple<const char*, cuda::PartialProducts, int>> {
 protected:
  void TearDown() override {
    on_host::setCutSums(false);
    on_host::setDevice({});
  }
};

TEST_P(TensorLayouts, AreRight) {
  const auto& [text, products, capability] = GetParam();
  on_host::setSeed(0);
  on_host::setCutSums(true);
  for (const on_host::FakeDevice& device : tensorDevices)
    if (device.capability == capability) on_host::setDevice(device);
  const cuda::TensorForm form = cuda::tensorUnits().form;
  ASSERT_EQ(form, capability == 90 ? cuda::TensorForm::Warpgroups : cuda::TensorForm::Warps);
  const ConvolutionProblem p = parseProblem(text);
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
  const CorrelationTaps taps = correlationTaps(p, bank);
  int looked = 0;
  for (const cuda::TensorChoice& choice : cuda::tensorChoices(p, products, form)) {
    // By warps a multiple of the work, and fewer kernels to be right.
    if (choice.rowStep > (form == cuda::TensorForm::Warps ? 2 : 5)) continue;
    auto own = std::make_unique<cuda::TensorBank>(p, taps, products, choice);
    const ErrorBound bound = own->errorBound();
    const auto plan = cuda::makeBandPlan(p, taps.anchorY, std::move(own), {});
    const std::vector<Image> results = runWhole(*plan, p, image);
    ImageSource source(image);
    const Verification v = verify(p, bank, source, wholeImage(p), results, bound);
    EXPECT_TRUE(v.passed) << text << ", " << choice.shifts << " x " << choice.rowStep << ", "
                          << choice.tapColumns << " columns";
    ++looked;
  }
  EXPECT_GE(looked, form == cuda::TensorForm::Warps ? 2 : 6);
}

// Odd and even numbers of instructions, several blocks of taps and several passes, results beside the image.
INSTANTIATE_TEST_SUITE_P(
    Banks, TensorLayouts,
    ::testing::Combine(
        ::testing::Values("c1h21w300-f5k11-reflect101-u8:f32-none",
                          "c1h21w300-f12k7x6-constant=3-u8:f32-none", "c1h21w600-f9k3-replicate-f16:f32-none",
                          "c1h21w300-f5k11-reflect101-u8:f32-max", "c1h13w300-f6k9-wrap-f32:f32-none",
                          "c1h13w300-f3k17-reflect101-u16:u16-none",
                          "c1h13w300-f7k5-reflect101-u8:f32-argmax", "c1h13w300-f8k7-wrap-u16:f32-argmax",
                          "c1h13w301-f1k1x9-replicate-u8:f32-absmax",
                          "c1h21w300-f3k3x31-reflect101-f32:f32-max",
                          "c1h40w300-f1k31x1-replicate-u16:f32-none"),
        ::testing::Values(cuda::PartialProducts::Most, cuda::PartialProducts::Rounded),
        ::testing::Values(90, 80, 86)),
    [](const auto& one) {
      return testing::asTestName(std::get<0>(one.param)) + "_" +
             ::testing::PrintToString(std::get<1>(one.param)) + "_" + std::to_string(std::get<2>(one.param));
    });

class TensorExactness : public ::testing::TestWithParam<on_host::FakeDevice> {
 protected:
  void SetUp() override {
    on_host::setSeed(0);
    on_host::setCutSums(true);
    on_host::setDevice(GetParam());
  }
  void TearDown() override {
    on_host::setCutSums(false);
    on_host::setDevice({});
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, TensorExactness, ::testing::ValuesIn(tensorDevices),
                         [](const auto& device) {
                           return "capability" + std::to_string(device.param.capability);
                         });

/// Integer taps whose second halves are not zero, on integers whose second parts are not: nothing is left
/// out.
TEST_P(TensorExactness, KeepsEveryProductOfLargeIntegers) {
  int apart = 0;
  int together = 0;
  for (const char* text :
       {"c1h13w200-f8k9-replicate-u16:f32-none", "c1h13w200-f5k7-replicate-u16:f32-none",
        "c1h13w200-f3k3x31-replicate-f32:f32-none", "c1h13w200-f12k16-replicate-u16:f32-none",
        "c1h13w200-f2k21-replicate-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    FilterBank bank = integerBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
    std::vector<Filter> filters = bank.filters();
    for (Filter& filter : filters) {
      for (float& tap : filter.taps) tap = std::fabs(tap) > 3 ? std::copysign(1.0f, tap) : 0.0f;
      filter.taps[filter.taps.size() / 2] = 2051;
    }
    bank = FilterBank({.name = "large"}, std::move(filters));
    Image image(1, p.height, p.width, p.srcType);
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x) setPixel(image, y, x, 2049 + (7 * x + 31 * y) % 4000);
    ASSERT_EQ(cuda::productsFor(p, correlationTaps(p, bank).taps), cuda::PartialProducts::Every);
    const cuda::TensorForm form = cuda::tensorUnits().form;
    const bool isApart =
        cuda::tensorLayout(p, cuda::PartialProducts::Every, {}, form).halves == cuda::TapParts::Apart;
    (isApart ? apart : together) += 1;
    ImageSource source(image);
    const std::vector<Image> results = runWhole(*engineOnHost("cuda:tensor"), p, bank, image);
    EXPECT_EQ(verify(p, bank, source, wholeImage(p), results, {0, true}).failed, 0) << text;
  }
  EXPECT_EQ(apart > 0, GetParam().capability == 90);
  EXPECT_GE(together, 1);
}

TEST(TensorEngines, SayWhatTheyRound) {
  const ConvolutionProblem p = parseProblem("c1h13w200-f2k7-wrap-u8:f32-none");
  const FilterBank bank = randomBank(2, 1, 7, 7, 5);
  const auto whole = engineOnHost("cuda:tensor")->prepare(p, bank, {});
  const auto rounded = engineOnHost("cuda:tensor-fp16")->prepare(p, bank, {});
  EXPECT_THAT(whole->info().shape, Not(HasSubstr("half")));
  EXPECT_THAT(rounded->info().shape, HasSubstr("rounded to halves"));
  EXPECT_LT(whole->errorBound().factor, 0x1p-16);
  EXPECT_THAT(engineOnHost("cuda:tensor")->description(), Not(HasSubstr("mma.sync")));
  EXPECT_GT(rounded->errorBound().factor, 0x1p-11);
  // A constant border of u16 that two halves hold and one does not.
  const ConvolutionProblem dark = parseProblem("c1h9w9-f1k3-constant=5.9604644775390625e-08-u16:f32-none");
  EXPECT_TRUE(engineOnHost("cuda:tensor")->supports(dark));
  EXPECT_FALSE(engineOnHost("cuda:tensor-fp16")->supports(dark));
  EXPECT_TRUE(
      engineOnHost("cuda:tensor-fp16")->supports(parseProblem("c1h9w9-f1k3-constant=7-u16:f32-none")));
}

/// Taps of one half on u8 pixels, sums just below 2^24: every layout gives the exact ones, however long its
/// sums are.
TEST_P(TensorExactness, MultipliesHighHalvesAloneWithoutLoss) {
  for (const char* text : {"c1h13w200-f5k31-replicate-u8:f32-none", "c1h13w200-f3k11-wrap-u8:f32-argmax",
                           "c1h13w200-f12k15-constant=255-u8:f32-max"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = heavyBank(p);
    const CorrelationTaps correlation = correlationTaps(p, bank);
    ASSERT_EQ(cuda::productsFor(p, correlation.taps), cuda::PartialProducts::Exact) << text;
    const Image image = brightImage(p);
    ImageSource source(image);
    for (const cuda::TensorChoice& choice :
         cuda::tensorChoices(p, cuda::PartialProducts::Exact, cuda::tensorUnits().form)) {
      if (choice.rowStep > 4) continue;
      const auto plan = cuda::makeBandPlan(
          p, correlation.anchorY,
          std::make_unique<cuda::TensorBank>(p, correlation, cuda::PartialProducts::Exact, choice), {});
      EXPECT_EQ(plan->errorBound().factor, 0);
      EXPECT_EQ(verify(p, bank, source, wholeImage(p), runWhole(*plan, p, image), {0, true}).failed, 0)
          << text << ", " << choice.shifts << " x " << choice.rowStep << ", " << choice.tapColumns;
    }
    for (const char* name : {"cuda:tensor", "cuda:tensor-fp16"}) {
      const auto plan = engineOnHost(name)->prepare(p, bank, {});
      EXPECT_THAT(plan->info().shape, HasSubstr("taps of one half")) << name;
      EXPECT_EQ(plan->errorBound().factor, 0) << name;
      EXPECT_EQ(verify(p, bank, source, wholeImage(p), runWhole(*plan, p, image), {0, true}).failed, 0)
          << text << ", " << name;
    }
  }
}

}  // namespace
}  // namespace bankside
