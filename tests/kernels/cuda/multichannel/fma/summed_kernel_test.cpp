/// Every compiled multichannel shape and split gives the reference's answers; unsplit ones the direct order's
/// bytes.
#include <gtest/gtest.h>

#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside::cuda {
namespace {

class PinnedEngine final : public Engine {
 public:
  explicit PinnedEngine(const SummedChoice& choice, double bandBytes = defaultBandBytes)
      : choice_(choice), bandBytes_(bandBytes) {}
  std::string name() const override { return "cuda:multichannel"; }
  std::string device() const override { return "GPU"; }
  std::string description() const override { return describe(choice_); }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    const CorrelationTaps taps = correlationTaps(problem, bank);
    return makeBandPlan(problem, taps.anchorY, std::make_unique<SummedBank>(problem, taps, choice_), options,
                        bandBytes_);
  }

 private:
  SummedChoice choice_;
  double bandBytes_;
};

void expectRight(const std::string& text, MadePixels pixels, int& checked) {
  const ConvolutionProblem p = parseProblem(text);
  for (SummedChoice choice : fittingSummedChoices(p)) {
    for (const bool shared : {false, true}) {
      if (choice.parts > 1 && shared) continue;
      choice.sumsShared = shared;
      const auto result = checkConformance(PinnedEngine(choice), *findEngine("reference"), p, pixels);
      EXPECT_TRUE(result.passed) << describe(choice) << ": " << result.sentence;
      ++checked;
    }
  }
}

TEST(SummedKernel, IsExactOnIntegersForEverySizeAndBorder) {
  BANKSIDE_NEEDS_GPU();
  int checked = 0;
  const char* const borders[] = {"constant=-3.5", "replicate", "reflect", "reflect101", "wrap"};
  const char* const images[] = {"c5h37w53-f3", "c17h9w70-f35", "c9h33w33-f9", "c2h5w7-f66"};
  for (int side = 1; side <= 15; ++side) {
    for (int i = 0; i < 4; ++i) {
      expectRight(std::string(images[i]) + "k" + std::to_string(side) + "-" + borders[(side + i) % 5] +
                      "-f32:f32-none",
                  MadePixels::Integers, checked);
    }
  }
  for (const char* border : borders) {
    for (const char* filter : {"k3", "k7a0x6", "k3x5a2x0", "k4a3x3", "k1x6", "k15x2"})
      expectRight("c12h21w45-f10" + std::string(filter) + "-" + border + "-f32:f32-none",
                  MadePixels::Integers, checked);
  }
  EXPECT_GT(checked, 500);
}

TEST(SummedKernel, TakesEveryTypeAndCombine) {
  BANKSIDE_NEEDS_GPU();
  int checked = 0;
  for (const char* types :
       {"u8:u8", "u8:f32", "u16:u16", "u16:f32", "f16:f16", "f16:f32", "f32:u8", "f32:f16"}) {
    for (const char* combine : {"none", "max", "absmax", "argmax", "mean", "sum", "magnitude"}) {
      const std::string rest = std::string("-reflect-") + types + "-" + combine;
      expectRight("c6h19w41-f11k3" + rest, MadePixels::Integers, checked);
      expectRight("c6h19w41-f11k5" + rest, MadePixels::Random, checked);
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(SummedKernel, KeepsNonFinitePixelsWhereTheyBelong) {
  BANKSIDE_NEEDS_GPU();
  int checked = 0;
  for (const char* text : {"c8h40w40-f6k3-wrap-f32:f32-none", "c8h40w40-f40k5-reflect-f16:f32-none",
                           "c3h40w40-f6k9-constant-f32:f32-max"})
    expectRight(text, MadePixels::NonFinite, checked);
  EXPECT_GT(checked, 10);
}

TEST(SummedKernel, UnsplitGivesTheBytesOfTheDirectOrder) {
  BANKSIDE_NEEDS_GPU();
  const Engine& cpu = *findEngine("cpu:direct");
  for (const char* filter : {"k1", "k3", "k4", "k5", "k7", "k9x2", "k11", "k15"}) {
    const ConvolutionProblem p =
        parseProblem("c7h43w69-f37" + std::string(filter) + "-reflect101-f32:f32-none");
    const FilterBank bank = randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 3);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 4);
    const auto expected = runWhole(cpu, p, bank, image);
    for (const SummedChoice& choice : fittingSummedChoices(p)) {
      if (choice.parts > 1) continue;
      const auto got = runWhole(PinnedEngine(choice), p, bank, image);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(samePixels(got[i], expected[i]))
            << describe(choice) << " on " << format(p) << ": " << difference(got, expected).place();
    }
  }
}

/// Sums round alike however an image is cut into bands, split or not.
TEST(SummedKernel, GivesTheSameBytesForAnyBandHeight) {
  BANKSIDE_NEEDS_GPU();
  const ConvolutionProblem p = parseProblem("c24h61w77-f19k5-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(p.filterCount, p.channels, 5, 5, 3);
  const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 4);
  for (const SummedChoice& choice : fittingSummedChoices(p)) {
    const auto whole = runWhole(PinnedEngine(choice), p, bank, image);
    for (const double bytes : {1.0, 60e3}) {
      const auto bands = runWhole(PinnedEngine(choice, bytes), p, bank, image);
      for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_TRUE(samePixels(bands[i], whole[i])) << describe(choice) << ", bands of " << bytes << " bytes";
    }
  }
}

/// For the engines of matrix products.
constexpr const char* matrixProblems[] = {
    "c5h37w53-f3k3-reflect101-f32:f32-none",      "c17h9w70-f35k5-wrap-f32:f32-none",
    "c64h33w33-f70k7-constant=-3.5-f32:f32-none", "c2h5w7-f66k15-reflect-f32:f32-none",
    "c32h21w45-f10k3x5a2x0-replicate-u8:f32-max", "c8h40w40-f6k1-reflect-f16:f16-none",
    "c3h40w40-f20k4x2-constant-u16:u8-argmax",    "c128h32w32-f64k2-wrap-f32:f32-none"};

void expectConformance(const Engine& engine, const ConvolutionProblem& p) {
  for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite}) {
    if (!applies(pixels, p)) continue;
    const auto result = checkConformance(engine, *findEngine("reference"), p, pixels);
    EXPECT_TRUE(result.passed) << result.sentence;
  }
}

