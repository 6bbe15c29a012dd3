#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/judge/compare.h"
#include "hwy/targets.h"
#include "kernels/engines.h"
#include "kernels/highway/karatsuba_choice.h"
#include "kernels/highway/row_kernels.h"
#include "tests/kernels/cpu_karatsuba_checks.h"
#include "tests/kernels/target_guard.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

::testing::AssertionResult meetsBound(const ConvolutionProblem& p, const FilterBank& bank, const Image& image,
                                      double* ratio = nullptr, int threads = 1) {
  return testing::meetsBound(cpuKaratsuba(), p, bank, image, ratio, threads);
}

/// What stays exact is exact: all of u16's range where the condition just holds.
TEST(CpuKaratsuba, LargeIntegersStayExact) {
  const FilterBank bank = oneFilter(5, 5, std::vector<float>(25, -3.0f));
  Image image(1, 41, 37, ElementType::U16);
  for (int y = 0; y < 41; ++y) {
    for (int x = 0; x < 37; ++x)
      image.view<std::uint16_t>(0).at(x, y) =
          static_cast<std::uint16_t>((x * 7 + y * 13) % 3 == 0 ? 65535 : x);
  }
  const auto p = makeProblem(bank, 1, 41, 37, ElementType::U16, ElementType::F32, {}, Combine::None);
  const auto choice = direct::chooseKaratsuba(p, correlationTaps(p, bank));
  ASSERT_EQ(choice.program.rows, 2);
  EXPECT_TRUE(exactlyAsReference(p, bank, image));
  EXPECT_TRUE(exactlyAsDirect(p, bank, image));
}

TEST(CpuKaratsuba, FilterSizesMeetTheBound) {
  double ratio = 0;
  for (const int k : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 21, 31, 32, 63}) {
    for (const int filters : {1, 2, 3, 4, 5, 7, 12}) {
      const int height = 37 + k % 5;
      const Image image = randomImage(1, height, 141, ElementType::F32);
      const FilterBank bank = randomBank(filters, 1, k, k);
      EXPECT_TRUE(meetsBound(floats(bank, height, 141), bank, image, k == 1 ? nullptr : &ratio, 2)) << k;
    }
  }
  EXPECT_LT(ratio, 0.5);
  EXPECT_GT(ratio, 0.0);
}

/// Upper taps large, lower ones zero, odd rows huge: what rounds there cancels in even rows, which the
/// pixelwise bound of direct sums does not allow and the bound of the group does.
TEST(CpuKaratsuba, CancellingRowsNeedAndMeetTheBoundOfTheGroup) {
  for (const int k : {2, 5, 7, 9}) {
    for (const int apart : {2, 4}) {
      FilterBank bank = randomBank(4, 1, k, k);
      std::vector<Filter> filters;
      for (Filter f : bank.filters()) {
        for (int y = 0; y < k; ++y) {
          for (int x = 0; x < k; ++x) {
            float& tap = f.taps[static_cast<std::size_t>(y * k + x)];
            tap = y % apart == 0 ? 1000 * tap : 0.0f;
          }
        }
        filters.push_back(std::move(f));
      }
      bank = FilterBank({}, std::move(filters));
      Image image = randomImage(1, 41, 53, ElementType::F32);
      const ConvolutionProblem p = floats(bank, 41, 53, {BorderKind::Wrap});
      for (int odd = 0; odd < apart; ++odd) {
        Image rows = image.clone();
        for (int y = 0; y < 41; ++y) {
          for (int x = 0; x < 53; ++x) {
            if (y % apart == odd) rows.view<float>(0).at(x, y) *= 1e6f;
          }
        }
        EXPECT_TRUE(meetsBound(p, bank, rows)) << k << " " << apart << " " << odd;
      }
      if (k < 5) continue;
      // The direct bound is passed by far at one of the phases.
      double most = 0;
      for (int odd = 0; odd < apart; ++odd) {
        Image rows = image.clone();
        for (int y = 0; y < 41; ++y) {
          for (int x = 0; x < 53; ++x) {
            if (y % apart == odd) rows.view<float>(0).at(x, y) *= 1e6f;
          }
        }
        ImageSource source(rows);
        const auto got = runWhole(cpuKaratsuba(), p, bank, rows, {1});
        const ErrorBound direct = cpuDirect().prepare(p, bank, {1})->errorBound();
        most = std::max(most, verify(p, bank, source, wholeImage(p), got, direct).maxBoundRatio);
      }
      EXPECT_GT(most, 2.0) << k << " " << apart;
    }
  }
}

