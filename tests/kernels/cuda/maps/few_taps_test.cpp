/// Banks that are nearly all zeros on the device: one multiply-add a tap, in the direct order. Runs on a GPU,
/// and with the kernels as C++ on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/cuda/maps/map_maker.h"
#include "kernels/reference/reference_engine.h"
#include "tests/core/maps/made_maps.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside {
namespace {

using testing::madeMaps;

constexpr int channels = 3;
constexpr int side = 27;

/// So many that they are not all side by side; one has no tap, one has its only ones in the corners.
FilterBank fewTaps() {
  std::mt19937 random(5);
  std::vector<Filter> filters;
  for (int f = 0; f < 8; ++f) {
    std::vector<float> taps(static_cast<std::size_t>(channels * side * side));
    for (int t = 0; t < 9 && f != 3; ++t)
      taps[random() % taps.size()] = static_cast<float>(random() % 100) / 25 - 2.02f;
    if (f == 5) taps.front() = taps.back() = 0.7f;
    Filter filter = makeFilter("f" + std::to_string(f), side, side, std::vector<float>(side * side));
    filter.channels = channels;
    filter.taps = std::move(taps);
    filters.push_back(std::move(filter));
  }
  return FilterBank({.name = "few"}, std::move(filters));
}

struct Tap {
  float weight;
  int channel, x, y;
};

/// In the direct order.
std::vector<Tap> tapsOf(const CorrelationTaps& taps, int filter) {
  std::vector<Tap> some;
  auto weight = taps.taps.begin() + static_cast<std::ptrdiff_t>(filter) * channels * side * side;
  for (int i = 0; i < channels * side * side; ++i, ++weight) {
    if (*weight != 0)
      some.push_back({*weight, i / (side * side), i % side - taps.anchorX, i / side % side - taps.anchorY});
  }
  return some;
}

float expectedAt(const ConvolutionProblem& p, const std::vector<Tap>& taps, const Maps& maps, int x, int y) {
  float sum = 0;
  for (const Tap& tap : taps) {
    const int column = borderIndex(x + tap.x, p.width, p.border.kind);
    const int row = borderIndex(y + tap.y, p.height, p.border.kind);
    const float pixel = column < 0 || row < 0
                            ? p.border.value
                            : maps.view(static_cast<std::size_t>(tap.channel)).at(column, row);
    sum = std::fma(tap.weight, pixel, sum);
  }
  return sum;
}

TEST(FewTapsOnDevice, SumInTheDirectOrder) {
  BANKSIDE_NEEDS_GPU();
  const auto engine = makeReferenceEngine();
  const auto maker = cuda::makeMapMaker(0);
  const FilterBank bank = fewTaps();
  for (const Extent& extent : {Extent{21, 40, 10}, Extent{75, 230, 10}}) {
    const Maps maps = madeMaps(channels, extent, 6);
    for (const Border& border : {Border{BorderKind::Constant, 1.5f}, Border{BorderKind::Reflect101},
                                 Border{BorderKind::Replicate}, Border{BorderKind::Wrap}}) {
      const ConvolutionProblem problem =
          makeProblem(bank, channels, extent.height, extent.width, ElementType::F32, ElementType::F32, border,
                      Combine::None);
      const CorrelationTaps taps = correlationTaps(problem, bank);
      maker->begin();
      const auto prepared = maker->prepare(*engine, problem, bank, {});
      ASSERT_NE(prepared, nullptr);
      Maps brought = Maps::make(extent, std::vector<MapName>(static_cast<std::size_t>(bank.size())));
      maker->bring(maker->run(*prepared, maker->put(maps)), brought);
      for (int f = 0; f < bank.size(); ++f) {
        const std::vector<Tap> some = tapsOf(taps, f);
        for (int y = 0; y < extent.height; ++y) {
          for (int x = 0; x < extent.width; ++x)
            ASSERT_EQ(brought.view(static_cast<std::size_t>(f)).at(x, y),
                      expectedAt(problem, some, maps, x, y))
                << "filter " << f << " at " << x << ", " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankside
