#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/combine.h"
#include "core/error.h"
#include "core/judge/compare.h"
#include "hwy/targets.h"
#include "kernels/engines.h"
#include "kernels/highway/row_kernels.h"
#include "tests/kernels/cpu_path_checks.h"
#include "tests/kernels/target_guard.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

const Engine& cpuFft() { return *findEngine("cpu:fft"); }

::testing::AssertionResult meetsBound(const ConvolutionProblem& p, const FilterBank& bank, const Image& image,
                                      double* ratio = nullptr, int threads = 1) {
  return testing::meetsBound(cpuFft(), p, bank, image, ratio, threads);
}

TEST(CpuFft, FilterSizesMeetTheBound) {
  double ratio = 0;
  for (const int k : {1,  2,  3,  4,  5,  7,  8,  9,  11, 13, 15, 16, 17, 21, 24,
                      25, 27, 29, 31, 32, 33, 39, 45, 51, 57, 62, 63, 99, 127}) {
    const FilterBank bank = randomBank(2, 1, k, k);
    const Image image = randomImage(1, 150, 301, ElementType::F32);
    const auto p = makeProblem(bank, 1, 150, 301, ElementType::F32, ElementType::F32, {}, Combine::None);
    EXPECT_TRUE(meetsBound(p, bank, image, &ratio, 2));
  }
  // Real errors must stay well inside: an engine that used all of its bound would be wrong somewhere.
  EXPECT_LT(ratio, 0.25);
  EXPECT_GT(ratio, 0.0);
}

struct Shape {
  int height, width, filterHeight, filterWidth;
};

constexpr Shape awkwardShapes[] = {{1, 1, 1, 1},       {1, 1, 3, 3},     {1, 1, 31, 31},   {1, 37, 3, 5},
                                   {37, 1, 5, 3},      {2, 2, 7, 7},     {5, 3, 9, 11},    {7, 15, 3, 3},
                                   {7, 16, 3, 3},      {16, 17, 2, 2},   {33, 63, 3, 4},   {31, 64, 5, 6},
                                   {65, 65, 4, 3},     {3, 129, 7, 1},   {9, 31, 13, 13},  {11, 23, 31, 6},
                                   {20, 30, 127, 127}, {9, 300, 1, 127}, {300, 9, 127, 2}, {97, 200, 31, 31}};

TEST(CpuFft, ShapesAndBordersMeetTheBound) {
  for (const BorderKind kind : allBorderKinds) {
    for (const Shape& s : awkwardShapes) {
      const FilterBank bank = randomBank(3, 1, s.filterHeight, s.filterWidth);
      const Image image = randomImage(1, s.height, s.width, ElementType::F32);
      const Border border{kind, kind == BorderKind::Constant ? -3.0f : 0.0f};
      EXPECT_TRUE(meetsBound(
          makeProblem(bank, 1, s.height, s.width, ElementType::F32, ElementType::F32, border, Combine::None),
          bank, image));
    }
  }
}

TEST(CpuFft, AnchorsEvenSizesAndConvolution) {
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    for (const auto& [ax, ay] : {std::pair{0, 0}, {3, 0}, {0, 4}, {3, 4}, {1, 2}}) {
      const FilterBank bank = withMode(withAnchor(randomBank(3, 1, 5, 4), ax, ay), mode);
      const Image image = randomImage(1, 49, 145, ElementType::F32);
      EXPECT_TRUE(meetsBound(
          makeProblem(bank, 1, 49, 145, ElementType::F32, ElementType::F32, {}, Combine::None), bank, image));
    }
  }
}

TEST(CpuFft, WideAndTallImages) {
  const FilterBank bank = randomBank(2, 1, 3, 3);
  const Image wide = randomImage(1, 1, 70000, ElementType::U8);
  EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 1, 70000, ElementType::U8, ElementType::F32, {}, Combine::None),
                         bank, wide));
  const Image tall = randomImage(1, 70001, 1, ElementType::U8);
  EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 70001, 1, ElementType::U8, ElementType::F32, {}, Combine::None),
                         bank, tall));
}