TEST(CpuKaratsuba, BordersShapesAnchorsAndCombines) {
  for (const BorderKind kind : allBorderKinds) {
    const Border border{kind, kind == BorderKind::Constant ? -3.0f : 0.0f};
    for (const auto& [height, width] :
         {std::pair{1, 1}, {1, 37}, {2, 5}, {3, 17}, {37, 1}, {5, 3}, {16, 17}, {30, 501}}) {
      for (const auto& [kh, kw] : {std::pair{3, 3}, {5, 4}, {4, 9}, {31, 6}, {8, 1}}) {
        const Image image = integerImage(1, height, width, ElementType::F32);
        for (const auto& [x, y] : {std::pair{kw - 1, 0}, {0, kh - 1}}) {
          const FilterBank bank = withAnchor(integerBank(5, 1, kh, kw), x, y);
          for (const Combine combine : allCombines)
            EXPECT_TRUE(exactlyAsDirect(floats(bank, height, width, border, combine), bank, image));
        }
      }
    }
  }
}

TEST(CpuKaratsuba, ChannelsAndTypes) {
  for (const int channels : {1, 2, 5}) {
    for (const int tapChannels : {1, channels}) {
      for (const Combine combine : allCombines) {
        const FilterBank bank = integerBank(7, tapChannels, 6, 5);
        const Image image = integerImage(channels, 41, 90, ElementType::F32);
        EXPECT_TRUE(exactlyAsDirect(
            makeProblem(bank, channels, 41, 90, ElementType::F32, ElementType::F32, {}, combine), bank,
            image));
      }
    }
  }
  for (const ElementType src : allElementTypes) {
    for (const ElementType dst : allElementTypes) {
      const Image image = randomImage(1, 43, 77, src);
      const FilterBank bank = randomBank(12, 1, 7, 7);
      EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 43, 77, src, dst, {}, Combine::None), bank, image));
    }
  }
}

/// Regions by themselves, on two threads, have the bytes that they have in the whole.
void expectParts(const std::vector<Image>& whole, const ConvolutionProblem& p, const FilterBank& bank,
                 const Image& image, const std::vector<Region>& parts) {
  for (const Region& part : parts) {
    ImageSource source(image);
    ImageSink sink(p, part);
    cpuKaratsuba().prepare(p, bank, {2})->run(source, sink, part, {});
    expectPartOf(whole, sink.images(), part);
  }
}

/// Any cut of the image gives the same bytes: regions that begin and end within groups, threads, streams.
TEST(CpuKaratsuba, ThreadsAndRegionsGiveTheSameBytes) {
  const Image image = randomImage(1, 211, 803, ElementType::F32);
  for (const Combine combine : {Combine::None, Combine::ArgMax, Combine::Max}) {
    for (const int k : {4, 9}) {
      const FilterBank bank = randomBank(7, 1, k, k);
      const auto p = floats(bank, 211, 803, {}, combine);
      const auto whole = runWhole(cpuKaratsuba(), p, bank, image, {1});
      EXPECT_TRUE(sameImages(whole, runWhole(cpuKaratsuba(), p, bank, image, {2})));
      EXPECT_TRUE(sameImages(whole, runWhole(cpuKaratsuba(), p, bank, image, {7})));
      expectParts(whole, p, bank, image,
                  {{397, 50, 321, 77}, {1, 1, 700, 3}, {0, 209, 803, 2}, {17, 63, 33, 1}, {5, 130, 500, 81}});
    }
  }
}

