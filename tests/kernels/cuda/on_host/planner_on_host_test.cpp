/// The planner with the engines that it picks from, on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"

namespace bankside {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* large = "c1h300w4000-f12k9-reflect101-u8:f32-none";

TEST(PlannerOnHost, SaysWhatItPickedAndWhy) {
  const ConvolutionProblem p = parseProblem(large);
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth);
  const Engine& engine = *engineOnHost("cuda");
  const PlanInfo plain = engine.prepare(p, bank, {})->info();
  EXPECT_EQ(plain.path, "cuda:tensor");
  EXPECT_THAT(plain.shape, StartsWith("tensor, "));
  EXPECT_THAT(plain.why, StartsWith("predicted "));
  EXPECT_THAT(plain.why, HasSubstr("single-channel: "));
  EXPECT_THAT(plain.why, HasSubstr("precision fp32"));
  EXPECT_EQ(toString(plain), plain.path + ", " + plain.shape + "; " + plain.why);
  const auto exact = engine.prepare(p, bank, {.precision = Precision::Exact});
  EXPECT_THAT(exact->info().path, Eq("cuda:single-channel"));
  EXPECT_THAT(exact->info().why, HasSubstr("tensor: not exact here"));
  EXPECT_THAT(exact->info().why, HasSubstr("precision exact"));
  EXPECT_EQ(exact->errorBound().factor,
            engineOnHost("cuda:single-channel")->prepare(p, bank, {})->errorBound().factor);
}

TEST(PlannerOnHost, ExactGivesTheBytesOfTheDirectOrderOnTensorCoresToo) {
  const ConvolutionProblem p = parseProblem("c1h40w4000-f12k9-reflect101-u8:f32-max");
  const FilterBank bank = integerBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
  ConvolutionProblem asLarge = p;
  asLarge.height = 4000;
  const Engine& engine = *engineOnHost("cuda");
  EXPECT_THAT(engine.prepare(asLarge, bank, {.precision = Precision::Exact})->info().path, Eq("cuda:tensor"));
  const Image image = randomImage(1, p.height, p.width, p.srcType, 3);
  EXPECT_TRUE(samePixels(runWhole(*engineOnHost("cuda:tensor"), p, bank, image)[0],
                         runWhole(*engineOnHost("cuda:single-channel"), p, bank, image)[0]));
}

/// Where `cuda:multichannel` by itself spreads the channels over blocks.
TEST(PlannerOnHost, ExactGivesTheBytesOfTheDirectOrderOverChannels) {
  const ConvolutionProblem p = parseProblem("c64h20w36-f9k3-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(p.filterCount, p.channels, 3, 3, 5);
  const Engine& several = *engineOnHost("cuda:multichannel");
  EXPECT_THAT(several.prepare(p, bank, {})->info().shape, HasSubstr("channels over "));
  const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 3);
  const auto direct = runWhole(*engineOnHost("cuda:multichannel-paper"), p, bank, image);
  for (const char* name : {"cuda", "cuda:multichannel"}) {
    const Engine& engine = *engineOnHost(name);
    const PlanOptions exact{.precision = Precision::Exact};
    EXPECT_THAT(engine.prepare(p, bank, exact)->info().shape, Not(HasSubstr("channels over ")));
    const auto got = runWhole(engine, p, bank, image, exact);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samePixels(got[i], direct[i])) << name;
  }
}

/// Taps further apart than halves can hold: the problem alone does not show it.
TEST(PlannerOnHost, GoesOnWhereABankIsRefused) {
  const ConvolutionProblem p = parseProblem(large);
  std::vector<Filter> filters = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth).filters();
  filters[0].taps[0] = std::numeric_limits<float>::max();
  filters[0].taps[1] = std::numeric_limits<float>::min();
  const PlanInfo plan = engineOnHost("cuda")->prepare(p, {{}, filters}, {})->info();
  EXPECT_EQ(plan.path, "cuda:single-channel");
  EXPECT_THAT(plan.why, HasSubstr("tensor: "));
}

TEST(PlannerOnHost, TakesRoundedProductsOnlyWhenAskedTo) {
  const ConvolutionProblem p = parseProblem("c32h256w256-f64k7-constant-f32:f32-none");
  const FilterBank bank = randomBank(64, 32, 7, 7);
  const Engine& engine = *engineOnHost("cuda");
  EXPECT_THAT(engine.prepare(p, bank, {.precision = Precision::Exact})->info().path, Eq("cuda:multichannel"));
  EXPECT_THAT(engine.prepare(p, bank, {})->info().path, Eq("cuda:multichannel-fp16x3"));
  EXPECT_THAT(engine.prepare(p, bank, {.precision = Precision::Fp16})->info().path,
              Eq("cuda:multichannel-fp16"));
  const ConvolutionProblem one = parseProblem("c1h300w4000-f12k15-reflect101-f32:f32-none");
  const FilterBank oneBank = randomBank(12, 1, 15, 15);
  EXPECT_THAT(engine.prepare(one, oneBank, {})->info().path, Eq("cuda:tensor"));
  EXPECT_THAT(engine.prepare(one, oneBank, {.precision = Precision::Fp16})->info().path,
              Eq("cuda:tensor-fp16"));
}

}  // namespace
}  // namespace bankside
