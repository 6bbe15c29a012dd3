/// Against plain loops, for every vector that this machine has.
#include "kernels/highway/row_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernels/target_guard.h"

namespace bankside::testing {
namespace {

/// Numbers of many sizes, with NaN and infinities among them.
std::vector<float> hostile(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    const auto side = static_cast<float>((i * 7919) % 1000 - 500);
    values.push_back(i % 17 == 3   ? NAN
                     : i % 23 == 5 ? -INFINITY
                     : i % 29 == 7 ? INFINITY
                     : i % 31 == 9 ? std::copysign(std::numeric_limits<float>::max(), side)
                                   : side * 0.37f);
  }
  return values;
}

template <class Check>
void onEveryTarget(const Check& check) {
  const TargetGuard guard;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    TargetGuard::use(target);
    for (const int count : {1, 2, 3, 7, 8, 15, 16, 17, 33, 64, 1411}) check(count);
  }
}

TEST(RowValues, ExtremesAreOfWhatIsFinite) {
  onEveryTarget([](int count) {
    const std::vector<float> values = hostile(count);
    ValueRange plain{INFINITY, -INFINITY, 0};
    for (const float v : values) {
      if (!std::isfinite(v)) {
        ++plain.nonFinite;
        continue;
      }
      plain.low = std::min(plain.low, v);
      plain.high = std::max(plain.high, v);
    }
    ValueRange range{INFINITY, -INFINITY, 0};
    direct::addValues(values.data(), count, range);
    EXPECT_EQ(range.low, plain.low);
    EXPECT_EQ(range.high, plain.high);
    EXPECT_EQ(range.nonFinite, plain.nonFinite);
  });
}

TEST(RowValues, EveryValueHasItsBin) {
  onEveryTarget([](int count) {
    const std::vector<float> values = hostile(count);
    for (const float low : {-150.0f, -std::numeric_limits<float>::max()}) {
      const float scale = low > -1000 ? 255 / 300.0f : 0.0f;
      std::vector<std::int32_t> bins(values.size() + 1, -7);
      direct::findBins(values.data(), count, low, scale, 255, bins.data());
      for (int i = 0; i < count; ++i) {
        const float v = values[static_cast<std::size_t>(i)];
        const float at = (v - low) * scale + 0.5f;
        const int inside = at > 0 ? static_cast<int>(std::min(at, 255.0f)) : 0;
        EXPECT_EQ(bins[static_cast<std::size_t>(i)], std::isfinite(v) ? inside : 256) << v;
      }
      EXPECT_EQ(bins.back(), -7) << "written past the end";
    }
  });
}

TEST(RowValues, MeansAreRoundedAsInPlainSums) {
  onEveryTarget([](int count) {
    std::vector<float> upper;
    std::vector<float> lower;
    for (int i = 0; i < 2 * count; ++i) {
      upper.push_back(static_cast<float>(i % 97) * 0.1f - 3);
      lower.push_back(static_cast<float>(i % 89) * 0.3f);
    }
    std::vector<float> means(static_cast<std::size_t>(count) + 1, -7.0f);
    direct::meanOfFour(upper.data(), lower.data(), count, means.data());
    for (std::size_t i = 0; i + 1 < means.size(); ++i) {
      EXPECT_EQ(means[i], 0.25f * ((upper[2 * i] + upper[2 * i + 1]) + (lower[2 * i] + lower[2 * i + 1])));
    }
    EXPECT_EQ(means.back(), -7.0f) << "written past the end";
  });
}

}  // namespace
}  // namespace bankside::testing
