#include <cmath>
#include <limits>

#include "core/combine.h"
#include "hwy/targets.h"
#include "kernels/highway/row_kernels.h"
#include "tests/kernels/cpu_direct_checks.h"
#include "tests/kernels/target_guard.h"

namespace bankside::testing {
namespace {

struct Shape {
  int height, width, filterHeight, filterWidth;
};

/// Register blocks are 64, 128 (AVX-512), 16, 24, 32 (AVX2) and fewer pixels wide, vectors 16, 8 and 4.
constexpr Shape awkwardShapes[] = {
    {1, 1, 3, 3},   {1, 37, 3, 5},   {37, 1, 5, 3},  {2, 2, 7, 7},    {5, 3, 9, 11},  {13, 17, 1, 1},
    {7, 15, 3, 3},  {7, 16, 3, 3},   {7, 17, 2, 2},  {6, 63, 3, 4},   {6, 64, 5, 5},  {6, 65, 4, 3},
    {3, 127, 3, 3}, {3, 128, 1, 7},  {3, 129, 7, 1}, {9, 31, 13, 13}, {4, 383, 3, 3}, {4, 384, 3, 3},
    {4, 385, 3, 3}, {8, 97, 15, 15}, {11, 23, 31, 6}};

TEST(CpuDirect, IntegersAreExactForEveryBorderAndShape) {
  for (const BorderKind kind : allBorderKinds) {
    for (const Shape& s : awkwardShapes) {
      for (const int filters : {1, 2, 3, 4, 5, 6, 7, 13}) {
        const FilterBank bank = integerBank(filters, 1, s.filterHeight, s.filterWidth);
        const Image image = integerImage(1, s.height, s.width, ElementType::F32);
        const Border border{kind, kind == BorderKind::Constant ? -3.0f : 0.0f};
        const auto p = makeProblem(bank, 1, s.height, s.width, ElementType::F32, ElementType::F32, border,
                                   Combine::None);
        ASSERT_TRUE(exactlyAsReference(p, bank, image));
      }
    }
  }
}

TEST(CpuDirect, AnchorsEvenSizesAndConvolution) {
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    for (const auto& [ax, ay] : {std::pair{0, 0}, {3, 0}, {0, 4}, {3, 4}, {1, 2}}) {
      for (const int filters : {1, 3, 6}) {
        const FilterBank bank = withMode(withAnchor(integerBank(filters, 1, 5, 4), ax, ay), mode);
        const Image image = integerImage(1, 19, 45, ElementType::F32);
        const auto p = makeProblem(bank, 1, 19, 45, ElementType::F32, ElementType::F32, {}, Combine::None);
        ASSERT_TRUE(exactlyAsReference(p, bank, image));
      }
    }
  }
}

TEST(CpuDirect, LargestFilter) {
  const FilterBank bank = integerBank(1, 1, 127, 127);
  const Image image = integerImage(1, 9, 70, ElementType::F32);
  for (const BorderKind kind : allBorderKinds) {
    const auto p = makeProblem(bank, 1, 9, 70, ElementType::F32, ElementType::F32, {kind, 0}, Combine::None);
    ASSERT_TRUE(exactlyAsReference(p, bank, image));
  }
}

TEST(CpuDirect, WideAndTallImages) {
  for (const int filters : {1, 6}) {
    const FilterBank bank = integerBank(filters, 1, 3, 3);
    const Image wide = integerImage(1, 1, 70000, ElementType::U8);
    ASSERT_TRUE(exactlyAsReference(
        makeProblem(bank, 1, 1, 70000, ElementType::U8, ElementType::F32, {}, Combine::None), bank, wide, 2));
    const Image tall = integerImage(1, 70001, 1, ElementType::U8);
    ASSERT_TRUE(exactlyAsReference(
        makeProblem(bank, 1, 70001, 1, ElementType::U8, ElementType::F32, {}, Combine::None), bank, tall, 2));
  }
}

TEST(CpuDirect, ChannelsSummedAndPerPlane) {
  for (const int channels : {2, 3, 5}) {
    for (const int filters : {1, 2, 7}) {
      for (const int tapChannels : {1, channels}) {
        const FilterBank bank = integerBank(filters, tapChannels, 3, 5);
        const Image image = integerImage(channels, 21, 70, ElementType::F32);
        for (const Combine combine : {Combine::None, Combine::ArgMax}) {
          const auto p = makeProblem(bank, channels, 21, 70, ElementType::F32, ElementType::F32,
                                     {BorderKind::Constant, 2}, combine);
          ASSERT_TRUE(exactlyAsReference(p, bank, image, 2));
        }
      }
    }
  }
}

TEST(CpuDirect, EverySourceAndResultType) {
  for (const ElementType src : allElementTypes) {
    for (const ElementType dst : allElementTypes) {
      const FilterBank bank = integerBank(7, 1, 3, 3);
      const Image image = integerImage(1, 23, 77, src);
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        ASSERT_TRUE(exactlyAsReference(makeProblem(bank, 1, 23, 77, src, dst, {}, combine), bank, image));
      }
    }
  }
}

