/// Devices that are older, smaller, taken, lost or not there: bytes stay, and nothing fails that the host can
/// do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/few_channels_bank.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/runtime/band_plan.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/engine_list.h"
#include "kernels/fallback_engine.h"
#include "kernels/planner/cuda_planner.h"
#include "kernels/reference/reference_engine.h"
#include "tests/kernels/cuda/on_host/device_test.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"

namespace bankside {
namespace {

/// Every test of this program begins with an ordinary device, whatever the one before it left behind.
class BeginsAnew : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& /*test*/) override { on_host::setDevice({}); }
};
[[maybe_unused]] const bool beginsAnew = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new BeginsAnew);
  return true;
}();

using on_host::FakeDevice;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const EngineList& list() {
  static const EngineList engines = [] {
    EngineList made;
    made.push_back(makeCudaPlannerEngine());
    made.push_back(makeReferenceEngine());
    return made;
  }();
  return engines;
}

/// As `auto` does it.
const Engine& firstThatTakes(const ConvolutionProblem& problem) {
  for (const auto& engine : list())
    if (engine->available() && engine->supports(problem)) return *engine;
  throw Error(ErrorCode::Unsupported, "no engine");
}

FilterBank integers(const ConvolutionProblem& p) {
  return integerBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth);
}

std::vector<std::byte> bytesOf(const std::vector<Image>& planes) {
  std::vector<std::byte> bytes;
  for (const Image& plane : planes)
    for (int y = 0; y < plane.height(); ++y) {
      const std::byte* row = plane.plane(0).row(y);
      bytes.insert(bytes.end(), row, row + static_cast<std::size_t>(plane.width()) * sizeOf(plane.type()));
    }
  return bytes;
}

class Devices : public DeviceTest {
 protected:
  std::vector<std::byte> run(const Engine& engine) const {
    return bytesOf(runWhole(engine, problem_, bank_, image_));
  }
  std::unique_ptr<Engine> fallback() const { return makeFallbackEngine(*list().front(), list()); }

  /// The device cannot be used, for a reason: `auto` takes the next engine, whose results these are.
  void expectNext(const FakeDevice& device, const std::string& reason) {
    on_host::setDevice(device);
    EXPECT_THAT(list().front()->available().reason, HasSubstr(reason));
    const Engine& taken = firstThatTakes(problem_);
    EXPECT_EQ(taken.name(), "reference");
    EXPECT_EQ(run(taken), run(*list().back()));
    try {
      runWhole(*list().front(), problem_, bank_, image_);
      FAIL() << "an engine that was asked for by name computes on a device that is not there";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported);
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }

  const ConvolutionProblem problem_ = parseProblem("c1h60w50-f3k5-reflect101-u8:f32-none");
  const FilterBank bank_ = integers(problem_);
  const Image image_ = integerImage(1, problem_.height, problem_.width, problem_.srcType);
};

TEST_F(Devices, WithoutAGpuTheNextEngineComputes) {
  expectNext({.count = 0}, "no usable NVIDIA GPU on this machine");
}

TEST_F(Devices, WithoutADriverTheNextEngineComputes) {
  expectNext({.driver = false}, "no NVIDIA driver on this machine");
}

TEST_F(Devices, WithATooOldDriverTheNextEngineComputes) {
  expectNext({.oldDriver = true}, "the NVIDIA driver is too old for this build");
}

TEST_F(Devices, OnAGpuWithoutCodeTheNextEngineComputes) {
  expectNext(
      {.capability = 70, .hasCode = false},
      "this build has no code for the kernels on the host of compute capability 7.0, it was compiled for "
      "the tests");
}

TEST_F(Devices, WhereOthersHaveTheMemoryTheNextEngineComputes) {
  expectNext({.freeBytes = 0}, "is taken by other programs");
}

TEST_F(Devices, MemoryThatRunsOutIsTheNextEnginesWork) {
  on_host::setDevice({.freeBytes = 1000});
  EXPECT_EQ(run(*fallback()), run(*list().back()));
  EXPECT_THAT(said_, ElementsAre(HasSubstr("reference goes on where cuda failed: the GPU's memory ran out")));
  EXPECT_THROW(run(*list().front()), Error);
}