/// What is made plainly depends on cells of the image's own: regions that begin and end within them.
TEST(CpuKaratsuba, PlainCellsDependOnNoRegion) {
  Image image = imageOfValues("sparse-nan", 130, 500, ElementType::F32);
  image.view<float>(0).at(201, 90) = std::numeric_limits<float>::infinity();
  image.view<float>(0).at(330, 7) = 3e38f;
  for (const int filters : {1, 3, 7}) {
    for (const Combine combine : {Combine::None, Combine::ArgMax, Combine::Max, Combine::Mean}) {
      for (const ElementType dst : {ElementType::F32, ElementType::U8}) {
        const FilterBank bank = randomBank(filters, 1, 9, 7);
        const auto p = makeProblem(bank, 1, 130, 500, ElementType::F32, dst, {}, combine);
        const auto whole = runWhole(cpuKaratsuba(), p, bank, image, {1});
        EXPECT_TRUE(sameImages(whole, runWhole(cpuKaratsuba(), p, bank, image, {5})));
        expectParts(
            whole, p, bank, image,
            {{1, 0, 499, 130}, {63, 3, 66, 90}, {70, 41, 3, 2}, {130, 1, 128, 77}, {449, 120, 51, 10}});
      }
    }
  }
}

/// In a cell that sees such a pixel every result is the direct one, bit for bit.
TEST(CpuKaratsuba, PlainCellsAreDirectSums) {
  Image image = randomImage(1, 40, 300, ElementType::F32);
  image.view<float>(0).at(100, 20) = std::nanf("");
  for (const int filters : {1, 2, 6, 12}) {
    const FilterBank bank = randomBank(filters, 1, 7, 7);
    const auto p = floats(bank, 40, 300);
    ASSERT_GT(direct::chooseKaratsuba(p, correlationTaps(p, bank)).program.rows, 1);
    const auto got = runWhole(cpuKaratsuba(), p, bank, image, {1});
    const auto direct = runWhole(cpuDirect(), p, bank, image, {1});
    for (std::size_t f = 0; f < got.size(); ++f) {
      const auto row = [&](const std::vector<Image>& of, int x) { return of[f].view<float>(0).row(20) + x; };
      EXPECT_EQ(std::memcmp(row(got, 64), row(direct, 64), 64 * sizeof(float)), 0) << filters << " " << f;
      EXPECT_NE(std::memcmp(row(got, 128), row(direct, 128), 128 * sizeof(float)), 0) << filters << " " << f;
    }
  }
}

/// Pixels that are not finite, or whose differences are not, make the sums that read them direct ones.
TEST(CpuKaratsuba, NonFiniteAndHugePixelsFallBackToDirectSums) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float most = std::numeric_limits<float>::max();
  const std::vector<float> bads[] = {{infinity},
                                     {-infinity, infinity},
                                     {std::numeric_limits<float>::quiet_NaN()},
                                     {most, -most},
                                     {most, most}};
  for (const std::vector<float>& bad : bads) {
    for (const int k : {3, 8, 11}) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        FilterBank bank = randomBank(7, 1, k, k);
        std::vector<Filter> filters = bank.filters();
        for (std::size_t i = 0; i < filters.size(); ++i) {
          // Zeros too: what lies on them does not count. Small taps, so that direct sums do not overflow.
          for (std::size_t t = 0; t < filters[i].taps.size(); ++t)
            filters[i].taps[t] = (t + i) % 3 == 0 ? 0.0f : 0.001f * filters[i].taps[t];
        }
        bank = FilterBank({}, std::move(filters));
        Image image = randomImage(1, 47, 150, ElementType::F32);
        for (std::size_t i = 0; i < bad.size(); ++i)
          image.view<float>(0).at(70, 20 + static_cast<int>(i)) = bad[i];
        const ConvolutionProblem p = floats(bank, 47, 150, {}, combine);
        const auto got = runWhole(cpuKaratsuba(), p, bank, image, {1});
        EXPECT_TRUE(sameImages(got, runWhole(cpuKaratsuba(), p, bank, image, {3})));
        // (The rule of a maximum wants NaN where one response is minus infinity; engines give the others'.)
        if (combine == Combine::None) {
          EXPECT_TRUE(meetsBound(p, bank, image)) << k << " " << bad[0];
        }
        // Not finite exactly where direct sums are not, and then with their very bits.
        const auto direct = runWhole(cpuDirect(), p, bank, image, {1});
        for (std::size_t f = 0; f < (combine == Combine::None ? got.size() : 1); ++f) {
          for (int y = 0; y < 47; ++y) {
            for (int x = 0; x < 150; ++x) {
              const float a = got[f].view<float>(0).at(x, y);
              const float b = direct[f].view<float>(0).at(x, y);
              ASSERT_EQ(std::isfinite(a), std::isfinite(b)) << k << " " << f << " " << x << " " << y;
              if (std::isinf(b)) {
                ASSERT_EQ(a, b);
              }
            }
          }
        }
      }
    }
  }
}