/// Narrow results are the f32 results through core's fromFloat, ties, overflow and NaN included.
TEST(CpuDirect, NarrowResultsRoundAsCore) {
  Image image(1, 1, 200, ElementType::F32);
  for (int x = 0; x < 200; ++x) {
    const float special[] = {0.5f,
                             1.5f,
                             2.5f,
                             -0.5f,
                             254.5f,
                             255.5f,
                             65534.5f,
                             65535.5f,
                             65519.0f,
                             65520.0f,
                             1e9f,
                             -1e9f,
                             3e-6f,
                             5.9604645e-8f,
                             2.9802322e-8f,
                             2048.5f,
                             2049.0f,
                             2051.0f,
                             std::numeric_limits<float>::quiet_NaN(),
                             -std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()};
    image.view<float>(0).at(x, 0) = x < 22 ? special[x] : static_cast<float>(x) * 1000.37f - 70000.0f;
  }
  const FilterBank bank = FilterBank({.name = "identity"}, {makeFilter("f", 1, 1, {1.0f})});
  const auto wide = runWhole(
      cpuDirect(), makeProblem(bank, 1, 1, 200, ElementType::F32, ElementType::F32, {}, Combine::None), bank,
      image);
  EXPECT_TRUE(samePixels(wide[0], image));
  for (const ElementType dst : {ElementType::U8, ElementType::U16, ElementType::F16}) {
    for (const Combine combine : {Combine::None, Combine::Max}) {
      const auto p = makeProblem(bank, 1, 1, 200, ElementType::F32, dst, {}, combine);
      EXPECT_TRUE(samePixels(runWhole(cpuDirect(), p, bank, image)[0], convert(image, dst))) << format(p);
    }
  }
}

TEST(CpuDirect, FloatsMeetTheBound) {
  for (const ElementType src : allElementTypes) {
    for (const Combine combine : allCombines) {
      for (const int filters : {1, 2, 8}) {
        const FilterBank bank = randomBank(filters, 2, 7, 5);
        const Image image = randomImage(2, 33, 91, src);
        const auto p = makeProblem(bank, 2, 33, 91, src, ElementType::F32, {}, combine);
        const auto plan = cpuDirect().prepare(p, bank, {});
        ImageSource source(image);
        ImageSink sink(p, wholeImage(p));
        plan->run(source, sink, wholeImage(p), {});
        const Verification v = verify(p, bank, source, wholeImage(p), sink.images(), plan->errorBound());
        EXPECT_TRUE(v.passed) << format(p) << ": " << v.place();
        EXPECT_GT(v.checked, 0);
      }
    }
  }
}

