/// Pixels that are infinite, or so large that sums of factors overflow.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/judge/row_streams.h"
#include "kernels/engines.h"
#include "tests/kernels/cpu_direct_checks.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

const Engine& cpuSeparable() { return *findEngine("cpu:separable"); }

/// exp of a bowl, and a tap that is off: two terms.
Filter bumpOf(double sigmaY, double sigmaX, std::size_t off, float by) {
  std::vector<float> taps;
  for (int y = -4; y <= 4; ++y)
    for (int x = -4; x <= 4; ++x)
      taps.push_back(
          static_cast<float>(std::exp(-0.5 * (y * y / sigmaY / sigmaY + x * x / sigmaX / sigmaX))));
  taps[off] += by;
  return makeFilter("bump" + std::to_string(off), 9, 9, std::move(taps));
}

/// Uniform pixels with infinite ones: single, of both signs, and a whole corner of them.
Image imageWithInfinities(int height, int width) {
  Image image = randomImage(1, height, width, ElementType::F32, 5);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto pixels = image.view<float>(0);
  for (int y = 3; y < height; y += 41)
    for (int x = 5; x < width; x += 53) pixels.at(x, y) = (x + y) % 2 == 0 ? infinity : -infinity;
  for (int y = height - 9; y < height; ++y)
    for (int x = width - 30; x < width; ++x) pixels.at(x, y) = infinity;
  pixels.at(width / 2, 60) = std::numeric_limits<float>::quiet_NaN();
  return image;
}

/// Cells that are summed directly lie on the image's own grid, whatever it is cut into: regions that begin
/// and end within them, threads, bands.
TEST(CpuSeparableInfinity, CellsDependOnNoRegionOrBand) {
  constexpr int height = 131;
  constexpr int width = 700;
  const Image image = imageWithInfinities(height, width);
  for (const int filters : {1, 2, 9}) {
    std::vector<Filter> bank;
    for (int f = 0; f < filters; ++f)
      bank.push_back(bumpOf(2 + f, 1.5, static_cast<std::size_t>(12 + 7 * f), 0.25f));
    const FilterBank bumps({}, std::move(bank));
    for (const Combine combine : {Combine::None, Combine::ArgMax, Combine::Magnitude}) {
      const auto p = makeProblem(bumps, 1, height, width, ElementType::F32, ElementType::F32, {}, combine);
      const auto whole = runWhole(cpuSeparable(), p, bumps, image);
      EXPECT_TRUE(sameImages(whole, runWhole(cpuSeparable(), p, bumps, image, {5})));
      const auto plan = cpuSeparable().prepare(p, bumps, {2});
      for (const Region& region : {Region{1, 1, 698, 129}, Region{63, 5, 66, 90}, Region{640, 120, 60, 11}}) {
        ImageSource source(image);
        ImageSink sink(p, region);
        plan->run(source, sink, region, {});
        expectPartOf(whole, sink.images(), region);
        RowSource rows(image);
        RowSink bands(p, region);
        plan->run(rows, bands, region, {});
        expectPartOf(whole, bands.images(), region);
      }
    }
  }
}

/// Factors that cancel are NaN where the direct sum is infinite, or finite: those results are summed
/// directly.
TEST(CpuSeparableInfinity, KeepsInfinitiesWhereDirectSumsDo) {
  constexpr int height = 131;
  constexpr int width = 700;
  const Image image = imageWithInfinities(height, width);
  std::vector<FilterBank> banks;
  for (const auto& [h, w] : {std::pair{3, 3}, {5, 5}, {9, 7}}) {
    std::vector<Filter> filters = randomBank(2, 1, h, w).filters();
    for (float& tap : filters[0].taps) tap = std::fabs(tap);
    banks.push_back(FilterBank({}, std::move(filters)));
  }
  banks.push_back(FilterBank({}, {bumpOf(2, 2, 12, 0.25f), bumpOf(3, 1, 40, -0.5f)}));
  for (const FilterBank& bank : banks) {
    for (const Combine combine : {Combine::None, Combine::Max, Combine::Sum}) {
      const auto p = makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, combine);
      const auto direct = runWhole(cpuDirect(), p, bank, image);
      const auto factors = runWhole(cpuSeparable(), p, bank, image);
      for (std::size_t i = 0; i < direct.size(); ++i) {
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            const float one = direct[i].view<float>(0).at(x, y);
            const float other = factors[i].view<float>(0).at(x, y);
            ASSERT_EQ(std::isfinite(one), std::isfinite(other)) << format(p) << " " << x << ", " << y;
            ASSERT_TRUE(!std::isinf(one) || one == other)
                << format(p) << " " << x << ", " << y << ": " << other;
          }
        }
      }
      const auto plan = cpuSeparable().prepare(p, bank, {1});
      for (const Region& region :
           {Region{0, 37, width, 9}, Region{301, 0, 200, height}, Region{40, 41, 70, 1}}) {
        ImageSource source(image);
        ImageSink sink(p, region);
        plan->run(source, sink, region, {});
        expectPartOf(factors, sink.images(), region);
      }
      EXPECT_TRUE(sameImages(factors, runWhole(cpuSeparable(), p, bank, image, {2})));
    }
  }
}

/// Sums of factors overflow where those of taps do not.
TEST(CpuSeparableInfinity, StaysFiniteWhereFactorsOverflow) {
  Image image(1, 40, 300, ElementType::F32);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 300; ++x)
      image.view<float>(0).at(x, y) = ((x / 3 + y) % 2 == 0 ? 1.0f : -1.0f) * 2e38f;
  std::vector<Filter> filters = randomBank(3, 1, 7, 7).filters();
  for (Filter& filter : filters)
    for (float& tap : filter.taps) tap *= 0.02f;
  const FilterBank bank({}, std::move(filters));
  const auto p = makeProblem(bank, 1, 40, 300, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto direct = runWhole(cpuDirect(), p, bank, image);
  const auto factors = runWhole(cpuSeparable(), p, bank, image);
  for (std::size_t f = 0; f < direct.size(); ++f)
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 300; ++x)
        ASSERT_EQ(std::isfinite(direct[f].view<float>(0).at(x, y)),
                  std::isfinite(factors[f].view<float>(0).at(x, y)))
            << f << " at " << x << ", " << y;
}

}  // namespace
}  // namespace bankside::testing