/// Taps whose sums overflow, under pixels that cannot.
TEST(CpuKaratsuba, HugeTapsFallBackToDirectSums) {
  std::vector<float> taps(25, 3e38f);
  for (std::size_t i = 0; i < taps.size(); i += 2) taps[i] = -3e38f;
  const FilterBank bank = oneFilter(5, 5, taps);
  Image image(1, 20, 30, ElementType::U8);
  for (int y = 0; y < 20; ++y) std::memset(image.plane(0).row(y), 0, 30);
  image.view<std::uint8_t>(0).at(15, 10) = 1;
  const auto p = makeProblem(bank, 1, 20, 30, ElementType::U8, ElementType::F32, {}, Combine::None);
  EXPECT_TRUE(exactlyAsDirect(p, bank, image));
}

TEST(CpuKaratsuba, DenormalAndConstantPixelsMeetTheBound) {
  for (const float scale : {1e-44f, 1e-40f, 1e-37f, 0.0f}) {
    Image image = randomImage(1, 40, 60, ElementType::F32);
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) image.view<float>(0).at(x, y) *= scale;
    }
    for (const int k : {5, 15}) {
      const FilterBank bank = randomBank(4, 1, k, k);
      EXPECT_TRUE(meetsBound(floats(bank, 40, 60), bank, image)) << scale;
    }
  }
  Image flat(1, 40, 60, ElementType::U8);
  for (int y = 0; y < 40; ++y) std::memset(flat.plane(0).row(y), 200, 60);
  const FilterBank bank = randomBank(6, 1, 9, 9);
  EXPECT_TRUE(meetsBound(makeProblem(bank, 1, 40, 60, ElementType::U8, ElementType::F32, {}, Combine::None),
                         bank, flat));
}

TEST(CpuKaratsuba, EveryTargetMeetsTheBound) {
  const TargetGuard guard;
  for (const std::int64_t target : direct::runnableTargets()) {
    TargetGuard::use(target);
    for (const int filters : {1, 2, 3, 4, 5, 6}) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        const FilterBank bank = randomBank(filters, 1, 7, 6);
        const Image image = randomImage(1, 23, 291, ElementType::F32);
        EXPECT_TRUE(meetsBound(floats(bank, 23, 291, {}, combine), bank, image))
            << direct::rowKernels().target;
        const FilterBank integers = integerBank(filters, 1, 7, 6);
        EXPECT_TRUE(exactlyAsDirect(floats(integers, 23, 291, {}, combine), integers,
                                    integerImage(1, 23, 291, ElementType::F32)))
            << direct::rowKernels().target;
      }
    }
  }
}

TEST(CpuKaratsuba, LargeResultsAreTheSameAsSmallOnes) {
  for (const auto& [filters, width] : {std::pair(6, 1200), {2, 1200}, {2, 1213}, {3, 1209}}) {
    const FilterBank bank = randomBank(filters, 1, 5, 5);
    const int height = 2'200'000 / width / filters;
    expectLargeAsSmall(cpuKaratsuba(), floats(bank, height, width), bank,
                       randomImage(1, height, width, ElementType::F32));
  }
}

TEST(CpuKaratsuba, StopsWhenAsked) {
  const FilterBank bank = randomBank(6, 1, 7, 7);
  const Image image = randomImage(1, 64, 64, ElementType::F32);
  const auto p = floats(bank, 64, 64);
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(cpuKaratsuba().prepare(p, bank, {1})->run(source, sink, wholeImage(p), stop.get_token()),
               Cancelled);
}

}  // namespace
}  // namespace bankside::testing