TEST_F(Devices, ALostDeviceLeavesItsImagesToTheNextEngine) {
  const auto engine = fallback();
  const auto plan = engine->prepare(problem_, bank_, {});
  const auto before = bytesOf(runWhole(*plan, problem_, image_));
  EXPECT_EQ(plan->substitute(), nullptr);
  EXPECT_THAT(said_, IsEmpty());

  on_host::setDevice({.launchesUntilLost = 0});
  const auto after = bytesOf(runWhole(*plan, problem_, image_));
  EXPECT_EQ(after, run(*list().back()));
  EXPECT_EQ(after, before) << "integers are the same for all engines";
  EXPECT_THAT(said_, ElementsAre(HasSubstr("reference goes on where cuda failed: the GPU was lost")));
  ASSERT_NE(plan->substitute(), nullptr);
  EXPECT_EQ(plan->substitute()->name(), "reference");
  EXPECT_THAT(plan->info().why, HasSubstr("instead of cuda, which failed: the GPU was lost"));
  // Later problems do not try it again.
  EXPECT_EQ(firstThatTakes(problem_).name(), "reference");
}

TEST_F(Devices, ARefusedBankIsNoFailureOfTheDevice) {
  EXPECT_THROW(fallback()->prepare(problem_, integerBank(3, 1, 3, 3), {}), Error);
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(Devices, OfAKindThatNobodyHasTriedSaySo) {
  EXPECT_THAT(list().front()->description(), ::testing::Not(HasSubstr("not run yet")));
  on_host::setDevice({.capability = 86});
  EXPECT_THAT(list().front()->description(),
              HasSubstr("not run yet on compute capability 8.6 by its makers"));
}

/// The bytes of an engine's results on every device.
void expectSameEverywhere(const std::string& name, const std::string& problem) {
  const ConvolutionProblem p = parseProblem(problem);
  const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth);
  const Image image = randomImage(p.channels, p.height, p.width, p.srcType);
  std::vector<std::byte> first;
  for (const FakeDevice& device : on_host::madeDevices) {
    on_host::setDevice(device);
    const auto bytes = bytesOf(runWhole(*engineOnHost(name), p, bank, image));
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first) << problem << ", compute capability " << device.capability;
  }
}

TEST_F(Devices, SplitChannelsGiveTheSameBytesWithoutClusters) {
  for (const char* results : {"f32-none", "u8-none", "f32-max", "f32-argmax"}) {
    const std::string problem = std::string("c64h16w21-f40k3-constant-f32:") + results;
    ASSERT_GT(cuda::chooseSummed(parseProblem(problem)).parts, 1);
    expectSameEverywhere("cuda:multichannel", problem);
  }
}

/// Tiles of all channels where a block holds them, Algorithm 2 elsewhere: both in the direct order.
TEST_F(Devices, FewChannelsAreSummedAlikeWithAndWithoutTheirTiles) {
  for (const char* problem :
       {"c8h60w200-f2k9-reflect101-u8:f32-argmax", "c3h60w201-f5k4x7-constant-f32:u8-none"}) {
    const ConvolutionProblem p = parseProblem(problem);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType);
    const CorrelationTaps taps = correlationTaps(p, bank);
    const auto bytes = [&](std::unique_ptr<cuda::BandKernel> kernel) {
      const auto plan = cuda::makeBandPlan(p, taps.anchorY, std::move(kernel), {}, 1 << 20);
      return bytesOf(runWhole(*plan, p, image));
    };
    EXPECT_EQ(bytes(std::make_unique<cuda::FewChannelsBank>(p, taps)),
              bytes(std::make_unique<cuda::SummedBank>(p, taps, cuda::chooseSummed(p, 1, 1))));
  }
}

TEST_F(Devices, LittleSharedMemoryChangesShapesAndNoBytes) {
  expectSameEverywhere("cuda:multichannel", "c3h20w40-f40k15x1-reflect101-f32:f32-none");
  expectSameEverywhere("cuda:single-channel", "c1h40w150-f2k101-reflect101-u8:f32-none");
  expectSameEverywhere("cuda:single-channel", "c1h40w150-f2k61x91-constant-f32:f32-max");
}

