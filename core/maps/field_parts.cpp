#include "core/maps/field_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace bankside {
namespace {

constexpr int wordBits = 32;

/// By the number of a stretch, that of another one that it touches and so on, or its own.
using Links = std::vector<std::size_t>;

std::size_t rootOf(Links& links, std::size_t i) {
  while (links[i] != i) i = links[i] = links[links[i]];
  return i;
}

/// The largest piece of those that touch along a side, from the top down; the first of several.
std::vector<Stretch> largestPiece(const std::vector<Stretch>& all) {
  Links links(all.size());
  std::size_t above = 0;  // the first one of the row above that may touch
  for (std::size_t i = 0; i < all.size(); ++i) {
    links[i] = i;
    while (above < i &&
           (all[above].y < all[i].y - 1 || (all[above].y < all[i].y && all[above].last < all[i].first)))
      ++above;
    for (std::size_t k = above; k < i && all[k].y < all[i].y && all[k].first <= all[i].last; ++k) {
      const std::size_t one = rootOf(links, k);
      const std::size_t other = rootOf(links, i);
      links[std::max(one, other)] = std::min(one, other);
    }
  }
  std::vector<int> pixels(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) pixels[rootOf(links, i)] += all[i].last - all[i].first + 1;
  const auto largest =
      static_cast<std::size_t>(std::max_element(pixels.begin(), pixels.end()) - pixels.begin());
  std::vector<Stretch> piece;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rootOf(links, i) == largest) piece.push_back(all[i]);
  }
  return piece;
}

struct Corner {
  double x = 0;
  double y = 0;
};

/// Whether b lies on the way from a to c or to the left of it, y pointing down.
bool turnsIn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0;
}

}  // namespace

std::vector<Stretch> stretchesOf(PlaneView<const std::uint8_t> mask) {
  std::vector<Stretch> stretches;
  for (int y = 0; y < mask.height; ++y) {
    const std::uint8_t* const row = mask.row(y);
    const std::uint8_t* const end = row + mask.width;
    const auto isIn = [](std::uint8_t m) { return m != 0; };
    for (const std::uint8_t* at = std::find_if(row, end, isIn); at != end;) {
      const std::uint8_t* const past = std::find(at, end, 0);
      stretches.push_back({y, static_cast<int>(at - row), static_cast<int>(past - row) - 1});
      at = std::find_if(past, end, isIn);
    }
  }
  return stretches;
}

std::vector<Stretch> stretchesOf(PlaneView<const std::uint32_t> bits, int width) {
  std::vector<Stretch> stretches;
  for (int y = 0; y < bits.height; ++y) {
    int first = -1;  // of a stretch that has begun
    for (int w = 0; w < bits.width; ++w) {
      const std::uint32_t word = bits.at(w, y);
      for (int bit = 0; bit < wordBits;) {
        // As many that are alike as follow: of 0 where no stretch has begun, else of 1.
        const std::uint32_t rest = word >> bit;
        bit += std::min(wordBits - bit, first < 0 ? std::countr_zero(rest) : std::countr_one(rest));
        if (bit == wordBits) break;
        const int x = w * wordBits + bit;
        if (first >= 0) stretches.push_back({y, first, x - 1});
        first = first < 0 ? x : -1;
      }
    }
    if (first >= 0) stretches.push_back({y, first, width - 1});
  }
  return stretches;
}

std::vector<RowSpan> convexPiece(const std::vector<Stretch>& stretches, int height, int width) {
  const std::vector<Stretch> piece = largestPiece(stretches);
  if (piece.empty()) return std::vector<RowSpan>(static_cast<std::size_t>(height), RowSpan{0, width - 1});
  std::vector<Corner> left, right;  // the hull's two sides, from the top down
  for (std::size_t i = 0; i < piece.size();) {
    const int y = piece[i].y;
    const Corner begin{static_cast<double>(piece[i].first), static_cast<double>(y)};
    while (i + 1 < piece.size() && piece[i + 1].y == y) ++i;
    const Corner end{static_cast<double>(piece[i++].last), static_cast<double>(y)};
    while (left.size() > 1 && !turnsIn(left[left.size() - 2], left.back(), begin)) left.pop_back();
    left.push_back(begin);
    while (right.size() > 1 && turnsIn(right[right.size() - 2], right.back(), end)) right.pop_back();
    right.push_back(end);
  }
  const auto sideAt = [](const std::vector<Corner>& side, std::size_t& k, int y) {
    while (k + 2 < side.size() && side[k + 1].y < y) ++k;
    if (side.size() == 1) return side[0].x;
    const Corner& a = side[k];
    const Corner& b = side[k + 1];
    return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
  };
  std::vector<RowSpan> spans(static_cast<std::size_t>(height));
  std::size_t l = 0, r = 0;
  for (int y = piece.front().y; y <= piece.back().y; ++y)
    spans[static_cast<std::size_t>(y)] = {static_cast<int>(std::ceil(sideAt(left, l, y) - 1e-9)),
                                          static_cast<int>(std::floor(sideAt(right, r, y) + 1e-9))};
  return spans;
}

void fillSpans(const std::vector<RowSpan>& spans, PlaneView<std::uint8_t> mask) {
  for (int y = 0; y < mask.height; ++y) {
    const RowSpan& span = spans[static_cast<std::size_t>(y)];
    std::fill_n(mask.row(y), mask.width, std::uint8_t{0});
    if (span.last >= span.first)
      std::fill(mask.row(y) + span.first, mask.row(y) + span.last + 1, std::uint8_t{1});
  }
}

void keepConvexPiece(PlaneView<std::uint8_t> mask) {
  fillSpans(
      convexPiece(stretchesOf({mask.data, mask.width, mask.height, mask.stride}), mask.height, mask.width),
      mask);
}

int cornerSide(int width, int height) {
  constexpr int part = 25;
  return std::max(1, std::min(width, height) / part);
}

float openingRadius(int width, int height) {
  constexpr float part = 0.06f;  // of the frame's shorter side
  return part * static_cast<float>(std::min(width, height));
}

float orderedAt(std::vector<float>& values, double part) {
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

FieldThreshold fieldThreshold(float bright, std::vector<float> corners, double level) {
  const float dark = orderedAt(corners, 0.5);
  for (float& value : corners) value = std::fabs(value - dark);
  return fieldThreshold(bright, dark, orderedAt(corners, 0.5), level);
}

}  // namespace bankside
