/// Several GPUs: stacks and bands are spread over them with the bytes of one, and what one of them loses the
/// others do.
#include "tests/kernels/cuda/on_host/several_devices.h"

#include <algorithm>

#include "core/run/runner.h"
#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/devices.h"
#include "kernels/engine_list.h"
#include "kernels/fallback_engine.h"
#include "kernels/planner/cuda_planner.h"
#include "kernels/reference/reference_engine.h"

namespace bankside {
namespace {

using on_host::FakeDevice;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(SeveralDevices, ShareAStack) {
  for (const bool late : {false, true}) {
    on_host::setDevice({.count = 2});
    on_host::setLateStreams(late, 7);
    const auto both = plan();
    Stack stack(problem_, manyImages);
    expectBytesOfOne(*both, stack);
    const auto done = counts(stack);
    ASSERT_EQ(done.size(), 2u);
    EXPECT_GE(done.at("kernels on the host (cuda:0)"), 32);
    EXPECT_GE(done.at("kernels on the host (cuda:1)"), 10);
  }
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(SeveralDevices, AFewImagesAreNotWorthAnother) {
  const auto both = plan();
  Stack stack(problem_, 8);
  EXPECT_EQ(launchesOf(1, [&] { both->runAll(stack, {}); }), 0u);
  EXPECT_FALSE(cuda::deviceIsUp(1));
}

/// Bands are the same for any number of devices: so are the bytes of tiles that are counted from a band's
/// top.
TEST_F(SeveralDevices, ShareTheBandsOfAnImage) {
  const std::pair<const char*, const char*> cases[] = {
      {"cuda:single-channel", "c1h400w45-f3k5-reflect101-u8:f32-none"},
      {"cuda:single-channel", "c1h600w45-f40k7-wrap-f32:f32-argmax"},
      {"cuda:multichannel", "c5h300w40-f9k3-reflect101-f32:f32-none"},
      {"cuda:tensor", "c1h400w72-f5k7-wrap-u8:f32-none"},
      {"cuda:fft", "c1h400w72-f5k7-wrap-u8:f32-none"}};
  for (const auto& [name, text] : cases) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 3);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 3);
    const auto bandsOn = [&](int devices, bool late) {
      on_host::setDevice({.count = devices});
      on_host::setLateStreams(late, hash(p));
      const auto* engine = dynamic_cast<const cuda::BankEngine*>(engineOnHost(name));
      const auto plan = engine->prepareInBands(p, bank, {}, 8e3);
      std::vector<Image> planes = runWhole(*plan, p, image);
      on_host::setLateStreams(false);
      EXPECT_EQ(plan->device(), devices == 1 ? "" : "kernels on the host (cuda:0 and cuda:1)");
      return planes;
    };
    const std::vector<Image> one = bandsOn(1, false);
    for (const bool late : {false, true}) {
      const std::vector<Image> two = bandsOn(2, late);
      for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(samePixels(one[i], two[i])) << text;
    }
  }
}

/// Whichever is lost, and whenever: its images are the other's.
TEST_F(SeveralDevices, WhatALostOneHadTheOtherDoes) {
  for (const int lost : {0, 1}) {
    for (const int launches : {0, 1, 5, 20}) {
      said_.clear();
      std::vector<FakeDevice> devices(2);
      devices[static_cast<std::size_t>(lost)].launchesUntilLost = launches + (lost == 0 ? 40 : 0);
      on_host::setDevices(devices);
      const auto both = plan();
      Stack stack(problem_, 2 * manyImages);
      stack.plan = both.get();
      both->runAll(stack, {});
      const std::string name = "cuda:" + std::to_string(lost);
      EXPECT_THAT(said_,
                  ElementsAre(HasSubstr(name + " is left out, other devices go on: the GPU was lost")));
      EXPECT_THAT(both->info().why, HasSubstr(name + " failed: the GPU was lost"));
      EXPECT_EQ(stack.places.back(), "kernels on the host (cuda:" + std::to_string(1 - lost) + ")");
      EXPECT_THAT(cuda::devicesInUse(), ElementsAre(1 - lost));
      // Later plans do not try it again.
      EXPECT_TRUE(engineOnHost("cuda:single-channel")->available());
      Stack later(problem_, manyImages);
      const auto after = plan();
      EXPECT_EQ(launchesOf(lost, [&] { after->runAll(later, {}); }), 0u);
      // Who named it is not told that it cannot be used.
      useDevices({0, 1});
      EXPECT_NO_THROW(requireNamedDevices());
      EXPECT_TRUE(lostDevices());
      useDevices({});
      expectBytesOfOne(later);
      expectBytesOfOne(stack);
    }
  }
}