TEST(CpuFft, ChannelsTypesAndCombinesMeetTheBound) {
  for (const int channels : {1, 2, 5}) {
    for (const int tapChannels : {1, channels}) {
      for (const Combine combine : allCombines) {
        for (const int filters : {1, 7}) {
          const FilterBank bank = randomBank(filters, tapChannels, 9, 6);
          const Image image = randomImage(channels, 41, 90, ElementType::F32);
          EXPECT_TRUE(meetsBound(makeProblem(bank, channels, 41, 90, ElementType::F32, ElementType::F32,
                                             {BorderKind::Constant, 2}, combine),
                                 bank, image, nullptr, 2));
        }
      }
    }
  }
  for (const ElementType src : allElementTypes) {
    for (const ElementType dst : allElementTypes) {
      for (const Combine combine : {Combine::None, Combine::AbsMax, Combine::ArgMax}) {
        const FilterBank bank = randomBank(3, 1, 7, 7);
        const Image image = randomImage(1, 43, 77, src);
        EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 43, 77, src, dst, {}, combine), bank, image));
      }
    }
  }
}

/// Combined maps are those of core's Combiner over the engine's own responses, bit for bit.
TEST(CpuFft, CombinesAreBitIdenticalToCore) {
  for (const bool withNonFinite : {false, true}) {
    const FilterBank bank = randomBank(5, 1, 7, 7);
    Image image = randomImage(1, 70, 150, ElementType::F32);
    if (withNonFinite) image.view<float>(0).at(20, 4) = std::numeric_limits<float>::quiet_NaN();
    const auto none = makeProblem(bank, 1, 70, 150, ElementType::F32, ElementType::F32, {}, Combine::None);
    const auto responses = runWhole(cpuFft(), none, bank, image);
    for (const Combine combine : allCombines) {
      if (combine == Combine::None) continue;
      ConvolutionProblem p = none;
      p.combine = combine;
      std::vector<Image> expected;
      for (const ElementType type : outputPlanes(p)) expected.emplace_back(1, 70, 150, type);
      const Combiner combiner{combine, 5};
      for (int y = 0; y < 70; ++y) {
        float* value = expected[0].view<float>(0).row(y);
        std::uint16_t* index =
            combine == Combine::ArgMax ? expected[1].view<std::uint16_t>(0).row(y) : nullptr;
        for (int f = 0; f < 5; ++f) {
          combiner.accumulate(f, responses[static_cast<std::size_t>(f)].view<float>(0).row(y), 150, value,
                              index);
        }
        combiner.finish(150, value);
      }
      EXPECT_TRUE(sameImages(runWhole(cpuFft(), p, bank, image), expected)) << format(p);
    }
  }
}

/// Large enough for streaming stores.
TEST(CpuFft, LargeResultsMeetTheBound) {
  const FilterBank bank = randomBank(2, 1, 5, 5);
  const Image image = randomImage(1, 2049, 2051, ElementType::U8);
  for (const Combine combine : {Combine::None, Combine::Sum}) {
    const auto p = makeProblem(bank, 1, 2049, 2051, ElementType::U8, ElementType::F32, {}, combine);
    EXPECT_TRUE(meetsBound(p, bank, image, nullptr, 2));
  }
}

/// Decision 0003: a non-finite pixel reaches every output where its tap is not zero, and none whose rectangle
/// does not cover it. Huge ones do not disturb their neighbours either.
TEST(CpuFft, NonFinitePixelsStayInTheirRectangle) {
  const std::pair<int, int> places[] = {{0, 0}, {142, 16}, {70, 5}, {64, 9}, {15, 12}};
  const FilterBank bank = randomBank(3, 1, 3, 5);
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 3.0e38f}) {
    Image image = randomImage(1, 60, 143, ElementType::F32);
    const Image clean = image.clone();
    for (const auto& [x, y] : places) image.view<float>(0).at(x, y) = bad;
    const auto p = makeProblem(bank, 1, 60, 143, ElementType::F32, ElementType::F32,
                               {BorderKind::Constant, 0}, Combine::None);
    const auto got = runWhole(cpuFft(), p, bank, image);
    const auto undisturbed = runWhole(cpuFft(), p, bank, clean);
    for (std::size_t f = 0; f < 3; ++f) {
      for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 143; ++x) {
          bool covers = false;
          for (const auto& [bx, by] : places)
            covers = covers || (std::abs(x - bx) <= 2 && std::abs(y - by) <= 1);
          const float value = got[f].view<float>(0).at(x, y);
          if (!std::isfinite(bad)) {
            ASSERT_EQ(covers, !std::isfinite(value)) << x << ", " << y;
          }
          if (!covers) {
            ASSERT_NEAR(value, undisturbed[f].view<float>(0).at(x, y), 1e-5) << x << ", " << y;
          }
        }
      }
    }
    EXPECT_TRUE(meetsBound(p, bank, image));
  }
}

