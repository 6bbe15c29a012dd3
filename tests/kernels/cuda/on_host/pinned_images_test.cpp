/// Images in pinned memory: a device reads and writes them by itself, and the bytes are those of copies.
#include <deque>
#include <optional>
#include <utility>

#include "core/image_memory.h"
#include "core/run/runner.h"
#include "kernels/cuda/runtime/bank_engine.h"
#include "kernels/cuda/runtime/pinned_memory.h"
#include "tests/kernels/cuda/on_host/several_devices.h"

namespace bankside {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PinnedImagesOnHost : public SeveralDevices {
 protected:
  static void expectBytesOfCopies(const Stack& stack, const std::string& engine, const ConvolutionProblem& p,
                                  const FilterBank& bank, const Region& region, double bandBytes,
                                  const std::string& what) {
    on_host::setLateStreams(false);
    on_host::setDevice({});
    const auto plan = bands(engine, p, bank, bandBytes);
    for (std::size_t i = 0; i < stack.images.size(); ++i) {
      const Image image = stack.images[i].clone();
      ImageSource source(image);
      ImageSink sink(p, region);
      plan->run(source, sink, region, {});
      for (std::size_t k = 0; k < sink.images().size(); ++k)
        EXPECT_TRUE(samePixels(stack.sinks[i]->images()[k], sink.images()[k]))
            << what << ", image " << i << ", plane " << k;
    }
  }
  static std::unique_ptr<Plan> bands(const std::string& engine, const ConvolutionProblem& p,
                                     const FilterBank& bank, double bandBytes) {
    return dynamic_cast<const cuda::BankEngine*>(engineOnHost(engine))
        ->prepareInBands(p, bank, {}, bandBytes);
  }
};

/// Memory on the way would be pinned: there is none where both ends are.
TEST_F(PinnedImagesOnHost, AreCopiedByNobody) {
  struct Case {
    const char *engine, *problem;
    double bandBytes;
    int images;
  };
  const Case cases[] = {{"cuda:single-channel", "c1h270w260-f3k5-reflect101-u8:f32-none", 2e5, 3},
                        {"cuda:single-channel", "c1h270w260-f3k5-wrap-u8:u8-max", 4e6, 4},
                        {"cuda:single-channel", "c1h270w260-f2k5x3-replicate-f32:f32-argmax", 3e5, 2},
                        {"cuda:single-channel", "c2h270w260-f2k3-constant=3-u16:u16-none-perplane", 1e6, 2},
                        {"cuda:multichannel", "c3h256w256-f2k3-reflect-u8:f32-none", 1e7, 3},
                        {"cuda:tensor", "c1h270w260-f5k7-reflect101-u8:f32-max", 2e5, 2},
                        {"cuda:fft", "c1h270w260-f2k7-wrap-u8:f32-none", 4e5, 2}};
  for (const Case& c : cases) {
    const ConvolutionProblem p = parseProblem(c.problem);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 3);
    for (const Region region : {wholeImage(p), Region{5, 2, 251, 263}}) {
      for (const StackKind pinned : {StackKind{true, true}, StackKind{true, false}, StackKind{false, true}}) {
        const std::string what = std::string(c.engine) + " " + c.problem +
                                 (pinned.pinnedIn ? ", pinned in" : "") +
                                 (pinned.pinnedOut ? ", pinned out" : "");
        if (region.height > p.height - 2) continue;
        on_host::setDevice({});
        const auto plan = bands(c.engine, p, bank, c.bandBytes);
        Stack stack(p, c.images, region, pinned);
        const std::int64_t before = pinnedBytes();
        on_host::setLateStreams(true, hash(p));
        plan->runAll(stack, {});
        EXPECT_EQ(stack.finished, stack.images.size());
        if (pinned.pinnedIn && pinned.pinnedOut) {
          EXPECT_EQ(pinnedBytes(), before) << what;
        } else {
          EXPECT_GT(pinnedBytes(), before) << what;
        }
        expectBytesOfCopies(stack, c.engine, p, bank, region, c.bandBytes, what);
      }
    }
  }
}

