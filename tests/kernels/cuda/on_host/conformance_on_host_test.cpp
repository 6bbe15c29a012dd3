/// The CUDA engines on problems of the conformance list, their kernels run by the CPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/judge/conformance.h"
#include "kernels/reference/reference_engine.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

bool takesAll() {
  const char* all = std::getenv("BANKSIDE_ON_HOST_ALL");
  return all != nullptr && std::string(all) == "1";
}

/// Every how manieth problem an engine is run on: dear ones on fewer. BANKSIDE_ON_HOST_ALL=1 takes them all.
std::size_t stepOf(const std::string& engine) {
  if (takesAll()) return 1;
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t dearer = 7;
#else
  constexpr std::size_t dearer = 1;
#endif
  if (engine == "cuda:multichannel") return 5 * dearer;
  if (engine == "cuda:multichannel-paper") return 3 * dearer;
  if (engine == "cuda:multichannel-fp16x3") return 67 * dearer;
  if (engine == "cuda:multichannel-fp16") return 97 * dearer;
  if (engine == "cuda:tensor") return 7 * dearer;
  if (engine == "cuda:tensor-fp16") return 11 * dearer;
  if (engine == "cuda") return 31 * dearer;
  if (engine == "cuda:fft") return 13 * dearer;
  return engine == "cuda:single-channel-paper" ? dearer : 2 * dearer;
}

/// A row or a column of 70,000 pixels is all halo where tiles are 32 x 4.
bool isDear(const std::string& engine, const ConvolutionProblem& p) {
  return engine.rfind("cuda:multichannel", 0) == 0 && p.height * p.width > 100'000 && !takesAll();
}

using Parameters = std::tuple<std::size_t, std::size_t, MadePixels>;

std::vector<Parameters> cases() {
  std::vector<Parameters> list;
  for (std::size_t e = 0; e < enginesOnHost().size(); ++e) {
    const std::size_t step = stepOf(enginesOnHost()[e]->name());
    for (std::size_t i = e % step; i < conformanceProblems().size(); i += step) {
      const ConvolutionProblem problem = parseProblem(conformanceProblems()[i]);
      if (!enginesOnHost()[e]->supports(problem) || isDear(enginesOnHost()[e]->name(), problem)) continue;
      for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite})
        if (applies(pixels, problem)) list.emplace_back(e, i, pixels);
    }
  }
  return list;
}

std::string testName(const ::testing::TestParamInfo<Parameters>& info) {
  const auto& [engine, index, pixels] = info.param;
  return testing::asTestName(enginesOnHost()[engine]->name() + "_p" + std::to_string(index) + "_" +
                             conformanceProblems()[index] + "_" + toString(pixels));
}

class ConformanceOnHost : public ::testing::TestWithParam<Parameters> {};

TEST_P(ConformanceOnHost, Holds) {
  const auto& [engine, index, pixels] = GetParam();
  const ConvolutionProblem problem = parseProblem(conformanceProblems()[index]);
  // Devices of one multiprocessor and of many split their work differently; older ones have less of
  // everything.
  on_host::FakeDevice device;
  const auto others = std::size(on_host::madeDevices);
  // What multiplies otherwise on most of them is run on all of them.
  const bool otherwise = enginesOnHost()[engine]->name().rfind("cuda:tensor", 0) == 0;
  if (otherwise)
    device = on_host::madeDevices[index % others];
  else if (enginesOnHost()[engine]->available() && index % 2 == 1)
    device = on_host::madeDevices[index / 2 % others];
  device.multiprocessors = index % 3 == 0 ? 132 : index % 3 == 1 ? 1 : 8;
  on_host::setDevice(device);
  if (!enginesOnHost()[engine]->available()) on_host::setDevice({});
  on_host::setSeed(index % 4 == 0 ? 0 : hash(problem) + static_cast<std::uint64_t>(pixels));
  on_host::setCutSums(index % 2 == 1);
  const std::uint64_t before = on_host::launches();
  const ConformanceResult result =
      checkConformance(*enginesOnHost()[engine], *makeReferenceEngine(), problem, pixels);
  EXPECT_TRUE(result.passed) << toString(result.plan) << ": " << result.sentence;
  EXPECT_GT(on_host::launches(), before);
}

INSTANTIATE_TEST_SUITE_P(Engines, ConformanceOnHost, ::testing::ValuesIn(cases()), testName);

}  // namespace
}  // namespace bankside