/// Rows that are with the sink stay there; the others come from the other device, in their order.
TEST_F(SeveralDevices, AnImageInBandsGoesOnWhereOneWasLost) {
  const ConvolutionProblem p = parseProblem("c1h600w45-f3k5-wrap-u8:f32-none");
  const Image image = randomImage(1, 600, 45, ElementType::U8, 3);
  /// In increasing order, each row once.
  class Rows final : public Sink {
   public:
    explicit Rows(const ConvolutionProblem& p) : kept(p, wholeImage(p)), next_(3, 0) {}
    int planes() const override { return 3; }
    ElementType type(int) const override { return ElementType::F32; }
    void writeRows(int plane, int firstRow, ConstPlane src) override {
      EXPECT_EQ(firstRow, next_[static_cast<std::size_t>(plane)]);
      next_[static_cast<std::size_t>(plane)] += src.height;
      kept.writeRows(plane, firstRow, src);
    }
    ImageSink kept;

   private:
    std::vector<int> next_;
  };
  const auto run = [&] {
    const auto plan = cuda::makeSingleChannelPlan(p, bank_, {}, {.bandBytes = 8e3});
    ImageSource source(image);
    Rows rows(p);
    plan->run(source, rows, wholeImage(p), {});
    return std::move(rows.kept.images());
  };
  on_host::setDevice({});
  const std::vector<Image> expected = run();
  for (const int lost : {0, 1}) {
    std::vector<FakeDevice> devices(2);
    devices[static_cast<std::size_t>(lost)].launchesUntilLost = lost == 0 ? 40 : 7;
    on_host::setDevices(devices);
    on_host::setLateStreams(true, 3);
    const std::vector<Image> planes = run();
    on_host::setLateStreams(false);
    for (std::size_t i = 0; i < planes.size(); ++i) EXPECT_TRUE(samePixels(planes[i], expected[i])) << lost;
  }
  EXPECT_EQ(said_.size(), 2u);
}

TEST_F(SeveralDevices, OneWithoutMemoryIsLeftOut) {
  std::vector<FakeDevice> devices(2);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1000}, std::size_t{40000}}) {
    said_.clear();
    devices[1].freeBytes = bytes;
    on_host::setDevices(devices);
    const auto both = plan();
    Stack stack(problem_, manyImages);
    stack.plan = both.get();
    both->runAll(stack, {});
    ASSERT_EQ(said_.size(), 1u) << bytes;
    EXPECT_THAT(said_[0], HasSubstr("cuda:1 is left out, other devices go on: "));
    EXPECT_THAT(said_[0], HasSubstr("memory"));
    EXPECT_EQ(counts(stack).size(), 1u);
    expectBytesOfOne(stack);
  }
  // The lead itself.
  said_.clear();
  devices[0].freeBytes = 20000;
  devices[1].freeBytes = FakeDevice{}.freeBytes;
  on_host::setDevices(devices);
  const auto both = plan();
  Stack stack(problem_, 3);
  expectBytesOfOne(*both, stack);
  EXPECT_EQ(stack.places.back(), "kernels on the host (cuda:1)");
  EXPECT_THAT(said_,
              ElementsAre(HasSubstr("cuda:0 is left out, other devices go on: the GPU's memory ran out")));
}

/// Where all are lost an engine of the host goes on, unless this one was asked for by name.
TEST_F(SeveralDevices, WhenNoneIsLeftTheHostGoesOn) {
  EngineList list;
  list.push_back(makeCudaPlannerEngine());
  list.push_back(makeReferenceEngine());
  std::vector<FakeDevice> devices(2);
  devices[0].launchesUntilLost = 50;
  devices[1].launchesUntilLost = 3;
  on_host::setDevices(devices);
  const FilterBank bank = integerBank(3, 1, 5, 5);
  const auto engine = makeFallbackEngine(*list.front(), list);
  Runner runner({bank, Combine::Max, false}, {},
                [&](const ConvolutionProblem&) -> const Engine& { return *engine; });
  class Images final : public ImageQueue {
   public:
    Item* next(bool) override {
      if (items.size() == 100) return nullptr;
      images.push_back(integerImage(1, 33, 45, ElementType::U8));
      sources.push_back(std::make_unique<ImageSource>(images.back()));
      items.emplace_back().source = sources.back().get();
      return &items.back();
    }
    void done(Item& item) override {
      EXPECT_EQ(item.error, nullptr);
      places.push_back(item.run.steps.at(0).device);
    }
    std::deque<Image> images;
    std::deque<std::unique_ptr<ImageSource>> sources;
    std::deque<Item> items;
    std::vector<std::string> places;
  } queue;
  runner.runAll(queue);
  ASSERT_EQ(queue.places.size(), 100u);
  EXPECT_EQ(queue.places.front(), "kernels on the host (cuda:0)");
  EXPECT_GE(std::count(queue.places.begin(), queue.places.end(), "kernels on the host (cuda:1)"), 1);
  EXPECT_EQ(queue.places.back(), "CPU");
  ASSERT_EQ(said_.size(), 2u);
  EXPECT_THAT(said_[0], HasSubstr("cuda:1 is left out"));
  EXPECT_THAT(said_[1], HasSubstr("reference goes on where cuda failed: the GPU was lost"));
  on_host::setDevice({});
  const ConvolutionProblem p =
      makeProblem(bank, 1, 33, 45, ElementType::U8, ElementType::F32, {BorderKind::Reflect101}, Combine::Max);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::vector<Image> expected = runWhole(*list.back(), p, bank, queue.images[i]);
    EXPECT_TRUE(samePixels(queue.items[i].planes.at(0), expected[0])) << i;
  }
}

}  // namespace
}  // namespace bankside