/// Some are pinned and some are not, in one slot too.
TEST_F(PinnedImagesOnHost, StandBesideOthers) {
  const ConvolutionProblem p = parseProblem("c2h200w200-f2k3-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(2, 2, 3, 3, 3);
  class Mixed final : public RunQueue {
   public:
    explicit Mixed(std::vector<std::unique_ptr<Stack>>& stacks) : stacks_(stacks) {}
    Item* next(bool wait) override {
      return given_ == 12 ? nullptr : stacks_[given_++ % stacks_.size()]->next(wait);
    }
    void done(Item& item) override { stacks_[finished_++ % stacks_.size()]->done(item); }

   private:
    std::vector<std::unique_ptr<Stack>>& stacks_;
    std::size_t given_ = 0, finished_ = 0;
  };
  std::vector<std::unique_ptr<Stack>> stacks;
  for (const StackKind pinned :
       {StackKind{true, true}, StackKind{}, StackKind{false, true}, StackKind{true, false}})
    stacks.push_back(std::make_unique<Stack>(p, 3, wholeImage(p), pinned));
  on_host::setDevice({});
  const auto plan = bands("cuda:multichannel", p, bank, 4e7);
  Mixed mixed(stacks);
  on_host::setLateStreams(true, 5);
  plan->runAll(mixed, {});
  for (const auto& stack : stacks) {
    EXPECT_EQ(stack->finished, 3u);
    expectBytesOfCopies(*stack, "cuda:multichannel", p, bank, wholeImage(p), 4e7, "one of four kinds");
  }
}

TEST_F(PinnedImagesOnHost, AreSharedByDevicesAndSurviveOne) {
  const ConvolutionProblem p = parseProblem("c1h270w260-f2k3-reflect101-u8:f32-max");
  const FilterBank bank = randomBank(2, 1, 3, 3, 3);
  for (const int launches : {-1, 3}) {
    std::vector<on_host::FakeDevice> devices(2);
    devices[1].launchesUntilLost = launches;
    on_host::setDevices(devices);
    const auto plan = bands("cuda:single-channel", p, bank, 2e5);
    Stack stack(p, 20, wholeImage(p), {true, true});
    on_host::setLateStreams(true, 3);
    EXPECT_GT(launchesOf(1, [&] { plan->runAll(stack, {}); }), 0u);
    EXPECT_EQ(stack.finished, 20u);
    expectBytesOfCopies(stack, "cuda:single-channel", p, bank, wholeImage(p), 2e5, "on two");
  }
}

/// Nothing writes into a result once a run has ended, however it did.
TEST_F(PinnedImagesOnHost, AreLeftAloneOnceARunIsStopped) {
  const ConvolutionProblem p = parseProblem("c1h270w260-f2k3-reflect101-u8:f32-max");
  const FilterBank bank = randomBank(2, 1, 3, 3, 3);
  on_host::setDevice({});
  const auto plan = bands("cuda:single-channel", p, bank, 1e5);
  std::optional<Stack> stack(std::in_place, p, 5, wholeImage(p), StackKind{true, true});
  class StopsAtTheSecond final : public RunQueue {
   public:
    StopsAtTheSecond(RunQueue& of, std::stop_source& stop) : of_(of), stop_(stop) {}
    Item* next(bool wait) override {
      if (++given_ == 3) stop_.request_stop();
      return of_.next(wait);
    }
    void done(Item& item) override { of_.done(item); }

   private:
    RunQueue& of_;
    std::stop_source& stop_;
    int given_ = 0;
  };
  std::stop_source stop;
  StopsAtTheSecond queue(*stack, stop);
  on_host::setLateStreams(true, 3);
  EXPECT_THROW(plan->runAll(queue, stop.get_token()), Cancelled);
  std::vector<Image> then;
  for (const auto& sink : stack->sinks) then.push_back(sink->images()[0].clone());
  cudaDeviceSynchronize();
  for (std::size_t i = 0; i < then.size(); ++i)
    EXPECT_TRUE(samePixels(stack->sinks[i]->images()[0], then[i])) << i;
}

TEST_F(PinnedImagesOnHost, TakeTheMemoryOfThoseThatAreGone) {
  on_host::setDevice({});
  cuda::PinnedImages::get().drop();
  const std::int64_t before = pinnedBytes();
  const auto make = [](int height) {
    const ImagesIn in(pinnedImages());
    return Image(1, height, 256, ElementType::F32);
  };
  std::optional<Image> first = make(256);
  const std::byte* const pixels = first->plane(0).data;
  EXPECT_EQ(pinnedBytes() - before, 256 * 1024);
  first.reset();
  EXPECT_EQ(make(250).plane(0).data, pixels) << "that is large enough";
  EXPECT_NE(make(100).plane(0).data, pixels) << "most of it would lie idle";
  const Image again = make(256);
  EXPECT_EQ(again.plane(0).data, pixels);
  cuda::PinnedImages::get().drop();
  EXPECT_EQ(pinnedBytes() - before, 256 * 1024) << "those in use stay";
  // Small ones are not worth it.
  EXPECT_FALSE(cuda::isPinned(make(10).plane(0)));
}

TEST_F(PinnedImagesOnHost, KeepNoMoreThanWasUsed) {
  on_host::setDevice({});
  cuda::PinnedImages::get().drop();
  const std::int64_t before = pinnedBytes();
  constexpr std::int64_t row = 8192, most = 2000;
  const auto make = [](int height) {
    const ImagesIn in(pinnedImages());
    return Image(1, height, row / 4, ElementType::F32);
  };
  make(most);
  for (int height = 100; height < most; height = height * 4 / 3) {
    const Image held = make(height);
    EXPECT_EQ(pinnedBytes() - pinnedBesideImages(), height * row);
    EXPECT_LE(pinnedBytes() - before, 2 * most * row) << height;
  }
}

/// What the runner gives a device to write lies where it can, also in the memory of an image that is done.
TEST_F(PinnedImagesOnHost, AreResultsOfImagesThatFollowEachOther) {
  constexpr int images = 5;
  const FilterBank bank = randomBank(3, 1, 5, 5, 3);
  class Queue final : public ImageQueue {
   public:
    Queue() {
      for (int i = 0; i < images; ++i) pictures.push_back(randomImage(1, 200, 190, ElementType::U8, 7u + i));
      for (const Image& picture : pictures) sources.emplace_back(picture);
    }
    Item* next(bool) override {
      if (given == images) return nullptr;
      Item& item = items[given];
      item.source = &sources[given++];
      if (!spare.empty()) reused = spare[0].plane(0).data;
      item.planes = std::exchange(spare, {});
      return &item;
    }
    void done(Item& item) override {
      EXPECT_FALSE(item.error);
      EXPECT_TRUE(item.run.hasDevice());
      ASSERT_EQ(item.planes.size(), 1u);
      EXPECT_TRUE(cuda::isPinned(item.planes[0].plane(0)));
      results.push_back(item.planes[0].clone());
      again = again || item.planes[0].plane(0).data == reused;
      spare = std::move(item.planes);
    }
    std::vector<Image> pictures, results, spare;
    std::deque<ImageSource> sources;
    Item items[images];
    std::size_t given = 0;
    const std::byte* reused = nullptr;
    bool again = false;
  };
  on_host::setDevice({});
  const auto alone = engineOnHost("cuda:single-channel");
  Runner runner(Pipeline(bank, Combine::Max, false), {},
                [&](const ConvolutionProblem&) -> const Engine& { return *alone; });
  Queue queue;
  runner.runAll(queue);
  ASSERT_EQ(queue.results.size(), std::size_t{images});
  EXPECT_TRUE(queue.again) << "the memory of one that was done";
  for (int i = 0; i < images; ++i) {
    ConvolutionProblem p = parseProblem("c1h200w190-f3k5-reflect101-u8:f32-max");
    EXPECT_TRUE(samePixels(queue.results[static_cast<std::size_t>(i)],
                           runWhole(*alone, p, bank, queue.pictures[static_cast<std::size_t>(i)])[0]))
        << i;
  }
}

TEST_F(PinnedImagesOnHost, LieInOrdinaryMemoryWhereNoneIsLeft) {
  cuda::PinnedImages::get().drop();
  on_host::setDevice({.freeBytes = 100'000});
  const ImagesIn in(pinnedImages());
  for (int i = 0; i < 2; ++i) {
    const Image image(1, 256, 256, ElementType::F32);
    EXPECT_FALSE(cuda::isPinned(image.plane(0)));
  }
  EXPECT_THAT(said_, ElementsAre(HasSubstr("there is no pinned memory, so that threads copy")))
      << "said once";
  on_host::setDevice({.count = 0});
  EXPECT_EQ(pinnedImages(), nullptr);
}

}  // namespace
}  // namespace bankside
