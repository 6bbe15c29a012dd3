/// A machine with two GPUs or more: what lies on all of them has the bytes of one.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/image_memory.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/devices.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside {
namespace {

class SeveralGpus : public ::testing::Test {
 protected:
  void TearDown() override {
    if (cuda::devicesNamed()) useDevices({});
  }
};

#define BANKSIDE_NEEDS_TWO_GPUS()                              \
  BANKSIDE_NEEDS_GPU();                                        \
  if (const auto kind = cuda::devicesInUse(); kind.size() < 2) \
  GTEST_SKIP() << "there are not two GPUs of one kind"

class Stack final : public RunQueue {
 public:
  Stack(const ConvolutionProblem& p, int count, Plan& plan, bool pinned = false) : plan_(plan) {
    const ImagesIn in(pinned ? pinnedImages() : nullptr);
    for (int i = 0; i < count; ++i) {
      images_.push_back(
          randomImage(p.channels, p.height, p.width, p.srcType, static_cast<std::uint64_t>(i % 7)));
      sinks.push_back(std::make_unique<ImageSink>(p, wholeImage(p)));
      sources_.push_back(std::make_unique<ImageSource>(images_.back()));
      items_.push_back({*sources_.back(), *sinks.back(), wholeImage(p)});
    }
  }
  Item* next(bool) override { return given_ == items_.size() ? nullptr : &items_[given_++]; }
  void done(Item&) override { places.push_back(plan_.device()); }

  std::vector<std::unique_ptr<ImageSink>> sinks;
  std::vector<std::string> places;

 private:
  Plan& plan_;
  std::deque<Image> images_;
  std::vector<std::unique_ptr<ImageSource>> sources_;
  std::deque<Item> items_;
  std::size_t given_ = 0;
};

TEST_F(SeveralGpus, ShareAStackWithTheBytesOfOne) {
  BANKSIDE_NEEDS_TWO_GPUS();
  for (const char* text : {"c1h1000w999-f12k7-reflect101-u8:f32-max", "c1h800w801-f5k15-wrap-u16:f32-none",
                           "c3h500w500-f16k3-reflect101-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth);
    const auto on = [&](const std::vector<int>& devices, bool pinned = false) {
      useDevices(devices);
      const auto plan = findEngine("cuda")->prepare(p, bank, {});
      auto stack = std::make_unique<Stack>(p, 80, *plan, pinned);
      plan->runAll(*stack, {});
      return stack;
    };
    const auto one = on({0});
    const auto other = on({1});
    const auto both = on({});
    const auto inPlace = on({}, true);
    EXPECT_NE(one->places.back(), other->places.back());
    EXPECT_EQ(std::set<std::string>(both->places.begin(), both->places.end()).size(),
              cuda::devicesInUse().size());
    for (std::size_t i = 0; i < one->sinks.size(); ++i)
      for (std::size_t k = 0; k < one->sinks[i]->images().size(); ++k) {
        EXPECT_TRUE(samePixels(one->sinks[i]->images()[k], other->sinks[i]->images()[k])) << text << " " << i;
        EXPECT_TRUE(samePixels(one->sinks[i]->images()[k], both->sinks[i]->images()[k])) << text << " " << i;
        EXPECT_TRUE(samePixels(one->sinks[i]->images()[k], inPlace->sinks[i]->images()[k]))
            << text << " " << i << ", pinned";
      }
  }
}

TEST_F(SeveralGpus, ShareTheBandsOfAnImage) {
  BANKSIDE_NEEDS_TWO_GPUS();
  const ConvolutionProblem p = parseProblem("c1h20000w16001-f3k15-reflect101-u8:f32-max");
  const Image image = randomImage(1, p.height, p.width, p.srcType);
  const FilterBank bank = randomBank(3, 1, 15, 15);
  for (const char* name : {"cuda:single-channel", "cuda:tensor", "cuda:fft"}) {
    const Engine& engine = *findEngine(name);
    if (!engine.available()) continue;
    useDevices({0});
    const std::vector<Image> one = runWhole(engine, p, bank, image);
    useDevices({});
    const auto plan = engine.prepare(p, bank, {});
    const std::vector<Image> both = runWhole(*plan, p, image);
    EXPECT_NE(plan->device().find("cuda:1"), std::string::npos) << name;
    EXPECT_TRUE(samePixels(one[0], both[0])) << name;
  }
}

}  // namespace
}  // namespace bankside
