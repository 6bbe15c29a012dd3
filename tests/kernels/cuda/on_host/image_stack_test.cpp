/// Images one after another through one plan, on streams that do their work late.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "core/run/runner.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/on_host/stack.h"

namespace bankside {
namespace {

class ImageStackOnHost : public ::testing::Test {
 protected:
  ~ImageStackOnHost() override { on_host::setLateStreams(false); }
};

void expectRunsOfTheirOwn(const Engine& engine, const ConvolutionProblem& p, const FilterBank& bank,
                          Stack& stack, const Region& region, const std::string& what) {
  on_host::setLateStreams(false);
  const auto plan = engine.prepare(p, bank, {});
  for (std::size_t i = 0; i < stack.images.size(); ++i) {
    ImageSource source(stack.images[i]);
    ImageSink sink(p, region);
    plan->run(source, sink, region, {});
    for (std::size_t k = 0; k < sink.images().size(); ++k)
      EXPECT_TRUE(samePixels(stack.sinks[i]->images()[k], sink.images()[k]))
          << what << ", image " << i << ", plane " << k;
  }
}

TEST_F(ImageStackOnHost, GivesTheBytesOfRunsOfTheirOwn) {
  for (const char* text : {"c1h33w45-f3k5-reflect101-u8:f32-none", "c1h40w45-f3k3-wrap-f32:f32-argmax",
                           "c2h33w45-f2k3-replicate-u16:u16-none-perplane"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
    for (const double bandBytes : {cuda::defaultBandBytes, 4e3}) {
      for (const Region region : {wholeImage(p), Region{5, 3, 30, 21}}) {
        for (const bool hesitant : {false, true}) {
          const std::string what = format(p) + " in bands of " + std::to_string(bandBytes);
          Stack stack(p, 7, region, {.hesitant = hesitant});
          const auto plan = cuda::makeSingleChannelPlan(p, bank, {}, {.bandBytes = bandBytes});
          on_host::setLateStreams(true, hash(p));
          plan->runAll(stack, {});
          EXPECT_GE(on_host::streamTraffic().mostBusyStreams, 2u) << what;
          EXPECT_EQ(stack.finished, 7u);
          if (bandBytes > 1e6 && !hesitant) {
            EXPECT_EQ(stack.mostUnderWay, 4u) << what;
          }
          expectRunsOfTheirOwn(*engineOnHost("cuda:single-channel"), p, bank, stack, region, what);
        }
      }
    }
  }
}

TEST_F(ImageStackOnHost, WorksForEveryKindOfKernel) {
  const std::pair<const char*, const char*> cases[] = {
      {"cuda:multichannel", "c5h20w40-f9k3-reflect101-f32:f32-none"},
      {"cuda:multichannel-fp16", "c18h12w40-f9k3-constant-f32:f32-none"},
      {"cuda:tensor", "c1h41w72-f5k7-wrap-u8:f32-none"},
      {"cuda:tensor-fp16", "c1h41w72-f5k7-wrap-f32:f32-none"},
      {"cuda:fft", "c1h41w72-f5k7-wrap-u8:f32-none"},
      {"cuda", "c1h41w72-f5k7-wrap-u8:f32-none"}};
  for (const auto& [name, text] : cases) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 3);
    const Engine& engine = *engineOnHost(name);
    Stack stack(p, 5);
    const auto plan = engine.prepare(p, bank, {});
    on_host::setLateStreams(true, hash(p));
    plan->runAll(stack, {});
    EXPECT_EQ(stack.finished, 5u);
    expectRunsOfTheirOwn(engine, p, bank, stack, wholeImage(p), name);
  }
}

/// Small images that wait share a launch: all seven, three at a time with one left over, those that a
/// hesitant queue has, or none where an image is cut into bands.
TEST_F(ImageStackOnHost, LaunchesSmallImagesTogether) {
  int otherShapes = 0;
  for (const char* text : {"c24h8w33-f40k3-reflect101-f32:f32-none", "c9h9w33-f5k3-constant=-2-u8:u8-none",
                           "c5h9w33-f9k3-wrap-f32:f32-argmax", "c6h11w20-f7k4a0x3-replicate-f16:f32-max",
                           "c3h9w33-f2k3-reflect-u16:f32-none-perplane"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 3);
    const CorrelationTaps taps = correlationTaps(p, withAnchor(bank, p.anchorX, p.anchorY));
    const cuda::SummedChoice choice = cuda::chooseSummed(p);
    const cuda::SummedChoice together = cuda::chooseTogether(choice, p);
    EXPECT_EQ(together.parts, choice.parts);
    otherShapes += together == choice ? 0 : 1;
    const auto makeBank = [&] { return std::make_unique<cuda::SummedBank>(p, taps, choice, together); };
    EXPECT_GE(makeBank()->imagesTogether(), 7) << text;
    const std::size_t rowBytes =
        static_cast<std::size_t>(p.width * p.channels) * sizeOf(p.srcType) +
        makeBank()->workBytesPerRow(p.width) +
        outputPlanes(p).size() * static_cast<std::size_t>(cuda::roundUp(p.width, 64)) * sizeOf(p.dstType);
    const double three = 4 * 3.5 * static_cast<double>(rowBytes) * p.height;
    struct Way {
      double bandBytes;
      bool whole, hesitant;
    };
    for (const auto& [bandBytes, whole, hesitant] :
         {Way{cuda::defaultBandBytes, true, false}, Way{three, true, false}, Way{three, false, true},
          Way{4e3, false, true}}) {
      const Region region = whole ? wholeImage(p) : Region{3, 2, 15, p.height - 3};
      const std::string what = format(p) + " in bands of " + std::to_string(bandBytes);
      Stack stack(p, 7, region, {.hesitant = hesitant});
      const auto plan = cuda::makeBandPlan(p, taps.anchorY, makeBank(), {}, bandBytes);
      on_host::setLateStreams(true, hash(p));
      const auto launched = on_host::launches();
      plan->runAll(stack, {});
      EXPECT_EQ(stack.finished, 7u) << what;
      const auto launches = on_host::launches() - launched;
      if (p.srcType == ElementType::F32 && p.combine == Combine::None && bandBytes > 4e3 && !hesitant &&
          whole) {
        EXPECT_EQ(launches, bandBytes == three ? 3u : 1u) << what;
      }
      expectRunsOfTheirOwn(*engineOnHost("cuda:multichannel"), p, withAnchor(bank, p.anchorX, p.anchorY),
                           stack, region, what);
    }
  }
  EXPECT_GT(otherShapes, 0) << "some shape is better for seven images than for one";
}

/// A bank of which `together` rows belong together, and the bands that it was started on.
class RowsTogether final : public cuda::BandKernel {
 public:
  RowsTogether(std::unique_ptr<cuda::BandKernel> bank, int together, std::vector<int>& rows)
      : bank_(std::move(bank)), together_(together), rows_(rows) {}
  std::string describe() const override { return bank_->describe(); }
  NumericTraits traits() const override { return bank_->traits(); }
  std::size_t workBytesPerRow(int width) const override { return bank_->workBytesPerRow(width); }
  int rowUnit() const override { return bank_->rowUnit(); }
  int rowsTogether() const override { return together_; }
  void start(cuda::KernelArguments a, std::ptrdiff_t channelStride, int sourceRows,
             cudaStream_t stream) override {
    rows_.push_back(a.height);
    bank_->start(a, channelStride, sourceRows, stream);
  }

