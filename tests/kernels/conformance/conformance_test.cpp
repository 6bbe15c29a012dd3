/// Every engine of the list on every problem of the list: a new engine gets all of it without a new test.
#include "core/judge/conformance.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <tuple>

#include "core/error.h"
#include "kernels/engines.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

bool gpuRequired() {
  const char* value = std::getenv("BANKSIDE_REQUIRE_GPU");
  return value != nullptr && std::string(value) == "1";
}

bool startsWith(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

/// NVIDIA's libraries, which have one kind of border each and need not be on a machine with a GPU.
bool isGpuPeer(const std::string& engine) {
  return startsWith(engine, "cudnn:") || startsWith(engine, "cublas:") || startsWith(engine, "npp:") ||
         startsWith(engine, "cufft:");
}

using testing::asTestName;

using Parameters = std::tuple<std::string, std::size_t, MadePixels>;

/// Every engine, problem and kind of image that exists for the problem's source type; under sanitizers, where
/// each takes ten times as long, every fourth problem, other ones for the next engine.
std::vector<Parameters> everyCase() {
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t dearer = 4;
#else
  constexpr std::size_t dearer = 1;
#endif
  std::vector<Parameters> cases;
  std::size_t first = 0;
  for (const auto& engine : engines()) {
    // oneDNN compiles code for every shape: minutes for the whole list. It is a peer, not ours to prove;
    // every comparison judges it again before it is timed, and `bankside verify` takes the whole list.
    const std::size_t step = engine->name().rfind("onednn:", 0) == 0 ? 24 : dearer;
    for (std::size_t i = first++ % dearer; i < conformanceProblems().size(); i += step) {
      const ConvolutionProblem problem = parseProblem(conformanceProblems()[i]);
      for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite}) {
        if (applies(pixels, problem)) cases.emplace_back(engine->name(), i, pixels);
      }
    }
  }
  return cases;
}

std::string testName(const ::testing::TestParamInfo<Parameters>& info) {
  const auto& [engine, index, pixels] = info.param;
  return asTestName(engine) + "_p" + std::to_string(index) + "_" + asTestName(conformanceProblems()[index]) +
         "_" + toString(pixels);
}

class Conformance : public ::testing::TestWithParam<Parameters> {};

TEST_P(Conformance, Holds) {
  const auto& [name, index, pixels] = GetParam();
  const Engine& engine = *findEngine(name);
  const ConvolutionProblem problem = parseProblem(conformanceProblems()[index]);
  if (const Support available = engine.available(); !available) {
    if (engine.device() != "CPU" && gpuRequired() && !isGpuPeer(name))
      FAIL() << name << ": " << available.reason;
    GTEST_SKIP() << name << ": " << available.reason;
  }
  if (const Support support = engine.supports(problem); !support)
    GTEST_SKIP() << name << ": " << support.reason;
  if (pixels == MadePixels::NonFinite && (startsWith(name, "cudnn:") || startsWith(name, "cufft:"))) {
    // Their transforms would spread a NaN over the image, so that such images are refused with a sentence.
    // (A tiny image may hold no such pixel.)
    try {
      EXPECT_TRUE(checkConformance(engine, *findEngine("reference"), problem, pixels).passed);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported) << error.what();
    }
    return;
  }
  const ConformanceResult result = checkConformance(engine, *findEngine("reference"), problem, pixels);
  EXPECT_TRUE(result.passed) << result.sentence;
}

INSTANTIATE_TEST_SUITE_P(Engines, Conformance, ::testing::ValuesIn(everyCase()), testName);

TEST(ConformanceProblems, ReadBack) {
  for (const std::string& text : conformanceProblems()) EXPECT_EQ(format(parseProblem(text)), text);
}

/// The list holds what it promises, so that a change cannot thin it out unseen.
TEST(ConformanceProblems, CoverEveryWord) {
  std::set<std::string> words;
  std::set<int> filterCounts;
  std::set<int> channels;
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    words.insert(format(p.border));
    words.insert(std::string(toString(p.srcType)) + ":" + toString(p.dstType));
    words.insert(toString(p.combine));
    words.insert(toString(p.mode));
    words.insert(p.channelMode == ChannelMode::PerPlane ? "perplane" : "summed");
    words.insert("k" + std::to_string(p.filterHeight) + "x" + std::to_string(p.filterWidth));
    words.insert(std::to_string(p.height) + "x" + std::to_string(p.width));
    filterCounts.insert(p.filterCount);
    channels.insert(p.channels);
  }
  for (const char* word :
       {"constant",    "constant=-3.5", "constant=7", "replicate", "reflect", "reflect101", "wrap",
        "none",        "max",           "absmax",     "argmax",    "mean",    "sum",        "magnitude",
        "correlation", "convolution",   "perplane",   "summed",    "u8:u8",   "u8:f32",     "u16:u16",
        "u16:f32",     "f16:f16",       "f16:f32",    "f32:u8",    "f32:f32", "k1x1",       "k2x2",
        "k5x3",        "k1x31",         "k31x1",      "k127x127",  "1x1",     "1x19",       "19x1",
        "2x70000",     "70000x2",       "63x64",      "64x65"}) {
    EXPECT_TRUE(words.contains(word)) << word;
  }
  for (const int count : {1, 2, 5, 12, 33}) EXPECT_TRUE(filterCounts.contains(count)) << count;
  for (const int count : {1, 2, 3}) EXPECT_TRUE(channels.contains(count)) << count;
}

/// An engine that is there but refuses nearly everything would pass by skipping.
TEST(ConformanceProblems, EveryAvailableEngineTakesMostOfThem) {
  const std::size_t all = conformanceProblems().size();
  for (const auto& engine : engines()) {
    if (!engine->available()) continue;
    std::size_t taken = 0;
    for (const std::string& text : conformanceProblems())
      taken += engine->supports(parseProblem(text)).supported;
    // Libraries with one kind of border, and algorithms kept as their paper has them, take what they take.
    const bool narrow = isGpuPeer(engine->name()) || engine->name().ends_with("-paper");
    EXPECT_GE(taken, narrow ? 10 : all / 2)
        << engine->name() << " takes " << taken << " of " << all << " problems";
  }
}

/// Refusals are sentences, from engines that are not available too.
TEST(ConformanceProblems, EveryRefusalSaysWhy) {
  for (const auto& engine : engines()) {
    if (const Support available = engine->available(); !available) {
      EXPECT_FALSE(available.reason.empty()) << engine->name();
    }
    for (const std::string& text : conformanceProblems()) {
      const Support support = engine->supports(parseProblem(text));
      EXPECT_EQ(support.supported, support.reason.empty()) << engine->name() << " on " << text;
    }
  }
}

}  // namespace
}  // namespace bankside
