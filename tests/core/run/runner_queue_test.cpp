/// Many images through one runner.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <set>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/parallel.h"
#include "core/run/gathered_planes.h"
#include "tests/core/run/stacking_engine.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::always;
using testing::reference;
using testing::StackingEngine;

class Stack final : public ImageQueue {
 public:
  explicit Stack(std::vector<Image> given) : images(std::move(given)), items(images.size()) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      sources_.push_back(std::make_unique<ImageSource>(images[i]));
      items[i].source = sources_.back().get();
    }
  }
  Item* next(bool) override {
    if (next_ == items.size()) return nullptr;
    if (next_ >= 2) {  // memory of one that is done
      items[next_].planes = std::move(spare_);
      spare_.clear();
    }
    return &items[next_++];
  }
  void done(Item& item) override {
    ASSERT_EQ(&item, &items[finished]) << "in order";
    if (item.error == nullptr && finished > 2 && finished % 2 == 1) {
      for (const Image& plane : item.planes) spare_.push_back(plane.clone());
    }
    ++finished;
  }
  std::vector<Image> images;
  std::deque<Item> items;
  std::size_t finished = 0;

 private:
  std::vector<std::unique_ptr<ImageSource>> sources_;
  std::vector<Image> spare_;
  std::size_t next_ = 0;
};

std::vector<Image> mixedImages() {
  std::vector<Image> images;
  const int widths[] = {20, 20, 20, 20, 31, 20, 20, 13, 31, 31, 31};
  std::uint64_t seed = 0;
  for (const int width : widths)
    images.push_back(testing::randomImage(1, 17, width, ElementType::U8, ++seed));
  images.push_back(testing::randomImage(1, 17, 31, ElementType::F32, 99));
  return images;
}

/// Every image has the planes of a run of its own, and what cannot run says so.
void expectRunsOfTheirOwn(const Pipeline& pipeline, const RunOptions& options, Stack& stack) {
  ASSERT_EQ(stack.finished, stack.images.size());
  Runner alone(pipeline, options, always(reference()));
  for (std::size_t i = 0; i < stack.images.size(); ++i) {
    ImageQueue::Item& item = stack.items[i];
    if (stack.images[i].width() == 13) {
      ASSERT_NE(item.error, nullptr);
      EXPECT_THROW(std::rethrow_exception(item.error), Error);
      EXPECT_TRUE(item.planes.empty());
      continue;
    }
    ASSERT_EQ(item.error, nullptr) << i;
    const auto expected = testing::collect(alone, stack.images[i]);
    ASSERT_EQ(item.planes.size(), expected.size()) << i;
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_TRUE(samePixels(item.planes[k], expected[k])) << "image " << i << ", plane " << k;
    ASSERT_FALSE(item.run.steps.empty());
    EXPECT_EQ(item.run.steps.back().problem.width, stack.images[i].width());
    EXPECT_EQ(item.run.steps.back().engine, "stacking");
  }
}

TEST(RunnerQueue, GivesThePlanesOfRunsOfTheirOwn) {
  const FilterBank bank = testing::integerBank(5, 1, 3, 4);
  for (const bool responses : {true, false}) {
    const Pipeline pipeline(bank, Combine::ArgMax, responses);
    const StackingEngine engine;
    Runner runner(pipeline, {}, always(engine));
    Stack stack(mixedImages());
    runner.runAll(stack);
    EXPECT_EQ(engine.mostUnderWay, 3u);
    expectRunsOfTheirOwn(pipeline, {}, stack);
  }
}

/// Filters of two sizes are two problems, whose responses a combine hides; two stages; judged results.
TEST(RunnerQueue, TakesWhatNoPlanTakesAtOnce) {
  std::vector<Filter> filters = testing::integerBank(3, 1, 3, 3).filters();
  Filter wide = testing::integerBank(1, 1, 5, 7, 9)[0];
  wide.label = "wide";
  filters.push_back(wide);
  const FilterBank mixed({.name = "mixed"}, std::move(filters));
  const StackingEngine engine;
  const auto twoStages = [](int maps) {
    return testing::twoStages(testing::integerBank(maps, 1, 3, 3), Activation::Abs,
                              testing::integerBank(2, maps == 2 ? 1 : maps, 3, 3, 4));
  };
  RunOptions judged;
  judged.verifyReference = true;
  RunOptions little;
  little.memoryBudget = 17 * 31 * 4 * 4;  // two results fit its half, five maps come in blocks
  const std::pair<Pipeline, RunOptions> runs[] = {
      {{mixed, Combine::Max, false}, {}}, {mixed, judged}, {twoStages(2), {}}, {twoStages(5), little}};
  for (const auto& [pipeline, options] : runs) {
    Runner runner(pipeline, options, always(engine));
    Stack stack(mixedImages());
    for (const Image& image : stack.images) EXPECT_TRUE(runner.givesWhole(1, image.height(), image.width()));
    runner.runAll(stack);
    expectRunsOfTheirOwn(pipeline, options, stack);
    EXPECT_EQ(stack.items[0].run.verified, options.verifyReference);
  }
}