/// Combined maps are those of core's Combiner over the engine's own responses, bit for bit: of narrow images
/// and of ones that are read where they lie, whatever their pixels.
TEST(CpuDirect, CombinesAreBitIdenticalToCore) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  struct Strange {
    int x, y;
    float value;
  };
  const std::vector<std::vector<Strange>> images = {
      {},
      {{20, 4, inf}, {22, 4, -inf}, {90, 2, nan}},
      {{-350, 3, nan}},
      {{-1, 8, nan}},
      {{-340, 5, 3e38f}, {-341, 5, -3e38f}, {30, 2, 3.4e38f}, {30, 3, -3.4e38f}},  // sums that overflow
  };
  for (const auto& [filters, width] : std::vector<std::pair<int, int>>{
           {1, 150}, {2, 150}, {6, 150}, {7, 150}, {13, 150}, {2, 700}, {6, 700}, {13, 700}}) {
    const FilterBank bank = randomBank(filters, 1, 3, 3);
    for (const std::vector<Strange>& pixels : images) {
      Image image = randomImage(1, 9, width, ElementType::F32);
      for (const Strange& s : pixels) {
        const int x = s.x < 0 ? width + s.x : s.x;
        if (x >= 0) image.view<float>(0).at(x, s.y) = s.value;
      }
      const auto none = makeProblem(bank, 1, 9, width, ElementType::F32, ElementType::F32, {}, Combine::None);
      const auto responses = runWhole(cpuDirect(), none, bank, image);
      for (const Combine combine : allCombines) {
        if (combine == Combine::None) continue;
        ConvolutionProblem p = none;
        p.combine = combine;
        std::vector<Image> expected;
        for (const ElementType type : outputPlanes(p)) expected.emplace_back(1, 9, width, type);
        const Combiner combiner{combine, filters};
        for (int y = 0; y < 9; ++y) {
          float* value = expected[0].view<float>(0).row(y);
          std::uint16_t* index =
              combine == Combine::ArgMax ? expected[1].view<std::uint16_t>(0).row(y) : nullptr;
          for (int f = 0; f < filters; ++f) {
            combiner.accumulate(f, responses[static_cast<std::size_t>(f)].view<float>(0).row(y), width, value,
                                index);
          }
          combiner.finish(width, value);
        }
        EXPECT_TRUE(sameImages(runWhole(cpuDirect(), p, bank, image), expected)) << format(p);
      }
    }
  }
}

/// Decision 0003: a non-finite pixel reaches every output where its tap is not zero, and none whose rectangle
/// does not cover it.
TEST(CpuDirect, NonFinitePixelsStayInTheirRectangle) {
  for (const int filters : {1, 2, 3, 6}) {
    const FilterBank bank = randomBank(filters, 1, 3, 5);
    for (const float bad :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      Image image = randomImage(1, 17, 143, ElementType::F32);
      for (const auto& [x, y] : {std::pair{0, 0}, {142, 16}, {70, 5}, {64, 9}, {15, 12}}) {
        image.view<float>(0).at(x, y) = bad;
      }
      const auto p = makeProblem(bank, 1, 17, 143, ElementType::F32, ElementType::F32,
                                 {BorderKind::Constant, 0}, Combine::None);
      const auto got = runWhole(cpuDirect(), p, bank, image);
      for (const Image& plane : got) {
        for (int y = 0; y < 17; ++y) {
          for (int x = 0; x < 143; ++x) {
            bool covers = false;
            for (const auto& [bx, by] : {std::pair{0, 0}, {142, 16}, {70, 5}, {64, 9}, {15, 12}}) {
              covers = covers || (std::abs(x - bx) <= 2 && std::abs(y - by) <= 1);
            }
            ASSERT_EQ(covers, !std::isfinite(plane.view<float>(0).at(x, y))) << x << ", " << y;
          }
        }
      }
    }
  }
}

/// Banks with margins of zeros, empty filters and holes.
FilterBank sparseBank(int filters, int size) {
  FilterBank dense = randomBank(filters, 1, size, size);
  std::vector<Filter> list = dense.filters();
  for (int f = 0; f < filters; ++f) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const bool keep = f % 4 != 3 && std::abs(x - size / 2 - f % 3) <= 1 + f % 2 && (x + y) % 5 != 0;
        if (!keep) list[static_cast<std::size_t>(f)].taps[static_cast<std::size_t>(y * size + x)] = 0;
      }
    }
  }
  return FilterBank(dense.info(), std::move(list));
}

