#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/judge/compare.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using testing::randomBank;
using testing::randomImage;

class OpenCvEngine : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(engine_, nullptr);
    if (const Support available = engine_->available(); !available) GTEST_SKIP() << available.reason;
  }
  const Engine* engine_ = findEngine("opencv:filter2D");
};

FilterBank bankOf(const ConvolutionProblem& p, std::uint64_t seed = 1) {
  return testing::withAnchor(randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, seed),
                             p.anchorX, p.anchorY);
}

/// Those that are only there to be compared with come last, so that `auto` takes ours.
TEST(OpenCvInTheList, IsThereInEveryBuildAfterOurEngines) {
  std::vector<std::string> names;
  for (const auto& engine : engines()) names.push_back(engine->name());
  const std::vector<std::string> last = {
      "opencv:filter2D",   "opencv:sepFilter2D", "onednn:convolution", "cudnn:fma",        "cudnn:tf32",
      "cudnn:fp16",        "cudnn:graph-fma",    "cudnn:graph-tf32",   "cudnn:graph-fp16", "cublas:im2col",
      "npp:filter-border", "cufft:bank",         "reference"};
  ASSERT_GT(names.size(), last.size());
  EXPECT_EQ(std::vector<std::string>(names.end() - static_cast<std::ptrdiff_t>(last.size()), names.end()),
            last);
  EXPECT_EQ(findEngine("opencv"), findEngine("opencv:filter2D"));
}

TEST(OpenCvInTheList, SaysWhyWhereItWasNotBuiltIn) {
  const Engine* engine = findEngine("opencv");
  if (engine->available()) GTEST_SKIP() << "OpenCV is built in";
  const auto problem = parseProblem("c1h8w8-f1k3-reflect101-f32:f32-none");
  EXPECT_THAT(engine->supports(problem).reason, HasSubstr("not found when this program was built"));
  EXPECT_THROW(engine->prepare(problem, bankOf(problem), {}), Error);
}

TEST_F(OpenCvEngine, NamesItsVersion) { EXPECT_THAT(engine_->description(), HasSubstr("OpenCV ")); }

TEST_F(OpenCvEngine, RefusesWithASentence) {
  const auto reasonFor = [&](const char* text) { return engine_->supports(parseProblem(text)).reason; };
  EXPECT_EQ(reasonFor("c1h8w8-f1k3-wrap-f32:f32-none"), "filter2D has no wrapping border");
  EXPECT_EQ(reasonFor("c1h8w8-f1k3-reflect101-f32:f16-none"), "filter2D has no half-precision results");
  EXPECT_EQ(reasonFor("c1h8w8-f1k3-reflect101-f32:f16-argmax"), "");
  const auto problem = parseProblem("c1h8w8-f1k3-wrap-f32:f32-none");
  EXPECT_THROW(engine_->prepare(problem, bankOf(problem), {}), Error);
}

TEST_F(OpenCvEngine, SaysWhichPathItTookAndHowManyCalls) {
  const auto variantOf = [&](const char* text) {
    const auto problem = parseProblem(text);
    return engine_->prepare(problem, bankOf(problem), {})->info().shape;
  };
  EXPECT_EQ(variantOf("c1h64w64-f12k11-reflect101-f32:f32-max"), "direct, 12 calls");
  EXPECT_EQ(variantOf("c1h64w64-f12k15-reflect101-f32:f32-max"), "DFT, 12 calls");
  EXPECT_EQ(variantOf("c3h64w64-f2k3-reflect101-f32:f32-none"), "direct, 6 calls");
  EXPECT_EQ(variantOf("c1h64w64-f1k3-reflect101-f32:f32-none"), "direct, 1 call");
}

