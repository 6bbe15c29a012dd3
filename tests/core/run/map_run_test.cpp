/// Maps that go to a device and back: whose time is whose.
#include "core/run/map_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/run/recipe_runner.h"
#include "filters/catalog.h"
#include "kernels/reference/reference_engine.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

struct ThereMap final : DeviceMap {
  explicit ThereMap(Image image) : pixels(std::move(image)) {}
  Image pixels;
};

struct ThereBank final : DeviceBank {
  ThereBank(const ConvolutionProblem& p, FilterBank b) : problem(p), bank(std::move(b)) {}
  std::string engine() const override { return "there"; }
  PlanInfo info() const override { return {.shape = "there"}; }
  NumericTraits traits() const override { return {}; }
  ConvolutionProblem problem;
  FilterBank bank;
};

const Image& pixelsOf(const std::shared_ptr<DeviceMap>& map) { return static_cast<ThereMap&>(*map).pixels; }

/// Banks alone are computed there. The first lap takes a second, every other twice as long as that before it.
class DoublingMaker final : public MapMaker {
 public:
  std::string name() const override { return "GPU"; }
  void begin() override {}
  std::shared_ptr<DeviceBank> prepare(const Engine&, const ConvolutionProblem& problem,
                                      const FilterBank& bank, const PlanOptions&) override {
    return std::make_shared<ThereBank>(problem, bank);
  }
  DeviceMaps run(DeviceBank& bank, const DeviceMaps& seen) override {
    const auto& [problem, taps] =
        std::tie(static_cast<ThereBank&>(bank).problem, static_cast<ThereBank&>(bank).bank);
    Image image(problem.channels, problem.height, problem.width, ElementType::F32);
    for (int c = 0; c < problem.channels; ++c) {
      const auto from = pixelsOf(seen[static_cast<std::size_t>(c)]).view<float>(0);
      for (int y = 0; y < problem.height; ++y)
        std::copy_n(from.row(y), problem.width, image.view<float>(c).row(y));
    }
    DeviceMaps made;
    for (Image& plane : runWhole(*makeReferenceEngine(), problem, taps, image))
      made.push_back(std::make_shared<ThereMap>(std::move(plane)));
    return made;
  }
  std::shared_ptr<DeviceMap> combine(Combine, const DeviceMaps&) override { return nullptr; }
  bool has(const Operation&) const override { return false; }
  std::optional<DeviceMaps> operate(const Operation&, const std::vector<DeviceMaps>&, OperationContext&,
                                    const Extent&) override {
    return std::nullopt;
  }
  DeviceMaps put(const Maps& maps) override {
    DeviceMaps there;
    for (const Image& plane : maps.planes) there.push_back(std::make_shared<ThereMap>(plane.clone()));
    return there;
  }
  void bring(const DeviceMaps& from, Maps& to) override {
    for (std::size_t m = 0; m < from.size(); ++m) to.planes[m] = pixelsOf(from[m]).clone();
  }
  void beginLap() override {}
  void endLap() override { laps_.push_back(std::ldexp(1, static_cast<int>(laps_.size()))); }
  std::vector<double> laps() override { return std::exchange(laps_, {}); }

 private:
  std::vector<double> laps_;
};

struct OneDevice final : MapDevices {
  std::vector<int> of(const Engine&) const override { return {0}; }
  std::unique_ptr<MapMaker> open(int) const override { return std::make_unique<DoublingMaker>(); }
};

TEST(MapRun, EveryLapIsOfWhatTookIt) {
  const std::string steps = R"({"bankside":"recipe","version":4,"steps":[
    {"do":"linear","times":0.01}, {"bank":"sobel"}, {"do":"exp"}, {"bank":"sobel"}]})";
  const Image image = testing::integerImage(1, 21, 34, ElementType::U8);
  const auto planesOf = [&](const MapDevices* devices, BankRun& run) {
    const Recipe recipe = parseRecipe(steps, "r");
    RunOptions options;
    options.mapDevices = devices;
    Runner runner =
        makeRunner(recipe, {makeBank("sobel"), makeBank("sobel")}, options, testing::named("reference"));
    return testing::collect(runner, image, &run);
  };
  BankRun here, there;
  const OneDevice device;
  const std::vector<Image> expected = planesOf(nullptr, here);
  const std::vector<Image> got = planesOf(&device, there);
  ASSERT_EQ(got.size(), 4u);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samePixels(got[i], expected[i])) << i;

  // Up, a bank, down for the host's operation; up, a bank, and down for who asked.
  ASSERT_EQ(there.steps.size(), 2u);
  EXPECT_EQ(there.steps[0].device, "GPU");
  EXPECT_EQ(there.mapCopies.upload, 1 + 8);
  EXPECT_EQ(there.steps[0].times.compute, 2);
  EXPECT_EQ(there.steps[1].times.compute, 16);
  EXPECT_EQ(there.mapCopies.download, 4 + 32);
  EXPECT_EQ(here.mapCopies.total(), 0);
}

/// Maps of the image's size come in bands of host memory; those between are where they would be.
TEST(MapRun, BetweenTheEndsMapsGoToADevice) {
  const std::string steps = R"({"bankside":"recipe","version":4,"steps":[
    {"do":"unit"}, {"do":"resample","scale":10}, {"bank":"sobel"}, {"do":"exp"}, {"do":"restore"}]})";
  const Image image = testing::integerImage(1, 210, 340, ElementType::U8);
  const auto planesOf = [&](const MapDevices* devices, std::int64_t memory, BankRun& run) {
    RunOptions options;
    options.mapDevices = devices;
    options.memoryBudget = memory;
    options.pixelsPerDegree = 100;
    Runner runner =
        makeRunner(parseRecipe(steps, "r"), {makeBank("sobel")}, options, testing::named("reference"));
    return testing::collect(runner, image, &run);
  };
  BankRun whole, bands;
  const OneDevice device;
  const std::vector<Image> expected = planesOf(nullptr, std::int64_t{1} << 30, whole);
  const std::vector<Image> got = planesOf(&device, 1 << 20, bands);
  ASSERT_EQ(got.size(), 2u);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(samePixels(got[i], expected[i])) << i;
  EXPECT_EQ(bands.steps.front().device, "GPU");
  EXPECT_GT(bands.bands, 1);
  // Up, the bank, and down.
  EXPECT_EQ(bands.mapCopies.upload, 1);
  EXPECT_EQ(bands.steps.front().times.compute, 2);
  EXPECT_EQ(bands.mapCopies.download, 4);
}

}  // namespace
}  // namespace bankside
