/// Pixels that break assumptions about pixels: results are right, and finite where they should be.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/engines.h"
#include "tests/kernels/cpu_path_checks.h"
#include "tests/support/made_images.h"
#include "tests/support/test_names.h"

namespace bankside::testing {
namespace {

constexpr int height = 90;
constexpr int width = 210;

class HostileValues : public ::testing::TestWithParam<std::string> {
 protected:
  static void expectRight(const FilterBank& bank, Combine combine, const Border& border) {
    const Image image = imageOfValues(GetParam(), height, width, ElementType::F32);
    const auto p = makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, border, combine);
    for (const char* name : {"cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft", "cpu"}) {
      const Engine& engine = *findEngine(name);
      if (!engine.supports(p)) continue;
      EXPECT_TRUE(meetsBound(engine, p, bank, image, nullptr, 1)) << name;
    }
  }
};

TEST_P(HostileValues, AreRight) {
  expectRight(randomBank(3, 1, 9, 9), Combine::None, {});
  expectRight(randomBank(2, 1, 4, 7), Combine::Max, {BorderKind::Constant, 3});
  expectRight(randomBank(2, 1, 31, 31), Combine::None, {BorderKind::Wrap, 0});
}

/// Zero taps see nothing, as with direct sums.
TEST_P(HostileValues, StayWhereDirectSumsPutThem) {
  const Image image = imageOfValues(GetParam(), height, width, ElementType::F32);
  const FilterBank dense = randomBank(2, 1, 7, 7);
  std::vector<Filter> filters = dense.filters();
  for (std::size_t i = 0; i < filters[0].taps.size(); i += 3) filters[0].taps[i] = 0;
  for (float& tap : filters[1].taps) tap = std::fabs(tap);
  const FilterBank bank(dense.info(), std::move(filters));
  const auto p = makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, {}, Combine::None);
  const auto direct = runWhole(*findEngine("cpu:direct"), p, bank, image);
  const auto fft = runWhole(*findEngine("cpu:fft"), p, bank, image);
  for (std::size_t f = 0; f < 2; ++f) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float one = direct[f].view<float>(0).at(x, y);
        const float other = fft[f].view<float>(0).at(x, y);
        ASSERT_EQ(std::isfinite(one), std::isfinite(other)) << f << " at " << x << ", " << y;
        ASSERT_TRUE(!std::isinf(one) || one == other) << f << " at " << x << ", " << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileValues, ::testing::ValuesIn(pixelValues()), byItsText);

}  // namespace
}  // namespace bankside::testing