/// Engines on the tensor cores.
class TensorKernel : public ::testing::TestWithParam<const char*> {
 protected:
  const Engine& engine = *findEngine(GetParam());
};
constexpr auto shortName = [](const auto& i) { return std::string(i.param).substr(18); };
INSTANTIATE_TEST_SUITE_P(Engines, TensorKernel, ::testing::Values("cuda:multichannel-fp16x3"), shortName);
class HalfKernel : public TensorKernel {};
INSTANTIATE_TEST_SUITE_P(Engines, HalfKernel,
                         ::testing::Values("cuda:multichannel-fp16", "cuda:multichannel-fp16x3"), shortName);

TEST_P(TensorKernel, IsExactOnIntegersAndWithinItsBoundOnOthers) {
  BANKSIDE_NEEDS_GPU();
  for (const char* text : matrixProblems) {
    const ConvolutionProblem p = parseProblem(text);
    expectConformance(engine, p);
  }
}

/// Halves hold small integers, so that nothing is rounded; random pixels are judged by the bound.
TEST_P(HalfKernel, IsExactOnIntegersAndWithinItsBoundOnOthers) {
  BANKSIDE_NEEDS_GPU();
  for (const char* text : matrixProblems) {
    const ConvolutionProblem p = parseProblem(text);
    expectConformance(engine, p);
    if (p.combine != Combine::None) continue;
    const FilterBank bank = withAnchor(integerBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth),
                                       p.anchorX, p.anchorY);
    const Image image = integerImage(p.channels, p.height, p.width, p.srcType);
    const auto exact = runWhole(*findEngine("reference"), p, bank, image);
    const auto got = runWhole(engine, p, bank, image);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(samePixels(got[i], exact[i])) << text << ": " << difference(got, exact).place();
  }
}

/// Pixels far from one in both directions: the scale brings them into half precision.
TEST_P(HalfKernel, TakesPixelsOfAnySize) {
  BANKSIDE_NEEDS_GPU();
  const ConvolutionProblem p = parseProblem("c18h40w50-f9k5-constant-f32:f32-none");
  const FilterBank bank = randomBank(9, 18, 5, 5, 3);
  for (const float size : {1e-25f, 1e-6f, 3e5f, 1e25f}) {
    Image image = randomImage(18, 40, 50, ElementType::F32, 4);
    for (int c = 0; c < 18; ++c)
      for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 50; ++x) image.view<float>(c).row(y)[x] *= size;
    const auto plan = engine.prepare(p, bank, {});
    ImageSource source(image);
    ImageSink sink(p, wholeImage(p));
    plan->run(source, sink, wholeImage(p), {});
    const Verification v = verify(p, bank, source, wholeImage(p), sink.images(), plan->errorBound());
    EXPECT_TRUE(v.passed) << size << ": " << v.place();
    EXPECT_GT(v.maxAbsError, 0.0) << "it rounds";
  }
}

double largestError(const std::string& name, const ConvolutionProblem& p, const FilterBank& bank,
                    const Image& image, const std::vector<Image>& exact, Precision precision) {
  return difference(runWhole(*findEngine(name), p, bank, image, {.precision = precision}), exact).maxAbsError;
}

/// What it is for: the speed of the tensor cores at nearly the accuracy of f32 in the direct order, for the
/// filters of the paper's figure 8 and the largest ones.
TEST_P(TensorKernel, ErrsAtMostFourTimesAsMuchAsTheDirectOrder) {
  BANKSIDE_NEEDS_GPU();
  for (const char* text : {"c64h64w64-f64k3-reflect-f32:f32-none", "c128h48w48-f64k7-reflect-f32:f32-none",
                           "c16h64w64-f32k15-reflect-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 3);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 4);
    const auto exact = runWhole(*findEngine("reference"), p, bank, image);
    const double direct = largestError("cuda:multichannel", p, bank, image, exact, Precision::Exact);
    const double tensor = largestError(GetParam(), p, bank, image, exact, Precision::Fp32);
    RecordProperty(text, std::to_string(tensor / direct));
    EXPECT_LE(tensor, 4 * direct) << text;
  }
}

}  // namespace
}  // namespace bankside::cuda
