#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/judge/compare.h"
#include "hwy/targets.h"
#include "kernels/engines.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/highway/separable_factors.h"
#include "kernels/highway/separable_program.h"
#include "tests/kernels/cpu_direct_checks.h"
#include "tests/kernels/target_guard.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using direct::factorize;
using direct::RankOne;
using direct::roundedOnce;

const Engine& cpuSeparable() { return *findEngine("cpu:separable"); }

std::vector<float> gaussian(int height, int width, double sigmaY, double sigmaX) {
  std::vector<float> taps;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double dy = (y - height / 2) / sigmaY;
      const double dx = (x - width / 2) / sigmaX;
      taps.push_back(static_cast<float>(std::exp(-0.5 * (dx * dx + dy * dy))));
    }
  }
  return taps;
}

/// sum |T - terms| / sum |T| with the factors as they are.
double discarded(const std::vector<RankOne>& terms, const std::vector<float>& taps, int width) {
  double lost = 0;
  double all = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    double rest = taps[i];
    for (const RankOne& t : terms) {
      rest -= static_cast<double>(t.column[i / static_cast<std::size_t>(width)]) *
              static_cast<double>(t.row[i % static_cast<std::size_t>(width)]);
    }
    lost += std::fabs(rest);
    all += std::fabs(taps[i]);
  }
  return lost / all;
}

TEST(SeparableFactors, RanksOfKnownFilters) {
  const std::vector<float> sobel = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
  const auto terms = factorize(sobel.data(), 3, 3, roundedOnce);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(discarded(terms, sobel, 3), 0.0);  // small integers stay exact
  const std::vector<float> laplacian = {0, 1, 0, 1, -4, 1, 0, 1, 0};
  EXPECT_EQ(factorize(laplacian.data(), 3, 3, roundedOnce).size(), 2u);
  const std::vector<float> zero(9, 0.0f);
  EXPECT_TRUE(factorize(zero.data(), 3, 3, roundedOnce).empty());
  for (const int k : {3, 5, 15, 31, 127}) {
    for (const double sigma : {0.5, 1.0, 0.3 * k, 2.0 * k}) {
      const auto taps = gaussian(k, k, sigma, 0.7 * sigma);
      const auto factors = factorize(taps.data(), k, k, roundedOnce);
      EXPECT_EQ(factors.size(), 1u) << k << " " << sigma;
      EXPECT_LT(discarded(factors, taps, k), 0x1p-22) << k << " " << sigma;
    }
  }
}

TEST(SeparableFactors, ReproduceRandomTapsAtFullRank) {
  for (const auto& [height, width] : {std::pair{3, 3}, {5, 9}, {9, 5}, {1, 31}, {31, 1}, {17, 17}}) {
    const FilterBank bank = randomBank(4, 1, height, width);
    for (const Filter& f : bank.filters()) {
      const auto terms = factorize(f.taps.data(), height, width, roundedOnce);
      EXPECT_EQ(static_cast<int>(terms.size()), std::min(height, width));
      EXPECT_LT(discarded(terms, f.taps, width), 0x1p-19);
      for (const RankOne& t : terms) {
        double sum = 0;
        for (const float v : t.column) sum += std::fabs(v);
        EXPECT_LE(sum, 1.00001);
        EXPECT_GT(sum, 0.49);
      }
    }
  }
}

TEST(SeparableFactors, ToleranceDecidesTheRank) {
  auto taps = gaussian(9, 9, 2, 2);
  taps[12] += 1e-3f;  // one tap off: rank 2
  EXPECT_EQ(factorize(taps.data(), 9, 9, roundedOnce).size(), 2u);
  const auto coarse = factorize(taps.data(), 9, 9, 1e-2);
  EXPECT_EQ(coarse.size(), 1u);
  EXPECT_LE(discarded(coarse, taps, 9), 1e-2);
  EXPECT_GT(discarded(coarse, taps, 9), 1e-6);
}

