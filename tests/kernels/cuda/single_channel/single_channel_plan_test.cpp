/// The host side: bands, reuse, many filters, cancelling, running out of memory.
#include "kernels/cuda/single_channel/single_channel_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <thread>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"
#include "tests/support/stopping.h"

namespace bankside::cuda {
namespace {

std::vector<Image> runPlan(Plan& plan, const ConvolutionProblem& p, const Image& image) {
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  plan.run(source, sink, wholeImage(p), {});
  return std::move(sink.images());
}

void expectSame(const std::vector<Image>& a, const std::vector<Image>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(samePixels(a[i], b[i])) << what << ", plane " << i << ": " << difference(a, b).place();
}

TEST(SingleChannelPlan, GivesTheSameBytesInBandsOfAnyHeight) {
  BANKSIDE_NEEDS_GPU();
  for (const char* border : {"constant=7", "replicate", "reflect", "reflect101", "wrap"}) {
    for (const char* rest : {"-u8:f32-none", "-f32:f32-argmax"}) {
      const ConvolutionProblem p = parseProblem("c1h301w203-f3k7-" + std::string(border) + rest);
      const FilterBank bank = randomBank(3, 1, 7, 7, 1);
      const Image image = randomImage(1, p.height, p.width, p.srcType, 2);
      const auto whole = runPlan(*makeSingleChannelPlan(p, bank, {}), p, image);
      for (const double bytes : {1.0, 30e3, 400e3}) {
        const auto plan = makeSingleChannelPlan(p, bank, {}, {.bandBytes = bytes});
        expectSame(runPlan(*plan, p, image), whole, format(p) + " in bands of " + std::to_string(bytes));
      }
    }
  }
}

TEST(SingleChannelPlan, RunsAgainAndBesideOthers) {
  BANKSIDE_NEEDS_GPU();
  const ConvolutionProblem p = parseProblem("c1h211w307-f4k5-reflect101-f32:f32-none");
  const FilterBank first = randomBank(4, 1, 5, 5, 1);
  const FilterBank second = randomBank(4, 1, 5, 5, 2);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 3);
  const auto a = makeSingleChannelPlan(p, first, {});
  const auto b = makeSingleChannelPlan(p, second, {});
  const auto expectedA = runWhole(*findEngine("cpu:direct"), p, first, image);
  const auto expectedB = runWhole(*findEngine("cpu:direct"), p, second, image);
  for (int i = 0; i < 3; ++i) {
    expectSame(runPlan(*a, p, image), expectedA, "first bank");
    expectSame(runPlan(*b, p, image), expectedB, "second bank");
  }
  // Two threads, two plans of the same variant: constant memory must not mix their taps.
  std::vector<Image> fromA;
  std::vector<Image> fromB;
  std::thread one([&] {
    for (int i = 0; i < 20; ++i) fromA = runPlan(*a, p, image);
  });
  std::thread two([&] {
    for (int i = 0; i < 20; ++i) fromB = runPlan(*b, p, image);
  });
  one.join();
  two.join();
  expectSame(fromA, expectedA, "first bank beside the second");
  expectSame(fromB, expectedB, "second bank beside the first");
}

TEST(SingleChannelPlan, TakesBanksLargerThanConstantMemory) {
  BANKSIDE_NEEDS_GPU();
  for (const char* combine : {"none", "argmax"}) {
    const ConvolutionProblem p = parseProblem("c1h40w70-f100k15-reflect101-f32:f32-" + std::string(combine));
    const FilterBank bank = randomBank(100, 1, 15, 15, 1);
    const Image image = randomImage(1, p.height, p.width, p.srcType, 2);
    expectSame(runPlan(*makeSingleChannelPlan(p, bank, {}), p, image),
               runWhole(*findEngine("cpu:direct"), p, bank, image), combine);
  }
}

TEST(SingleChannelPlan, StopsSoonAfterItIsAsked) {
  BANKSIDE_NEEDS_GPU();
  const ConvolutionProblem p = parseProblem("c1h12000w8000-f64k31-reflect101-u8:f32-max");
  const FilterBank bank = randomBank(64, 1, 31, 31, 1);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 2);
  ImageSource source(image);
  testing::expectStopsSoon(*makeSingleChannelPlan(p, bank, {}), p, source, 0.5);
  // And the plan can be used again.
  const ConvolutionProblem small = parseProblem("c1h40w70-f64k31-reflect101-u8:f32-max");
  const Image part = randomImage(1, 40, 70, small.srcType, 2);
  expectSame(runPlan(*makeSingleChannelPlan(small, bank, {}), small, part),
             runWhole(*findEngine("cpu:direct"), small, bank, part), "after a stop");
}