TEST(CpuDirect, SparseBanksMeetTheBound) {
  for (const int filters : {1, 2, 4, 12}) {
    const FilterBank bank = sparseBank(filters, 11);
    Image image = randomImage(1, 29, 201, ElementType::F32);
    image.view<float>(0).at(100, 14) = std::numeric_limits<float>::quiet_NaN();
    const auto p = makeProblem(bank, 1, 29, 201, ElementType::F32, ElementType::F32, {}, Combine::None);
    ImageSource source(image);
    const auto v = verify(p, bank, source, wholeImage(p), runWhole(cpuDirect(), p, bank, image),
                          cpuDirect().prepare(p, bank, {})->errorBound());
    EXPECT_TRUE(v.passed) << format(p) << ": " << v.place();
  }
}

TEST(CpuDirect, EveryTargetIsRightAndFusedOnesAgreeToTheByte) {
  const TargetGuard guard;
  const std::vector<std::int64_t> targets = direct::runnableTargets();
  std::vector<std::string> seen;
  std::vector<std::vector<Image>> fused;
  for (const std::int64_t target : targets) {
    TargetGuard::use(target);
    seen.push_back(cpuDirect().description());
    std::vector<Image> results;
    bool fusedTarget = false;
    for (const int filters : {1, 2, 3, 4, 5, 6, 13}) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax, Combine::Magnitude}) {
        for (const ElementType type : allElementTypes) {
          const FilterBank bank = randomBank(filters, 1, 5, 7);
          const Image image = randomImage(1, 13, 211, type);
          const auto p = makeProblem(bank, 1, 13, 211, type, type, {}, combine);
          const auto plan = cpuDirect().prepare(p, bank, {1});
          ImageSource source(image);
          ImageSink sink(p, wholeImage(p));
          plan->run(source, sink, wholeImage(p), {});
          const auto v = verify(p, bank, source, wholeImage(p), sink.images(), plan->errorBound());
          EXPECT_TRUE(v.passed) << seen.back() << " " << format(p) << ": " << v.place();
          fusedTarget = plan->variant().find("no FMA") == std::string::npos;
          for (Image& plane : sink.images()) results.push_back(std::move(plane));
        }
      }
      const FilterBank integers = integerBank(filters, 1, 5, 7);
      const Image image = integerImage(1, 13, 211, ElementType::F32);
      EXPECT_TRUE(exactlyAsReference(
          makeProblem(integers, 1, 13, 211, ElementType::F32, ElementType::F32, {}, Combine::None), integers,
          image))
          << seen.back();
    }
    if (fusedTarget) fused.push_back(std::move(results));
  }
  for (std::size_t i = 1; i < fused.size(); ++i) EXPECT_TRUE(sameImages(fused[0], fused[i]));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << "two targets ran the same code";
  RecordProperty("targets", static_cast<int>(targets.size()));
}

/// One fused multiply-add a tap in order c, ky, kx from +0: the contract, in scalar code.
TEST(CpuDirect, BytesAreThoseOfFusedMultiplyAddsInOrder) {
  const FilterBank bank = randomBank(7, 2, 3, 5);
  const Image image = randomImage(2, 11, 83, ElementType::F32);
  const auto p =
      makeProblem(bank, 2, 11, 83, ElementType::F32, ElementType::F32, {BorderKind::Wrap, 0}, Combine::None);
  if (cpuDirect().prepare(p, bank, {})->variant().find("no FMA") != std::string::npos)
    GTEST_SKIP() << "no FMA here";
  const auto got = runWhole(cpuDirect(), p, bank, image);
  for (int f = 0; f < 7; ++f) {
    for (int y = 0; y < 11; ++y) {
      for (int x = 0; x < 83; ++x) {
        float sum = 0;
        for (int c = 0; c < 2; ++c) {
          for (int ky = 0; ky < 3; ++ky) {
            for (int kx = 0; kx < 5; ++kx) {
              const int sy = borderIndex(y + ky - 1, 11, BorderKind::Wrap);
              const int sx = borderIndex(x + kx - 2, 83, BorderKind::Wrap);
              sum = std::fma(bank[f].tap(c, ky, kx), image.view<float>(c).at(sx, sy), sum);
            }
          }
        }
        ASSERT_EQ(sum, got[static_cast<std::size_t>(f)].view<float>(0).at(x, y))
            << f << " " << x << ", " << y;
      }
    }
  }
}

}  // namespace
}  // namespace bankside::testing