TEST(SeparableFactors, RankIsGuessedWithoutFactors) {
  const auto smooth = gaussian(31, 31, 5, 3);
  EXPECT_TRUE(direct::hasRank(smooth.data(), 31, 31, 1, roundedOnce));
  const std::vector<float> laplacian = {0, 1, 0, 1, -4, 1, 0, 1, 0};
  EXPECT_FALSE(direct::hasRank(laplacian.data(), 3, 3, 1, roundedOnce));
  EXPECT_TRUE(direct::hasRank(laplacian.data(), 3, 3, 2, roundedOnce));
  const FilterBank dense = randomBank(1, 1, 31, 31);
  EXPECT_FALSE(direct::hasRank(dense[0].taps.data(), 31, 31, 30, roundedOnce));
}

FilterBank bankOf(std::vector<std::vector<float>> taps, int height, int width) {
  std::vector<Filter> filters;
  for (auto& t : taps)
    filters.push_back(makeFilter("f" + std::to_string(filters.size()), height, width, std::move(t)));
  return {{}, std::move(filters)};
}

TEST(SeparableFactors, EqualColumnsAreShared) {
  std::vector<std::vector<float>> taps;
  for (const double sigmaX : {1.0, 2.0, 3.0, 4.0}) taps.push_back(gaussian(9, 9, 2, sigmaX));
  for (float& t : taps[2]) t *= -3;
  const FilterBank bank = bankOf(taps, 9, 9);
  const auto p = makeProblem(bank, 1, 64, 64, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto factors = direct::separate(p, correlationTaps(p, bank), roundedOnce);
  EXPECT_EQ(factors.firsts.size(), 1u);
  EXPECT_EQ(factors.largestRank, 1);
  const auto program = direct::makeSeparableProgram(p, factors);
  ASSERT_EQ(program.stages.size(), 1u);
  EXPECT_EQ(program.stages[0].terms, 1);
  EXPECT_GT(factors.bound.factor, 0);
  EXPECT_LT(factors.bound.factor, 3e-6);
}

/// Filters that share their row factor and nothing else.
FilterBank rowBank(int height, int width) {
  std::vector<std::vector<float>> taps;
  for (const double sigmaY : {0.7, 1.0, 2.0, 3.0, 4.0, 6.0, 9.0})
    taps.push_back(gaussian(height, width, sigmaY, 2));
  for (float& t : taps[2]) t *= -3;
  taps.emplace_back(taps[0].size(), 0.0f);
  return bankOf(taps, height, width);
}

TEST(SeparableFactors, EqualRowsAreSharedAndComeFirst) {
  const FilterBank bank = rowBank(9, 7);
  const auto p = makeProblem(bank, 1, 64, 64, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto factors = direct::separate(p, correlationTaps(p, bank), roundedOnce);
  EXPECT_TRUE(factors.rowsFirst);
  ASSERT_EQ(factors.firsts.size(), 1u);
  EXPECT_EQ(factors.firsts[0].taps.size(), 7u);
  EXPECT_EQ(factors.filters[0][0].taps.size(), 9u);
  EXPECT_TRUE(factors.filters.back().empty());
  const auto program = direct::makeSeparableProgram(p, factors);
  ASSERT_EQ(program.stages.size(), 1u);
  EXPECT_EQ(program.terms, 1);
  EXPECT_EQ(cpuSeparable().prepare(p, bank, {1})->info().shape.find("1 rows, 7 columns") == std::string::npos,
            false);
}

::testing::AssertionResult meetsBound(const ConvolutionProblem& p, const FilterBank& bank, const Image& image,
                                      double* ratio = nullptr, int threads = 1) {
  return testing::meetsBound(cpuSeparable(), p, bank, image, ratio, threads);
}

FilterBank mixedBank(int height, int width) {
  auto taps = std::vector<std::vector<float>>{gaussian(height, width, 2, 2), gaussian(height, width, 2, 4),
                                              gaussian(height, width, 1, 3)};
  taps.push_back(taps[0]);
  for (std::size_t i = 0; i < taps[3].size(); ++i) taps[3][i] -= 0.5f * taps[2][i];
  taps.emplace_back(taps[0].size(), 0.0f);
  taps.push_back(randomBank(1, 1, height, width)[0].taps);
  return bankOf(taps, height, width);
}

TEST(CpuSeparable, FilterSizesMeetTheBound) {
  double ratio = 0;
  for (const int k : {1, 2, 3, 4, 5, 7, 8, 13, 16, 21, 31, 32, 63}) {
    const Image image = randomImage(1, 70, 421, ElementType::F32);
    for (const FilterBank& bank : {mixedBank(k, k), rowBank(k, k), randomBank(7, 1, k, k)}) {
      const auto p = makeProblem(bank, 1, 70, 421, ElementType::F32, ElementType::F32, {}, Combine::None);
      EXPECT_TRUE(meetsBound(p, bank, image, &ratio, 2));
    }
  }
  EXPECT_LT(ratio, 0.5);
  EXPECT_GT(ratio, 0.0);
}

TEST(CpuSeparable, BordersShapesAnchorsAndCombinesMeetTheBound) {
  for (const BorderKind kind : allBorderKinds) {
    const Border border{kind, kind == BorderKind::Constant ? -3.0f : 0.0f};
    for (const auto& [height, width] : {std::pair{1, 1}, {1, 37}, {37, 1}, {5, 3}, {16, 17}, {30, 801}}) {
      for (const auto& [kh, kw] : {std::pair{3, 3}, {5, 4}, {4, 9}, {31, 6}}) {
        const Image image = randomImage(1, height, width, ElementType::F32);
        for (const FilterBank& bank :
             {withAnchor(mixedBank(kh, kw), kw - 1, 0), withAnchor(rowBank(kh, kw), 0, kh - 1)}) {
          for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
            const auto p =
                makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, border, combine);
            EXPECT_TRUE(meetsBound(p, bank, image));
          }
        }
      }
    }
  }
}