 private:
  std::unique_ptr<cuda::BandKernel> bank_;
  int together_;
  std::vector<int>& rows_;
};

TEST_F(ImageStackOnHost, BandsAreCutBetweenRowsThatBelongTogether) {
  const ConvolutionProblem p = parseProblem("c2h60w33-f2k3-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(p.filterCount, p.tapChannels(), 3, 3, 3);
  const CorrelationTaps taps = correlationTaps(p, bank);
  const auto cut = [&](int together, double bandBytes) {
    std::vector<int> rows;
    auto own = std::make_unique<cuda::SummedBank>(p, taps, cuda::chooseSummed(p, 1, 1));
    const auto plan = cuda::makeBandPlan(
        p, taps.anchorY, std::make_unique<RowsTogether>(std::move(own), together, rows), {}, bandBytes);
    runWhole(*plan, p, randomImage(p.channels, p.height, p.width, p.srcType));
    return rows;
  };
  constexpr double some = 20e3;
  const std::vector<int> alone = cut(1, some);
  ASSERT_GT(alone.size(), 2u);
  ASSERT_GT(alone.front(), 7);
  ASSERT_NE(alone.front() % 7, 0);
  const std::vector<int> together = cut(7, some);
  EXPECT_EQ(together.front(), alone.front() / 7 * 7);
  for (std::size_t i = 0; i + 1 < together.size(); ++i) EXPECT_EQ(together[i] % 7, 0);
  EXPECT_EQ(std::accumulate(together.begin(), together.end(), 0), p.height);
  EXPECT_EQ(cut(alone.front() + 1, some), alone) << "no room for so many";
  EXPECT_EQ(cut(7, cuda::defaultBandBytes), std::vector<int>{p.height});
}

/// A source that breaks ends the call; the plan lives on, and what was done stays done.
TEST_F(ImageStackOnHost, AnErrorLeavesAPlanThatWorks) {
  const ConvolutionProblem p = parseProblem("c1h33w45-f3k5-reflect101-u8:f32-none");
  const FilterBank bank = randomBank(3, 1, 5, 5, 3);
  const auto plan = engineOnHost("cuda:single-channel")->prepare(p, bank, {});
  on_host::setLateStreams(true, 5);
  Stack stack(p, 6);
  const Image small = randomImage(1, 10, 10, ElementType::U8, 1);
  ImageSource wrong(small);
  class Breaking final : public RunQueue {
   public:
    Breaking(Stack& inner, Source& wrong) : inner_(inner), wrong_(wrong) {}
    Item* next(bool wait) override {
      Item* item = inner_.next(wait);
      if (inner_.given < 5) return item;
      broken_.emplace(Item{wrong_, item->sink, item->region});
      return &*broken_;
    }
    void done(Item& item) override { inner_.done(item); }

   private:
    Stack& inner_;
    Source& wrong_;
    std::optional<Item> broken_;
  } breaking(stack, wrong);
  EXPECT_THROW(plan->runAll(breaking, {}), Error);
  EXPECT_LT(stack.finished, 5u);
  Stack again(p, 6, wholeImage(p), {.hesitant = true});
  on_host::setLateStreams(true, 6);
  plan->runAll(again, {});
  expectRunsOfTheirOwn(*engineOnHost("cuda:single-channel"), p, bank, again, wholeImage(p), "afterwards");
}

/// Two banks that take turns need their taps back every time.
TEST_F(ImageStackOnHost, TwoPlansTakeTurns) {
  for (const char* text :
       {"c1h33w45-f3k5-reflect101-u8:f32-none", "c1h40w45-f5k9-wrap-f32:f32-argmax",
        "c2h33w45-f2k3-replicate-u16:u16-none-perplane", "c1h33w45-f2k17-reflect-u8:f32-max"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
    const FilterBank other = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 4);
    const Engine& engine = *engineOnHost("cuda:single-channel");
    const auto plan = cuda::makeSingleChannelPlan(p, bank, {});
    const auto otherPlan = cuda::makeSingleChannelPlan(p, other, {});
    on_host::setLateStreams(true, hash(p));
    Stack stack(p, 7, wholeImage(p), {.hesitant = true});
    plan->runAll(stack, {});
    Stack others(p, 7);
    otherPlan->runAll(others, {});
    Stack again(p, 4);
    plan->runAll(again, {});
    const Region part{5, 3, 30, 21};
    Stack parts(p, 5, part);
    plan->runAll(parts, {});
    expectRunsOfTheirOwn(engine, p, bank, stack, wholeImage(p), text);
    expectRunsOfTheirOwn(engine, p, other, others, wholeImage(p), text);
    expectRunsOfTheirOwn(engine, p, bank, again, wholeImage(p), text);
    expectRunsOfTheirOwn(engine, p, bank, parts, part, text);
  }
}

/// Bands, and banks that fill constant memory more than once.
TEST_F(ImageStackOnHost, BandsAndLargeBanks) {
  const std::pair<const char*, double> cases[] = {{"c1h33w45-f3k5-reflect101-u8:f32-none", 4e3},
                                                  {"c1h20w45-f90k15-reflect101-u8:f32-none", 1e9}};
  for (const auto& [text, bandBytes] : cases) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
    const auto plan = cuda::makeSingleChannelPlan(p, bank, {}, {.bandBytes = bandBytes});
    on_host::setLateStreams(true, hash(p));
    Stack stack(p, 5);
    plan->runAll(stack, {});
    expectRunsOfTheirOwn(*engineOnHost("cuda:single-channel"), p, bank, stack, wholeImage(p), text);
  }
}

/// The runner's queue over the same machinery: sizes that change, and what cannot be had.
TEST_F(ImageStackOnHost, ARunnerKeepsPlansAndOrder) {
  const FilterBank bank = randomBank(3, 1, 5, 5, 3);
  const Engine& engine = *engineOnHost("cuda:single-channel");
  const auto always = [&](const ConvolutionProblem&) -> const Engine& { return engine; };
  class Images final : public ImageQueue {
   public:
    Item* next(bool) override {
      if (given == 9) return nullptr;
      const int width = given % 5 == 4 ? 50 : 45;
      images.push_back(randomImage(1, 33, width, ElementType::U8, given));
      sources.push_back(std::make_unique<ImageSource>(images.back()));
      items.emplace_back().source = sources.back().get();
      ++given;
      return &items.back();
    }
    void done(Item& item) override { EXPECT_EQ(&item, &items[finished++]); }
    std::deque<Image> images;
    std::deque<std::unique_ptr<ImageSource>> sources;
    std::deque<Item> items;
    std::size_t given = 0;
    std::size_t finished = 0;
  } queue;
  Runner runner({bank, Combine::Max, false}, {}, always);
  on_host::setLateStreams(true, 7);
  runner.runAll(queue);
  EXPECT_GE(on_host::streamTraffic().mostBusyStreams, 2u);
  ASSERT_EQ(queue.finished, 9u);
  on_host::setLateStreams(false);
  for (std::size_t i = 0; i < 9; ++i) {
    const ImageQueue::Item& item = queue.items[i];
    ASSERT_EQ(item.error, nullptr);
    ASSERT_EQ(item.run.steps.size(), 1u);
    const auto expected = runWhole(engine, item.run.steps[0].problem, bank, queue.images[i]);
    ASSERT_EQ(item.planes.size(), expected.size());
    EXPECT_TRUE(samePixels(item.planes[0], expected[0])) << i;
  }
}

}  // namespace
}  // namespace bankside
