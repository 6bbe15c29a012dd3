/// A device that fails in the middle of a recipe of maps: the image is the host's from its first step on,
/// with the bytes that it always has there, and one sentence says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/cuda/maps/memory_pool.h"
#include "kernels/fallback_engine.h"
#include "tests/kernels/cuda/maps/recipe_runs.h"
#include "tests/kernels/cuda/on_host/device_test.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using testing::phantom;
using testing::Ran;
using testing::ranWith;
using testing::sameNumbers;
using ::testing::SizeIs;

class MapFailures : public DeviceTest {
 protected:
  Recipe recipe() const {
    return parseRecipe(R"({"bankside":"recipe","version":4,"steps":[
      {"do":"unit"},{"name":"input","do":"local-mean","sigma":3},{"bank":"sobel","combine":["magnitude"]},
      {"do":"standardize"}]})",
                       "r");
  }
  /// As `auto` does it: the device first, the host behind it.
  static const EngineList& engines() {
    static const EngineList device = makeDeviceEngines();
    static const EngineList host = makeCpuEngines();
    static const EngineList list = [] {
      EngineList made;
      made.push_back(makeFallbackEngine(*device.front(), host));
      return made;
    }();
    return list;
  }
  const Image image_ = phantom(64);
};

TEST_F(MapFailures, AreTheHostsFromTheFirstStepOn) {
  const Ran host = ranWith(recipe(), image_, 0, makeCpuEngines(), {});
  for (const int launches : {1, 4, 9}) {
    said_.clear();
    on_host::setDevice({.launchesUntilLost = launches});
    const Ran there = ranWith(recipe(), image_, 0, engines(), mapDevices());
    ASSERT_TRUE(on_host::deviceLost()) << launches;
    EXPECT_TRUE(sameNumbers(host.planes[0], there.planes[0])) << launches;
    EXPECT_THAT(there.run.mapsInstead, HasSubstr("which failed: ")) << launches;
    EXPECT_THAT(said_, ::testing::Contains(HasSubstr("the recipe's maps go on in host memory, instead of")));
    for (const OperationReport& operation : there.run.operationSteps) EXPECT_EQ(operation.device, "CPU");
    on_host::setDevice({});
  }
}

TEST_F(MapFailures, WithoutMemoryForMapsBanksGoOnOnTheDevice) {
  const Ran before = ranWith(recipe(), image_, 0, engines(), {});
  on_host::setDevice({.freeBytes = 150'000});
  const Ran there = ranWith(recipe(), image_, 0, engines(), mapDevices());
  EXPECT_TRUE(sameNumbers(before.planes[0], there.planes[0]));
  EXPECT_THAT(there.run.mapsInstead, HasSubstr("the GPU's memory ran out"));
}

/// What is too large for the device says nothing about what is not.
TEST_F(MapFailures, WithoutMemoryForOneImageOthersAreThere) {
  std::vector<FilterBank> banks;
  for (const RecipeStep& step : recipe().steps)
    if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
  RunOptions options;
  options.mapDevices = mapDevices();
  static const EngineList host = makeCpuEngines();
  // Once a large one's maps are in host memory its banks leave the device alone.
  const auto make = [&] {
    return makeRunner(recipe(), banks, options, [this](const ConvolutionProblem& p) -> const Engine& {
      return p.width > 64 && !said_.empty() ? selectEngineOf(host, "cpu:direct", p) : *engines().front();
    });
  };
  const auto insteadOf = [](Runner& runner, const Image& image) {
    ImageSource source(image);
    return runner.run(source, [](int, const std::vector<Image>&) {}).mapsInstead;
  };
  // Enough for the small one, and hardly more.
  for (double bytes = 1e6;; bytes *= 1.05) {
    on_host::setDevice({.freeBytes = static_cast<std::size_t>(bytes)});
    Runner alone = make();
    if (insteadOf(alone, image_).empty()) break;
  }
  said_.clear();
  Runner runner = make();
  const Image large = phantom(256);
  std::vector<std::string> instead;
  for (const Image* const image : {&image_, &large, &image_, &large, &image_})
    instead.push_back(insteadOf(runner, *image));
  EXPECT_THAT(instead, ::testing::ElementsAre("", HasSubstr("the GPU's memory ran out"), "",
                                              HasSubstr("the GPU's memory ran out"), ""));
  EXPECT_EQ(
      std::count_if(said_.begin(), said_.end(),
                    [](const std::string& said) { return said.find("go on in host memory") < said.size(); }),
      1)
      << "the second large one is not tried";
}

TEST_F(MapFailures, AnEngineOfTheHostNeverTouchesTheDevice) {
  const std::uint64_t launches = on_host::launches();
  const std::uint64_t allocations = on_host::allocationsSoFar();
  const Ran ran = ranWith(recipe(), image_, 0, makeCpuEngines(), mapDevices());
  EXPECT_EQ(on_host::launches(), launches);
  EXPECT_EQ(on_host::allocationsSoFar(), allocations);
  EXPECT_EQ(ran.run.mapsInstead, "");
  EXPECT_THAT(said_, SizeIs(0));
}

/// Rows are read whole, with padding that nobody may have written.
TEST_F(MapFailures, NewMemoryIsZeros) {
  cuda::MemoryPool pool;
  std::vector<char> bytes(100, 1);
  const auto memory = pool.take(bytes.size());
  BANKSIDE_CUDA_CHECK(cudaMemcpy(bytes.data(), memory->data(), bytes.size(), cudaMemcpyDeviceToHost));
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), 100);
}

}  // namespace
}  // namespace bankside