/// Every phase is timed, and compute is the kernels alone.
TEST(SingleChannelPlan, ReportsItsPhases) {
  BANKSIDE_NEEDS_GPU();
  const ConvolutionProblem p = parseProblem("c1h2048w2048-f8k5-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(8, 1, 5, 5, 1);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 2);
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  const PhaseTimes times = makeSingleChannelPlan(p, bank, {})->run(source, sink, wholeImage(p), {});
  EXPECT_GT(times.upload, 0);
  EXPECT_GT(times.compute, 0);
  EXPECT_GT(times.download, 0);
}

/// Gives one image again and again.
class Repeats final : public RunQueue {
 public:
  Repeats(const ConvolutionProblem& p, const Image& image, int count) : source_(image), left_(count) {
    for (int i = 0; i < 4; ++i) {
      sinks.push_back(std::make_unique<ImageSink>(p, wholeImage(p)));
      items_.push_back({source_, *sinks.back(), wholeImage(p)});
    }
  }
  Item* next(bool) override { return left_-- > 0 ? &items_[static_cast<std::size_t>(left_ % 4)] : nullptr; }
  void done(Item& item) override { times += item.times; }
  std::vector<std::unique_ptr<ImageSink>> sinks;
  PhaseTimes times;

 private:
  ImageSource source_;
  int left_;
  std::vector<Item> items_;
};

double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one after another and a stack of them: the same bytes, and what an image takes.
TEST(SingleChannelPlan, StacksGiveTheSameBytes) {
  BANKSIDE_NEEDS_GPU();
  for (const char* text :
       {"c1h256w256-f8k5-reflect101-u8:f32-none", "c1h512w512-f1k3-reflect101-f32:f32-none",
        "c1h512w512-f12k15-reflect101-u8:f32-max", "c1h1024w1024-f8k5-reflect101-f32:f32-none",
        "c1h1024w1024-f12k15-reflect101-u8:f32-argmax", "c1h3000w4000-f1k5-reflect101-u8:f32-none",
        "c1h3000w4000-f12k15-reflect101-u8:f32-max"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 1);
    const Image image = randomImage(1, p.height, p.width, p.srcType, 2);
    const auto expected = runWhole(*findEngine("cpu:direct"), p, bank, image);
    const int count = p.width > 1024 ? 24 : 200;
    const auto plan = makeSingleChannelPlan(p, bank, {});
    Repeats warm(p, image, 12);
    plan->runAll(warm, {});
    ImageSource source(image);
    ImageSink sink(p, wholeImage(p));
    std::vector<double> alone;
    std::vector<double> stacked;
    PhaseTimes phases;
    for (int round = 0; round < 5; ++round) {
      alone.push_back(secondsOf([&] {
        for (int i = 0; i < count; ++i) plan->run(source, sink, wholeImage(p), {});
      }));
      Repeats stack(p, image, count);
      stacked.push_back(secondsOf([&] { plan->runAll(stack, {}); }));
      phases = stack.times;
      for (const auto& made : stack.sinks) expectSame(made->images(), expected, text);
    }
    expectSame(sink.images(), expected, text);
    const auto each = [&](std::vector<double> times) {
      std::sort(times.begin(), times.end());
      return std::to_string(times[times.size() / 2] / count * 1e6) + " us";
    };
    std::cout << text << ": an image alone " << each(alone) << ", in a stack " << each(stacked) << " (upload "
              << phases.upload / count * 1e6 << ", compute " << phases.compute / count * 1e6 << ", download "
              << phases.download / count * 1e6 << ")\n";
  }
}

/// A wish that no GPU can grant ends in one sentence, and the engine lives on.
TEST(SingleChannelPlan, RunsOutOfMemoryInOneSentence) {
  BANKSIDE_NEEDS_GPU();
  DeviceBuffer buffer;
  try {
    buffer.reserve(std::size_t{1} << 50);
    FAIL() << "a petabyte was granted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
    EXPECT_NE(std::string(error.what()).find("memory ran out"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(deviceState());
}

}  // namespace
}  // namespace bankside::cuda
