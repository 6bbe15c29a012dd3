#include "tests/support/grain.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bankside::testing {
namespace {

constexpr int side = 256;
constexpr int length = 5;
constexpr int radius = 70;

/// 0..255 from a position. Source  G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014 (the mixer of SplitMix64)
int noise(int x, int y) {
  std::uint64_t z =
      (static_cast<std::uint64_t>(y) * 4096 + static_cast<std::uint64_t>(x) + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<int>((z ^ (z >> 31)) & 255);
}

}  // namespace

Grain makeGrain() {
  Grain grain{Image(1, side, side, ElementType::U8), Image(1, side, side, ElementType::U8)};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int fromMiddleX = 2 * x - side + 1;  // in half pixels
      const int fromMiddleY = 2 * y - side + 1;
      const bool inside = fromMiddleX * fromMiddleX + fromMiddleY * fromMiddleY < 4 * radius * radius;
      int sum = 0;
      for (int k = 0; k < length; ++k) sum += inside ? noise(x, y + k) : noise(x + k, y);
      grain.picture.view<std::uint8_t>(0).at(x, y) = static_cast<std::uint8_t>(sum / length);
      grain.truth.view<std::uint8_t>(0).at(x, y) = inside ? 255 : 0;
    }
  }
  return grain;
}

double areaUnderRoc(const Image& scores, const Image& truth) {
  std::vector<std::pair<float, bool>> pixels;
  for (int y = 0; y < scores.height(); ++y) {
    for (int x = 0; x < scores.width(); ++x)
      pixels.emplace_back(scores.view<float>(0).at(x, y), truth.view<std::uint8_t>(0).at(x, y) != 0);
  }
  std::sort(pixels.begin(), pixels.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double ranks = 0;
  double inside = 0;
  for (std::size_t i = 0; i < pixels.size();) {
    std::size_t end = i;
    while (end < pixels.size() && pixels[end].first == pixels[i].first) ++end;
    for (std::size_t k = i; k < end; ++k) {
      if (!pixels[k].second) continue;
      ranks += 0.5 * static_cast<double>(i + end + 1);  // the mean rank of the tie, from 1
      ++inside;
    }
    i = end;
  }
  const double outside = static_cast<double>(pixels.size()) - inside;
  return (ranks - inside * (inside + 1) / 2) / (inside * outside);
}

}  // namespace bankside::testing