/// Random images and the worst for a transform: all pixels alike and bright, all taps of one sign.
TEST_F(OpenCvEngine, KeepsTheSinglePrecisionTransformBoundByAFactorOfFive) {
  double worst = 0;
  for (const char* text :
       {"c1h300w310-f2k12-reflect101-u8:f32-none", "c1h270w300-f2k31-replicate-u8:f32-none",
        "c1h200w500-f2k15-constant-u8:f32-none", "c2h100w120-f2k63-reflect-u8:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    for (const bool flat : {false, true}) {
      Image image = randomImage(p.channels, p.height, p.width, p.srcType, 5);
      FilterBank bank = bankOf(p);
      if (flat) {
        for (int c = 0; c < p.channels; ++c) {
          const auto view = image.view<std::uint8_t>(c);
          for (int y = 0; y < p.height; ++y) std::fill(view.row(y), view.row(y) + p.width, std::uint8_t{255});
        }
        std::vector<Filter> filters = bank.filters();
        for (Filter& f : filters) {
          for (float& tap : f.taps) tap = std::fabs(tap);
        }
        bank = FilterBank(bank.info(), std::move(filters));
      }
      const auto plan = engine_->prepare(p, bank, {.threads = 1});
      ImageSource source(image);
      ImageSink sink(p, wholeImage(p));
      plan->run(source, sink, wholeImage(p), {});
      const Verification v = verify(p, bank, source, wholeImage(p), sink.images(), plan->errorBound());
      EXPECT_TRUE(v.passed) << text << ": " << v.place();
      worst = std::max(worst, v.maxBoundRatio);
    }
  }
  EXPECT_LT(worst, 0.2);
  EXPECT_GT(worst, 0.0);
  RecordProperty("worstBoundRatio", std::to_string(worst));
}

/// cv::Mat::convertTo goes through int32 and gives 0 for such sums.
TEST_F(OpenCvEngine, SaturatesSumsBeyondInt32) {
  for (const char* text : {"c1h20w33-f1k3-reflect101-u8:u8-none", "c1h20w33-f1k5-reflect101-u16:u16-none",
                           "c1h20w33-f1k5-reflect101-u8:u8-max"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank(
        {.name = "huge"},
        {makeFilter("f", p.filterHeight, p.filterWidth,
                    std::vector<float>(static_cast<std::size_t>(p.filterHeight) * p.filterWidth, 1e9f))});
    const Image image = randomImage(1, p.height, p.width, p.srcType);
    const auto got = runWhole(*engine_, p, bank, image);
    const auto expected = runWhole(*findEngine("reference"), p, bank, image);
    EXPECT_TRUE(samePixels(got[0], expected[0])) << text;
  }
}

TEST_F(OpenCvEngine, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const char* text :
       {"c3h61w67-f5k5-reflect101-u8:f32-none", "c2h61w67-f7k13-replicate-f32:f32-max-perplane",
        "c1h61w67-f12k3-reflect-u16:u8-argmax", "c1h61w67-f5k3-constant=2-f16:f32-magnitude"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = bankOf(p);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType);
    const auto one = runWhole(*engine_, p, bank, image, {.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const auto several = runWhole(*engine_, p, bank, image, {.threads = threads});
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(samePixels(one[i], several[i]))
            << text << ", plane " << i << ", " << threads << " threads";
      }
    }
  }
}

TEST_F(OpenCvEngine, APlanRunsAgainOverAnotherImage) {
  const auto p = parseProblem("c2h40w50-f3k5-reflect101-u8:f32-max");
  const FilterBank bank = bankOf(p);
  const auto plan = engine_->prepare(p, bank, {});
  for (const std::uint64_t seed : {1, 2}) {
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType, seed);
    ImageSource source(image);
    for (const Region& region : {wholeImage(p), Region{7, 9, 30, 20}, wholeImage(p)}) {
      ImageSink sink(p, region);
      plan->run(source, sink, region, {});
      EXPECT_TRUE(verify(p, bank, source, region, sink.images(), plan->errorBound()).passed);
    }
  }
}

TEST_F(OpenCvEngine, StopsBetweenTwoCalls) {
  const auto p = parseProblem("c1h32w32-f3k3-reflect101-f32:f32-none");
  const Image image = randomImage(1, 32, 32, ElementType::F32);
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(engine_->prepare(p, bankOf(p), {})->run(source, sink, wholeImage(p), stop.get_token()),
               Cancelled);
}

}  // namespace
}  // namespace bankside