TEST(CpuSeparable, ChannelsAndTypesMeetTheBound) {
  for (const int channels : {1, 2, 5}) {
    for (const int tapChannels : {1, channels}) {
      for (const Combine combine : allCombines) {
        const FilterBank bank = randomBank(7, tapChannels, 6, 5);
        const Image image = randomImage(channels, 41, 90, ElementType::F32);
        EXPECT_TRUE(
            meetsBound(makeProblem(bank, channels, 41, 90, ElementType::F32, ElementType::F32, {}, combine),
                       bank, image));
      }
    }
  }
  for (const ElementType src : allElementTypes) {
    for (const ElementType dst : allElementTypes) {
      const Image image = randomImage(1, 43, 77, src);
      for (const FilterBank& bank : {mixedBank(7, 7), rowBank(7, 7)})
        EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 43, 77, src, dst, {}, Combine::None), bank, image));
    }
  }
  // A bank over three channels whose rows agree in each.
  std::vector<float> taps;
  std::vector<Filter> filters;
  for (int f = 0; f < 5; ++f) {
    taps.clear();
    for (int c = 0; c < 3; ++c) {
      const auto plane = gaussian(9, 7, 1 + f, 1 + c);
      taps.insert(taps.end(), plane.begin(), plane.end());
    }
    filters.push_back(Filter{3, 9, 7, 3, 4, taps, "f" + std::to_string(f)});
  }
  const FilterBank bank({}, std::move(filters));
  const Image image = randomImage(3, 41, 90, ElementType::F32);
  const auto p = makeProblem(bank, 3, 41, 90, ElementType::F32, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(direct::separate(p, correlationTaps(p, bank), roundedOnce).rowsFirst);
  EXPECT_TRUE(meetsBound(p, bank, image, nullptr, 2));
}

TEST(CpuSeparable, ThreadsAndRegionsGiveTheSameBytes) {
  const Image image = randomImage(1, 211, 1003, ElementType::F32);
  for (const Combine combine : {Combine::None, Combine::ArgMax, Combine::Max}) {
    const FilterBank bank = combine == Combine::Max ? rowBank(9, 7) : mixedBank(9, 7);
    const auto p = makeProblem(bank, 1, 211, 1003, ElementType::F32, ElementType::F32, {}, combine);
    const auto whole = runWhole(cpuSeparable(), p, bank, image, {1});
    EXPECT_TRUE(sameImages(whole, runWhole(cpuSeparable(), p, bank, image, {2})));
    const Region part{397, 50, 421, 77};
    ImageSource source(image);
    ImageSink sink(p, part);
    cpuSeparable().prepare(p, bank, {2})->run(source, sink, part, {});
    expectPartOf(whole, sink.images(), part);
  }
}

