/// Tiles lie on one grid whatever is asked for: regions, bands and threads change no byte.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/judge/compare.h"
#include "core/judge/row_streams.h"
#include "kernels/engines.h"
#include "tests/kernels/cpu_path_checks.h"
#include "tests/support/made_images.h"
#include "tests/support/stopping.h"

namespace bankside::testing {
namespace {

const Engine& cpuFft() { return *findEngine("cpu:fft"); }

TEST(CpuFftRegion, ThreadCountAndRegionChangeNoByte) {
  for (const int k : {3, 12, 31}) {
    for (const Combine combine : {Combine::None, Combine::ArgMax}) {
      const FilterBank bank = randomBank(3, 1, k, k);
      const Image image = randomImage(1, 301, 803, ElementType::F32);
      const auto p = makeProblem(bank, 1, 301, 803, ElementType::F32, ElementType::F32, {}, combine);
      const auto whole = runWhole(cpuFft(), p, bank, image, {1});
      for (const int threads : {2, 3}) {
        EXPECT_TRUE(sameImages(runWhole(cpuFft(), p, bank, image, {threads}), whole)) << threads;
      }
      const auto plan = cpuFft().prepare(p, bank, {2});
      ImageSource source(image);
      for (const Region region : {Region{0, 0, 5, 5},
                                  {17, 3, 200, 161},
                                  {700, 290, 103, 11},
                                  {0, 150, 803, 1},
                                  {333, 0, 1, 301},
                                  {127, 97, 2, 2}}) {
        ImageSink sink(p, region);
        plan->run(source, sink, region, {});
        expectPartOf(whole, sink.images(), region);
      }
    }
  }
}

TEST(CpuFftRegion, StreamedRegionsGiveTheSameBytesAsMemory) {
  const FilterBank bank = randomBank(3, 2, 4, 5);
  const Image image = randomImage(2, 231, 709, ElementType::U16);
  for (const BorderKind kind : allBorderKinds) {
    const auto p =
        makeProblem(bank, 2, 231, 709, ElementType::U16, ElementType::F32, {kind, 0}, Combine::None);
    const auto whole = runWhole(cpuFft(), p, bank, image);
    const auto plan = cpuFft().prepare(p, bank, {2});
    for (const Region region : {wholeImage(p), Region{5, 1, 300, 3}, {700, 100, 9, 131}}) {
      RowSource source(image);
      RowSink sink(p, region);
      plan->run(source, sink, region, {});
      expectPartOf(whole, sink.images(), region);
    }
  }
}

TEST(CpuFftRegion, FiltersByThemselvesHaveTheirBytesBesideAllOthers) {
  FilterBank bank = randomBank(5, 1, 9, 9);
  Image image = randomImage(1, 231, 709, ElementType::F32);
  const auto pixels = image.view<float>(0);
  for (int y = 0; y < 231; ++y) {
    for (int x = 0; x < 300; ++x) pixels.at(x, y) *= x < 100 ? 1e30f : 1e-30f;
  }
  pixels.at(600, 100) = NAN;
  const auto p = makeProblem(bank, 1, 231, 709, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto all = runWhole(cpuFft(), p, bank, image, {2});
  const auto plan = cpuFft().prepare(p, bank, {.threads = 2, .only = {1, 3}});
  ASSERT_TRUE(plan->traits().heedsOnly);
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  plan->run(source, sink, wholeImage(p), {});
  for (const std::size_t filter : {1u, 3u})
    EXPECT_TRUE(samePixels(sink.images()[filter], all[filter])) << filter;
}

/// Rows so long that the image passes through memory in several bands.
TEST(CpuFftRegion, BandsGiveTheSameBytesAsMemory) {
  for (const int filters : {8, 40}) {
    const int width = filters == 8 ? 30001 : 14001;
    const FilterBank bank = randomBank(filters, 1, 9, 9);
    const Image image = randomImage(1, 161, width, ElementType::U8);
    auto p = makeProblem(bank, 1, 161, width, ElementType::U8, ElementType::U8, {}, Combine::None);
    p.dstType = filters == 8 ? ElementType::F32 : ElementType::U16;
    const auto whole = runWhole(cpuFft(), p, bank, image, {2});
    const Region region{0, 3, width, 157};
    RowSource source(image);
    RowSink sink(p, region);
    cpuFft().prepare(p, bank, {1})->run(source, sink, region, {});
    EXPECT_GT(sink.bands(), 1);
    expectPartOf(whole, sink.images(), region);
  }
}

/// A NaN in one tile of many: the others still go through their transforms, and nothing depends on regions.
TEST(CpuFftRegion, NonFiniteTilesDependOnNoRegion) {
  const FilterBank bank = randomBank(2, 2, 9, 9);
  Image image = randomImage(2, 150, 400, ElementType::F32);
  image.view<float>(1).at(333, 100) = std::numeric_limits<float>::infinity();
  const auto p = makeProblem(bank, 2, 150, 400, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto whole = runWhole(cpuFft(), p, bank, image);
  const auto plan = cpuFft().prepare(p, bank, {2});
  ImageSource source(image);
  for (const Region region : {Region{0, 0, 200, 150}, {320, 90, 30, 30}, {250, 0, 20, 20}}) {
    ImageSink sink(p, region);
    plan->run(source, sink, region, {});
    expectPartOf(whole, sink.images(), region);
  }
}

/// Tiles that are summed directly, that are NaN throughout, and that are mended, beside each other.
TEST(CpuFftRegion, TilesThatAreNotTransformedDependOnNoRegion) {
  for (const bool dense : {true, false}) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      std::vector<Filter> filters = randomBank(3, 1, 9, 9).filters();
      if (!dense) filters[1].taps[40] = 0;
      const FilterBank bank({}, std::move(filters));
      Image image = randomImage(1, 300, 700, ElementType::F32);
      for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 700; ++x)
          if (std::hypot(x - 340, y - 150) > 260 && (std::isnan(bad) || (x + y) % 3 == 0))
            image.view<float>(0).at(x, y) = bad;
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax, Combine::Magnitude}) {
        const auto p = makeProblem(bank, 1, 300, 700, ElementType::F32, ElementType::F32, {}, combine);
        const auto whole = runWhole(cpuFft(), p, bank, image);
        if (combine == Combine::None || std::isnan(bad)) {
          EXPECT_TRUE(meetsBound(cpuFft(), p, bank, image, nullptr, 1)) << dense << bad;
        }
        const auto plan = cpuFft().prepare(p, bank, {2});
        ImageSource source(image);
        for (const Region region : {Region{0, 0, 200, 150}, {33, 90, 330, 30}, {650, 250, 50, 50}}) {
          ImageSink sink(p, region);
          plan->run(source, sink, region, {});
          expectPartOf(whole, sink.images(), region);
        }
      }
    }
  }
}

TEST(CpuFftRegion, StopsSoonAfterItIsAsked) {
  for (const bool direct : {false, true}) {
    const FilterBank bank = randomBank(direct ? 4 : 64, 1, 63, 63);
    Image image = randomImage(1, 2048, 4096, ElementType::F32);
    if (direct) {  // every tile holds a NaN
      for (int y = 0; y < 2048; y += 16) {
        for (int x = 0; x < 4096; x += 16) image.view<float>(0).at(x, y) = std::nanf("");
      }
    }
    const auto p = makeProblem(bank, 1, 2048, 4096, ElementType::F32, ElementType::F32, {}, Combine::Max);
    const auto plan = cpuFft().prepare(p, bank, {2});
    ImageSource source(image);
    expectStopsSoon(*plan, p, source, 1.0 / 16);
    const Region corner{0, 0, 8, 2};
    ImageSink small(p, corner);
    EXPECT_NO_THROW(plan->run(source, small, corner, {}));
  }
}

}  // namespace
}  // namespace bankside::testing
