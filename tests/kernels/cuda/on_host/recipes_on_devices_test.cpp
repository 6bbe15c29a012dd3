/// Recipes of maps on two GPUs: images go to whichever is free, with the bytes of one.
#include <atomic>
#include <latch>
#include <thread>
#include <utility>

#include "kernels/fallback_engine.h"
#include "tests/kernels/cuda/maps/recipe_runs.h"
#include "tests/kernels/cuda/on_host/several_devices.h"

namespace bankside {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::phantom;
using testing::sameNumbers;

class RecipesOnDevices : public SeveralDevices {
 protected:
  static constexpr int images = 6;

  Runner runner() const {
    const Recipe recipe = parseRecipe(R"({"bankside":"recipe","version":4,"steps":[
      {"do":"unit"},{"name":"input","do":"local-mean","sigma":3},{"bank":"sobel","combine":["magnitude"]},
      {"do":"standardize"}]})",
                                      "r");
    std::vector<FilterBank> banks;
    for (const RecipeStep& step : recipe.steps)
      if (!step.bank.empty()) banks.push_back(makeBank(step.bank));
    static const EngineList device = makeDeviceEngines();
    static const EngineList host = makeCpuEngines();
    static const std::unique_ptr<Engine> either = makeFallbackEngine(*device.front(), host);
    RunOptions options;
    options.mapDevices = mapDevices();
    return makeRunner(recipe, banks, options,
                      [](const ConvolutionProblem&) -> const Engine& { return *either; });
  }

  /// Its rows are read once another image has its device too.
  class Meeting final : public Source {
   public:
    Meeting(const Image& image, std::latch* both) : image_(image), both_(both) {}
    int channels() const override { return image_.channels(); }
    int height() const override { return image_.height(); }
    int width() const override { return image_.width(); }
    ElementType type() const override { return image_.type(); }
    void readRows(int channel, int firstRow, MutablePlane dst) override {
      if (std::latch* const both = std::exchange(both_, nullptr)) both->arrive_and_wait();
      ImageSource(image_).readRows(channel, firstRow, dst);
    }

   private:
    const Image& image_;
    std::latch* both_;
  };

  struct Done {
    std::vector<Image> planes;
    BankRun run;
  };
  /// Every image, by so many threads that take the next one each.
  std::vector<Done> done(Runner& runner, int threads) const {
    std::vector<Done> all(images);
    std::atomic<int> next = 0;
    std::latch both(2);
    {
      std::vector<std::jthread> team;
      for (int t = 0; t < threads; ++t) {
        team.emplace_back([&] {
          for (int i = next++; i < images; i = next++) {
            const Image image = phantom(64 + 8 * (i % 2));
            Meeting source(image, threads > 1 && i < 2 ? &both : nullptr);
            ImageQueue::Item item;
            item.source = &source;
            runner.runOne(item);
            EXPECT_EQ(item.error, nullptr);
            all[static_cast<std::size_t>(i)] = {std::move(item.planes), std::move(item.run)};
          }
        });
      }
    }
    return all;
  }
};

TEST_F(RecipesOnDevices, HaveTheBytesOfOne) {
  on_host::setDevice({.count = 1});
  Runner alone = runner();
  const Image image = phantom(64);
  EXPECT_FALSE(alone.takesSeveral(ImageSource(image)));
  const std::vector<Done> expected = done(alone, 1);

  on_host::setDevice({.count = 2});
  Runner both = runner();
  EXPECT_TRUE(both.takesSeveral(ImageSource(image)));
  std::vector<Done> made;
  EXPECT_GT(launchesOf(1, [&] { made = done(both, 3); }), 0u);
  for (std::size_t i = 0; i < images; ++i) {
    ASSERT_EQ(made[i].planes.size(), expected[i].planes.size());
    EXPECT_TRUE(sameNumbers(made[i].planes[0], expected[i].planes[0])) << i;
    for (const OperationReport& operation : made[i].run.operationSteps)
      EXPECT_THAT(operation.device, HasSubstr("kernels on the host (cuda:")) << operation.does;
  }
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(RecipesOnDevices, WhatALostOneHadTheOtherDoes) {
  on_host::setDevice({.count = 1});
  Runner alone = runner();
  const std::vector<Done> expected = done(alone, 1);
  on_host::setDevices({{.launchesUntilLost = 20}, {}});
  Runner both = runner();
  const std::vector<Done> made = done(both, 1);
  for (std::size_t i = 0; i < images; ++i) {
    ASSERT_EQ(made[i].planes.size(), 1u);
    EXPECT_TRUE(sameNumbers(made[i].planes[0], expected[i].planes[0])) << i;
    EXPECT_EQ(made[i].run.mapsInstead, "");
  }
  EXPECT_THAT(said_, Contains(HasSubstr("go on on another device, instead of")));
}

}  // namespace
}  // namespace bankside