TEST_F(Devices, TensorCoresAreThoseOfTheDeviceAndItsCode) {
  const Engine& tensor = *engineOnHost("cuda:tensor");
  const ConvolutionProblem p = parseProblem("c1h60w50-f3k9-reflect101-u8:f32-none");
  const FilterBank bank = randomBank(3, 1, 9, 9);
  const auto shapeOn = [&](int capability) {
    on_host::setDevice({.capability = capability});
    return tensor.prepare(p, bank, {})->info().shape;
  };
  EXPECT_THAT(shapeOn(90), ::testing::StartsWith("tensor, "));
  for (const int capability : {80, 86, 89, 100, 120})
    EXPECT_THAT(shapeOn(capability), ::testing::StartsWith("tensor by warps, ")) << capability;
  EXPECT_THAT(tensor.description(), HasSubstr("by mma.sync; not run yet on compute capability 12.0"));
  // A Hopper that runs an older one's code.
  on_host::setDevice({});
  cuda::DeviceTraits traits = cuda::deviceTraits();
  traits.codeFor = 80;
  cuda::pretendDevice(traits);
  EXPECT_THAT(tensor.prepare(p, bank, {})->info().shape, ::testing::StartsWith("tensor by warps, "));
  EXPECT_THAT(engineOnHost("cuda:multichannel-fp16x3")->available().reason,
              HasSubstr("code for it in this build"));
  on_host::setDevice({.capability = 75});
  EXPECT_THAT(tensor.available().reason, HasSubstr("needs a GPU of compute capability 8.0 or later"));
  EXPECT_THAT(engineOnHost("cuda:tensor-fp16")->available().reason, HasSubstr("8.0 or later"));
}

/// By warps: neither multiprocessors nor shared memory change a byte. Integers are the same by `wgmma`.
TEST_F(Devices, TensorCoresByWarpsGiveTheSameBytesEverywhere) {
  for (const char* problem :
       {"c1h70w300-f5k15-reflect101-u8:f32-none", "c1h70w300-f7k9-constant-f32:f32-max",
        "c1h70w150-f3k31-replicate-u16:f32-none", "c1h70w150-f5k7-wrap-f16:u8-argmax"}) {
    const ConvolutionProblem p = parseProblem(problem);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType);
    const auto bytesOn = [&](const FakeDevice& device, const FilterBank& bank) {
      on_host::setDevice(device);
      return bytesOf(runWhole(*engineOnHost("cuda:tensor"), p, bank, image));
    };
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth);
    const auto first = bytesOn({80, 108, 163 * 1024}, bank);
    EXPECT_EQ(bytesOn({86, 2, 99 * 1024}, bank), first) << problem;
    EXPECT_EQ(bytesOn({100, 148, 227 * 1024}, bank), first) << problem;
    EXPECT_EQ(bytesOn({120, 170, 99 * 1024}, bank), first) << problem;
    if (p.srcType != ElementType::U8) continue;
    EXPECT_EQ(bytesOn({}, integers(p)), bytesOn({86, 82, 99 * 1024}, integers(p))) << problem;
  }
}

/// Where a product costs as much as a few f32 multiply-adds, even single ones are not worth it.
TEST_F(Devices, ThePlannerKnowsSlowTensorCores) {
  const ConvolutionProblem p = parseProblem("c1h300w4000-f12k15-reflect101-u8:f32-none");
  const FilterBank random = randomBank(12, 1, 15, 15);
  const auto pathOn = [&](const FakeDevice& device, const FilterBank& bank) {
    on_host::setDevice(device);
    return list().front()->prepare(p, bank, {})->info().path;
  };
  EXPECT_EQ(pathOn({}, random), "cuda:tensor");
  EXPECT_EQ(pathOn({80, 108, 163 * 1024}, random), "cuda:tensor");
  EXPECT_EQ(pathOn({86, 82, 99 * 1024}, random), "cuda:single-channel");
  EXPECT_EQ(pathOn({80, 108, 163 * 1024}, integers(p)), "cuda:tensor");
  EXPECT_EQ(pathOn({86, 82, 99 * 1024}, integers(p)), "cuda:single-channel");
  EXPECT_EQ(pathOn({75, 40, 64 * 1024}, random), "cuda:single-channel");
  // Whose prediction would be the best says what it lacks.
  EXPECT_THAT(list().front()->prepare(p, random, {})->info().why,
              HasSubstr("tensor: " + engineOnHost("cuda:tensor")->available().reason));
}

}  // namespace
}  // namespace bankside