/// An infinite pixel reaches every pixel whose tap on it is not zero, tails and cancelling terms included,
/// and none outside the rectangle.
TEST(CpuSeparable, NonFinitePixelsStayInTheRectangle) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Image image = randomImage(1, 60, 80, ElementType::F32);
    image.view<float>(0).at(40, 30) = bad;
    auto spike = gaussian(11, 11, 2, 2);
    spike[0] = 1e-30f;  // far below the tolerance, and still a tap
    for (const FilterBank& bank : {mixedBank(11, 11), rowBank(11, 11),
                                   bankOf({gaussian(11, 11, 0.4, 0.4)}, 11, 11), bankOf({spike}, 11, 11)}) {
      const auto p = makeProblem(bank, 1, 60, 80, ElementType::F32, ElementType::F32, {}, Combine::None);
      EXPECT_TRUE(meetsBound(p, bank, image));
    }
  }
}

TEST(CpuSeparable, EveryTargetMeetsTheBound) {
  const TargetGuard guard;
  for (const std::int64_t target : direct::runnableTargets()) {
    TargetGuard::use(target);
    for (const auto& [height, width] : {std::pair{23, 91}, {5, 1000}}) {
      const FilterBank bank = height == 5 ? rowBank(7, 6) : mixedBank(7, 6);
      const Image image = randomImage(1, height, width, ElementType::F32);
      for (const Combine combine : {Combine::None, Combine::ArgMax}) {
        const auto p = makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, combine);
        EXPECT_TRUE(meetsBound(p, bank, image)) << direct::rowKernels().target;
      }
    }
  }
}

TEST(CpuSeparable, LargeResultsAreTheSameAsSmallOnes) {
  const FilterBank bank = mixedBank(5, 5);
  const auto p = makeProblem(bank, 1, 600, 1200, ElementType::F32, ElementType::F32, {}, Combine::None);
  expectLargeAsSmall(cpuSeparable(), p, bank, randomImage(1, 600, 1200, ElementType::F32));
}

TEST(CpuSeparable, DenormalAndConstantPixelsMeetTheBound) {
  for (const float scale : {1e-44f, 1e-40f, 1e-37f, 0.0f}) {
    Image image = randomImage(1, 40, 60, ElementType::F32);
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) image.view<float>(0).at(x, y) *= scale;
    }
    for (const FilterBank& bank :
         {mixedBank(15, 15), bankOf({std::vector<float>(31 * 31, 1.0f)}, 31, 31), randomBank(2, 1, 9, 9)}) {
      const auto p = makeProblem(bank, 1, 40, 60, ElementType::F32, ElementType::F32, {}, Combine::None);
      EXPECT_TRUE(meetsBound(p, bank, image)) << scale;
    }
  }
  Image flat(1, 40, 60, ElementType::U8);
  for (int y = 0; y < 40; ++y) std::memset(flat.plane(0).row(y), 200, 60);
  const FilterBank bank = mixedBank(9, 9);
  const auto p = makeProblem(bank, 1, 40, 60, ElementType::U8, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(meetsBound(p, bank, flat));
}

TEST(CpuSeparable, LargePixelsDoNotOverflowInAColumn) {
  Image image = randomImage(1, 40, 50, ElementType::F32);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 50; ++x) image.view<float>(0).at(x, y) *= 1e38f;
  }
  auto taps = gaussian(9, 9, 2, 3);
  double sum = 0;
  for (const float t : taps) sum += t;
  for (float& t : taps) t = static_cast<float>(t / sum);
  const FilterBank bank = bankOf({taps}, 9, 9);
  const auto p = makeProblem(bank, 1, 40, 50, ElementType::F32, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(meetsBound(p, bank, image));
}

}  // namespace
}  // namespace bankside::testing