/// Among images that overlap some come in bands, in their turn and with the same bytes.
TEST(RunnerQueue, ReceivesSomeImagesInBands) {
  const FilterBank bank = testing::integerBank(5, 1, 3, 4);
  const StackingEngine engine;
  RunOptions little;
  little.memoryBudget = 17 * 31 * 4 * 2;
  Runner runner({bank, Combine::Max}, little, always(engine));
  Runner whole({bank, Combine::Max}, {}, always(reference()));
  Stack stack(mixedImages());
  std::map<std::size_t, GatheredPlanes> received;
  for (const std::size_t i : {0u, 3u, 4u, 9u}) {
    GatheredPlanes& planes = received.emplace(i, stack.images[i].height()).first->second;
    stack.items[i].receive = [&stack, &planes, i](int firstRow, const std::vector<Image>& band) {
      EXPECT_EQ(stack.finished, i) << "those before are done";
      planes.add(firstRow, band);
    };
  }
  runner.runAll(stack);
  for (auto& [i, planes] : received) {
    EXPECT_TRUE(stack.items[i].planes.empty());
    EXPECT_GT(stack.items[i].run.bands, 1);
    const auto expected = testing::collect(whole, stack.images[i]);
    ASSERT_EQ(planes.images().size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_TRUE(samePixels(planes.images()[k], expected[k])) << "image " << i << ", plane " << k;
  }
  EXPECT_EQ(stack.items[1].planes.size(), 6u);
}

/// Bands are given one after another, on another thread, while the next one is computed, with the same bytes.
TEST(RunnerQueue, GivesBandsBehind) {
  const FilterBank bank = testing::integerBank(5, 1, 3, 4);
  const Image image = testing::randomImage(1, 40, 31, ElementType::U8, 7);
  ImageSource source(image);
  RunOptions little;
  little.memoryBudget = 40 * 31 * 4;
  little.writeBehind = true;
  little.plan.threads = 2;
  const auto expected = [&] {
    Runner whole({bank, Combine::Max}, {}, always(reference()));
    return testing::collect(whole, image);
  }();
  Runner runner({bank, Combine::Max}, little, always(reference()));
  GatheredPlanes planes(40);
  std::set<std::thread::id> threads;
  int next = 0;
  const BankRun run = runner.run(source, [&](int firstRow, const std::vector<Image>& band) {
    EXPECT_EQ(firstRow, std::exchange(next, firstRow + band.front().height()));
    threads.insert(std::this_thread::get_id());
    planes.add(firstRow, band);
  });
  EXPECT_GE(run.bands, 12) << "two are held at a time";
  EXPECT_EQ(next, 40);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
  ASSERT_EQ(planes.images().size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_TRUE(samePixels(planes.images()[k], expected[k]));

  int given = 0;
  EXPECT_THROW(runner.run(source,
                          [&](int, const std::vector<Image>&) {
                            if (++given == 3) throw Error(ErrorCode::Io, "no more");
                          }),
               Error);
  EXPECT_EQ(given, 3) << "nothing is given after that";
}

/// Several threads run images of several sizes at a time, and each plan is prepared once.
TEST(RunnerQueue, RunsImagesBesideEachOther) {
  const FilterBank bank = testing::integerBank(5, 1, 3, 4);
  const StackingEngine device;
  Runner onDevice(bank, {}, always(device));
  const std::vector<Image> given = mixedImages();
  EXPECT_FALSE(onDevice.takesSeveral(ImageSource(given[0]))) << "its plans are not shared";
  const auto chain = testing::twoStages(testing::integerBank(2, 1, 3, 3), Activation::Abs,
                                        testing::integerBank(2, 1, 3, 3, 4));
  for (const Pipeline& pipeline : {Pipeline(bank, Combine::ArgMax, false), chain}) {
    Runner runner(pipeline, {}, always(reference()));
    Stack stack(mixedImages());
    ASSERT_TRUE(runner.takesSeveral(ImageSource(stack.images[0])));
    {
      std::atomic<std::size_t> next = 0;
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
          const SingleThreaded single(i % 2 == 0);
          for (std::size_t k = next++; k < stack.items.size(); k = next++) runner.runOne(stack.items[k]);
        });
      }
    }
    Runner alone(pipeline, {}, always(reference()));
    for (std::size_t i = 0; i < stack.items.size(); ++i) {
      ASSERT_EQ(stack.items[i].error, nullptr);
      const auto expected = testing::collect(alone, stack.images[i]);
      ASSERT_EQ(stack.items[i].planes.size(), expected.size()) << i;
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_TRUE(samePixels(stack.items[i].planes[k], expected[k])) << "image " << i << ", plane " << k;
    }
  }
}

/// What a plan had begun when it broke is run again, one by one.
TEST(RunnerQueue, APlanThatBreaksLosesNoImage) {
  const FilterBank bank = testing::integerBank(5, 1, 3, 4);
  for (const int at : {0, 1, 3}) {
    const StackingEngine engine(at);
    Runner runner(bank, {}, always(engine));
    Stack stack(mixedImages());
    runner.runAll(stack);
    expectRunsOfTheirOwn(bank, {}, stack);
  }
}

TEST(RunnerQueue, StopsWhereItIsTold) {
  const StackingEngine engine;
  Runner runner(testing::integerBank(5, 1, 3, 4), {}, always(engine));
  Stack stack(mixedImages());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(runner.runAll(stack, stop.get_token()), Cancelled);
  EXPECT_EQ(stack.finished, 0u);
}

TEST(RunnerQueue, CountsWhatItComputes) {
  Runner apart({testing::integerBank(5, 1, 3, 4), Combine::ArgMax}, {}, always(reference()));
  EXPECT_EQ(apart.resultBytes(2, 10, 30), 2 * (5 * 4 + 4 + 2) * 300);
  RunOptions little;
  little.memoryBudget = 6 * 300;
  Runner fused({testing::integerBank(5, 1, 3, 4), Combine::ArgMax, false}, little, always(reference()));
  EXPECT_EQ(fused.resultBytes(1, 10, 30), 6 * 300);
  EXPECT_TRUE(fused.givesWhole(1, 10, 30));
  EXPECT_FALSE(fused.givesWhole(1, 10, 31));
}

}  // namespace
}  // namespace bankside
