/// The planner with the engines that it picks from, on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/device_rates.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/planner/cuda_choice.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

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
  try {
    engineOnHost("cuda:tensor")->prepare(p, {{}, filters}, {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(plan.why, HasSubstr(std::string("(tensor: ") + error.what()));
  }
}

/// In the words of the engine that would have been the fastest.
TEST(PlannerOnHost, SaysWhyTheFastestIsOut) {
  const FilterBank bank = randomBank(12, 1, 9, 9);
  const Engine& tensor = *engineOnHost("cuda:tensor");
  const ConvolutionProblem bordered = parseProblem("c1h300w4000-f12k9-constant=1e30-u8:f32-none");
  const PlanInfo plan = engineOnHost("cuda")->prepare(bordered, bank, {})->info();
  EXPECT_NE(plan.path, "cuda:tensor");
  EXPECT_THAT(plan.why, HasSubstr("(tensor: " + tensor.supports(bordered).reason + ", "));
  on_host::setDevice(on_host::madeDevices[1]);  // before tensor cores of that kind
  const PlanInfo old = engineOnHost("cuda")->prepare(parseProblem(large), bank, {})->info();
  EXPECT_NE(old.path, "cuda:tensor");
  EXPECT_THAT(old.why, HasSubstr("(tensor: " + tensor.available().reason + ", "));
  on_host::setDevice({});
}

TEST(PlannerOnHost, SaysWhyNoneTakesIt) {
  const auto& engine = *dynamic_cast<const DeviceEngine*>(engineOnHost("cuda"));
  try {
    engine.prepareBatch(parseProblem("c1h64w64-f4k9-reflect101-u8:f32-none"), randomBank(4, 1, 9, 9), 2);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    const std::string sentence = error.what();
    EXPECT_THAT(sentence, StartsWith("engine cuda: cuda:"));
    for (const char* path : {"single-channel", "tensor", "fft"})
      EXPECT_THAT(sentence, HasSubstr(std::string("cuda:") + path + ": engine cuda:" + path +
                                      ": it starts every image on its own"));
    EXPECT_THAT(sentence, HasSubstr("; cuda:multichannel: several channels"));
    EXPECT_THAT(sentence, Not(HasSubstr("; ;")));
  }
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

std::string timeText(double microseconds) {
  char text[32];
  std::snprintf(text, sizeof text, microseconds < 10 ? "%.1f us" : "%.0f us", microseconds);
  return text;
}

/// What the planner should say of a problem, put together from the model.
PlanInfo expectedInfo(const ConvolutionProblem& p, const FilterBank& bank, Precision precision) {
  using namespace planner;
  const cuda::DeviceRates& here = cuda::deviceRates();
  const cuda::DeviceRates measured;
  CudaCosts costs = cudaCosts({measured.rates.copyBytes / here.rates.copyBytes,
                               measured.rates.multiplyAdds / here.rates.multiplyAdds, here.multiprocessors});
  costs.tensorUnits = cuda::tensorUnits();
  std::vector<CudaOption> options = rankCudaPaths(p, correlationTaps(p, bank), precision, costs);
  const CudaOption taken = options.front();
  std::string others;
  for (const CudaOption& o : options) {
    if (o.path == taken.path) continue;
    others += (others.empty() ? "" : ", ") + std::string(engineName(o.path)).substr(5) + ": " +
              (o.why.empty() ? timeText(o.microseconds) : o.why);
  }
  const PlanInfo own =
      engineOnHost(engineName(taken.path))->prepare(p, bank, {.precision = precision})->info();
  return {engineName(taken.path), own.shape,
          "predicted " + timeText(taken.microseconds) + " (" + others + ") by the rates of " + here.device +
              ", precision " + toString(precision) + (own.why.empty() ? "" : "; " + own.why)};
}

TEST(PlannerOnHost, TellsWhatItPredictsForEveryPath) {
  for (const char* text :
       {"c1h300w4000-f12k9-reflect101-u8:f32-none", "c64h20w36-f9k3-reflect101-f32:f32-none",
        "c1h1000w1800-f1k3-reflect101-u8:u8-none", "c1h1000w1950-f1k3-reflect101-u8:u8-none",
        "c1h1000w2150-f1k3-reflect101-u8:u8-none", "c1h1000w2300-f1k3-reflect101-u8:u8-none",
        "c1h100w100-f2k33-reflect101-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth);
    for (const Precision precision : allPrecisions)
      EXPECT_EQ(engineOnHost("cuda")->prepare(p, bank, {.precision = precision})->info(),
                expectedInfo(p, bank, precision))
          << text;
  }
}

/// On a device of another kind: its own rates, and tensor cores of its own form.
TEST(PlannerOnHost, PredictsForTheDeviceThatIsHere) {
  const ConvolutionProblem p = parseProblem(large);
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth);
  on_host::setDevice({.capability = 80, .multiprocessors = 108, .sharedBytes = 163 * 1024});
  EXPECT_EQ(engineOnHost("cuda")->prepare(p, bank, {})->info(), expectedInfo(p, bank, Precision::Fp32));
  on_host::setDevice({});
}

TEST(PlannerOnHost, SaysWhatItIs) {
  const Engine& engine = *engineOnHost("cuda");
  EXPECT_EQ(
      engine.description(),
      "picks cuda:single-channel, cuda:tensor, cuda:fft, cuda:multichannel or cuda:multichannel-fp16x3, with "
      "precision fp16 those of half precision too; " +
          engineOnHost("cuda:single-channel")->description());
  EXPECT_EQ(engine.kind().role, EngineKind::Role::Planner);
}

TEST(PlannerOnHost, TakesWhatOneOfItsEnginesTakes) {
  const Engine& engine = *engineOnHost("cuda");
  EXPECT_TRUE(engine.supports(parseProblem("c1h9w9-f1k33-reflect101-f32:f32-none")));
  EXPECT_TRUE(engine.supports(parseProblem("c3h9w9-f1k15-reflect101-f32:f32-none")));
  const ConvolutionProblem tooLarge = parseProblem("c3h9w9-f1k17-reflect101-f32:f32-none");
  const std::string refusal = engineOnHost("cuda:multichannel")->supports(tooLarge).reason;
  EXPECT_EQ(engine.supports(tooLarge).reason, refusal);
  on_host::setDevice({.count = 0});
  const std::string none = engineOnHost("cuda:multichannel")->available().reason;
  EXPECT_NE(none, refusal);
  EXPECT_EQ(engine.supports(tooLarge).reason, none) << "a smaller filter would not help who has no device";
  const ConvolutionProblem small = parseProblem("c1h9w9-f1k3-reflect101-f32:f32-none");
  try {
    engine.prepare(small, randomBank(1, 1, 3, 3), {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "engine cuda: " + engine.available().reason);
  }
  on_host::setDevice({});
}

TEST(PlannerOnHost, APassIsOneImagesAndSaysWhoseItIs) {
  const ConvolutionProblem p = parseProblem("c1h64w64-f1k3-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(1, 1, 3, 3);
  const auto pass = dynamic_cast<const DeviceEngine*>(engineOnHost("cuda"))->preparePass(p, bank);
  const auto own =
      dynamic_cast<const DeviceEngine*>(engineOnHost("cuda:single-channel"))->preparePass(p, bank);
  EXPECT_EQ(pass->variant(), "cuda:single-channel, " + own->variant());
  EXPECT_EQ(pass->images(), 1);
  EXPECT_EQ(pass->resultBytes(), own->resultBytes());
  const Image image = randomImage(1, p.height, p.width, p.srcType, 3);
  ASSERT_EQ(pass->resultBytes(), sizeof(float) * 64 * 64);
  Image results[2];
  for (Image& result : results) {
    result = Image(1, p.height, p.width, ElementType::F32);
    std::fill_n(result.view<float>(0).row(0), 64 * 64, -1.0f);
    (&result == results ? *pass : *own).start(image.plane(0).row(0), result.plane(0).row(0), nullptr);
  }
  EXPECT_TRUE(samePixels(results[0], results[1]));
  EXPECT_NE(results[0].view<float>(0).row(0)[0], -1);
}

}  // namespace
}  // namespace bankside