TEST(CpuFft, ExtremeMagnitudesMeetTheBound) {
  for (const float scale : {0.0f, 1e-45f, 1e-40f, 1e-30f, 1e-12f, 1e12f, 1e30f, 1e36f}) {
    for (const float tapScale : {1e-30f, 1.0f, 1e25f}) {
      FilterBank bank = randomBank(2, 1, 9, 9);
      std::vector<Filter> filters = bank.filters();
      for (Filter& filter : filters) {
        for (float& tap : filter.taps) tap *= tapScale;
      }
      bank = FilterBank(bank.info(), std::move(filters));
      Image image = randomImage(1, 50, 130, ElementType::F32);
      for (int y = 0; y < 50; ++y) {
        for (int x = 0; x < 130; ++x) image.view<float>(0).at(x, y) *= scale;
      }
      const auto p = makeProblem(bank, 1, 50, 130, ElementType::F32, ElementType::F32, {}, Combine::None);
      EXPECT_TRUE(meetsBound(p, bank, image)) << scale << " x " << tapScale;
    }
  }
}

TEST(CpuFft, ConstantImagesAndEmptyFilters) {
  FilterBank bank = randomBank(3, 1, 15, 15);
  std::vector<Filter> filters = bank.filters();
  std::fill(filters[1].taps.begin(), filters[1].taps.end(), 0.0f);
  bank = FilterBank(bank.info(), std::move(filters));
  Image image(1, 90, 201, ElementType::U8);
  for (int y = 0; y < 90; ++y) std::fill_n(image.view<std::uint8_t>(0).row(y), 201, std::uint8_t{255});
  const auto p = makeProblem(bank, 1, 90, 201, ElementType::U8, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(meetsBound(p, bank, image));
  const auto got = runWhole(cpuFft(), p, bank, image);
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 201; ++x) ASSERT_EQ(got[1].view<float>(0).at(x, y), 0.0f);
  }
}

TEST(CpuFft, RefusesOnlyWhatItCannotHold) {
  ConvolutionProblem p;
  p.height = p.width = 1000;
  p.filterHeight = p.filterWidth = 127;
  p.filterCount = maxFilterCount;
  EXPECT_TRUE(cpuFft().supports(p));
  p.channels = 16;
  const Support refusal = cpuFft().supports(p);
  EXPECT_FALSE(refusal);
  EXPECT_NE(refusal.reason.find("2 GiB"), std::string::npos) << refusal.reason;
}

TEST(CpuFft, EveryTargetMeetsTheBound) {
  const TargetGuard guard;
  std::vector<std::string> seen;
  for (const std::int64_t target : direct::runnableTargets()) {
    TargetGuard::use(target);
    seen.push_back(cpuFft().description());
    for (const int k : {3, 8, 17, 40}) {
      for (const Combine combine : {Combine::None, Combine::ArgMax, Combine::Magnitude}) {
        const FilterBank bank = randomBank(3, 1, k, k);
        Image image = randomImage(1, 77, 190, ElementType::F32);
        if (combine != Combine::None) image.view<float>(0).at(10, 10) = std::nanf("");
        const auto p = makeProblem(bank, 1, 77, 190, ElementType::F32, ElementType::F32, {}, combine);
        EXPECT_TRUE(meetsBound(p, bank, image)) << seen.back();
      }
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << "two targets ran the same code";
}

}  // namespace
}  // namespace bankside::testing
