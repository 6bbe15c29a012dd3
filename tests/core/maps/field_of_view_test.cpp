#include "core/maps/field_of_view.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "core/error.h"
#include "core/maps/field_parts.h"
#include "tests/core/maps/made_maps.h"

namespace bankside {
namespace {

using testing::disc;
using testing::madeMaps;

constexpr int eyeHeight = 300;
constexpr int eyeWidth = 320;

/// A disc as a camera shows it: brighter in the middle, noise everywhere, dark vessels across the rim.
Maps photograph(const Image& field) {
  Maps maps = madeMaps(1, {eyeHeight, eyeWidth}, 3, 0, 0.01f);
  for (int y = 0; y < eyeHeight; ++y) {
    for (int x = 0; x < eyeWidth; ++x) {
      if (field.view<std::uint8_t>(0).at(x, y) == 0) continue;
      const double distance = std::hypot(x - 0.5 * eyeWidth, y - 0.5 * eyeHeight);
      const bool vessel = std::abs(x - y) < 4;
      maps.view(0).at(x, y) += static_cast<float>((0.5 - 0.0025 * distance) * (vessel ? 0.5 : 1));
    }
  }
  return maps;
}

/// Pixels in both over pixels in either.
double overlap(const Image& a, const Image& b) {
  double both = 0, either = 0;
  for (int y = 0; y < eyeHeight; ++y) {
    for (int x = 0; x < eyeWidth; ++x) {
      const bool inA = a.view<std::uint8_t>(0).at(x, y) != 0;
      const bool inB = b.view<std::uint8_t>(0).at(x, y) != 0;
      both += inA && inB ? 1 : 0;
      either += inA || inB ? 1 : 0;
    }
  }
  return both / either;
}

TEST(FindField, FindsADiscWithVesselsAcrossItsRim) {
  const ThreadTeam team(2);
  const Image truth = disc(eyeHeight, eyeWidth, 130);
  const Maps maps = photograph(truth);
  EXPECT_GT(overlap(findField(std::as_const(maps).view(0), 0.05, team), truth), 0.97);
}

TEST(FindField, LeavesAMarkBesideTheDiscOut) {
  const ThreadTeam team(2);
  const Image truth = disc(eyeHeight, eyeWidth, 130);
  Maps maps = photograph(truth);
  for (int y = 145; y < 157; ++y) {
    for (int x = 285; x < 305; ++x) maps.view(0).at(x, y) = 0.4f;  // a tab
  }
  for (int y = 5; y < 12; ++y) {
    for (int x = 5; x < 40; ++x) maps.view(0).at(x, y) = 0.6f;  // letters
  }
  EXPECT_GT(overlap(findField(std::as_const(maps).view(0), 0.05, team), truth), 0.97);
}

TEST(FindField, TakesAFrameThatIsAllEyeWhole) {
  const ThreadTeam team(1);
  const Maps maps = madeMaps(1, {40, 50}, 1, 0.4f, 0.6f);
  const Image field = findField(std::as_const(maps).view(0), 0.05, team);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 50; ++x) ASSERT_EQ(field.view<std::uint8_t>(0).at(x, y), 1) << x << " " << y;
  }
}

TEST(FieldOfView, IsGivenAtOtherSizes) {
  FieldOfView field(disc(eyeHeight, eyeWidth, 130));
  const Image& small = field.at(eyeHeight / 2, eyeWidth / 2);
  double inside = 0;
  for (int y = 0; y < small.height(); ++y) {
    for (int x = 0; x < small.width(); ++x) inside += small.view<std::uint8_t>(0).at(x, y);
  }
  EXPECT_NEAR(inside, 3.14159 * 65 * 65, 60);
  EXPECT_TRUE(FieldOfView().everything());
  EXPECT_THROW(FieldOfView(disc(9, 9, -1)), Error);
}

TEST(NearestInside, IsTheNearestOne) {
  const ThreadTeam team(2);
  Image mask(1, 31, 27, ElementType::U8);
  const auto view = mask.view<std::uint8_t>(0);
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 27; ++x) view.at(x, y) = (x * 7 + y * 13) % 41 == 0 ? 1 : 0;
  }
  const NearestInside nearest = nearestInside(std::as_const(mask).view<std::uint8_t>(0), true, team);
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 27; ++x) {
      int least = 1 << 20;
      for (int v = 0; v < 31; ++v) {
        for (int u = 0; u < 27; ++u) {
          if (view.at(u, v) != 0) least = std::min(least, (u - x) * (u - x) + (v - y) * (v - y));
        }
      }
      const auto i = static_cast<std::size_t>(y * 27 + x);
      ASSERT_EQ(nearest.squaredDistance[i], static_cast<float>(least)) << x << " " << y;
      ASSERT_EQ(view.at(nearest.x[i], nearest.y[i]), 1);
    }
  }
}

/// All but the largest of the pieces that touch along a side becomes 0, by a flood from pixel to pixel.
void keepLargest(PlaneView<std::uint8_t> mask) {
  std::vector<std::pair<int, int>> largest;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      std::vector<std::pair<int, int>> piece;
      const auto take = [&](int px, int py) {
        if (px < 0 || py < 0 || px >= mask.width || py >= mask.height || mask.at(px, py) == 0) return;
        mask.at(px, py) = 0;
        piece.emplace_back(px, py);
      };
      take(x, y);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const auto [px, py] = piece[i];
        take(px - 1, py);
        take(px + 1, py);
        take(px, py - 1);
        take(px, py + 1);
      }
      if (piece.size() > largest.size()) largest = piece;
    }
  }
  for (const auto& [x, y] : largest) mask.at(x, y) = 1;
}

TEST(FieldOfView, KeepsTheHullOfTheLargestPiece) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int rows = 1 + static_cast<int>(random() % 25);
    const int columns = 1 + static_cast<int>(random() % 25);
    const unsigned dense = 30 + random() % 50;
    Image mask(1, rows, columns, ElementType::U8);
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) mask.view<std::uint8_t>(0).at(x, y) = random() % 100 < dense ? 1 : 0;
    }
    Image alone = mask.clone();
    keepLargest(alone.view<std::uint8_t>(0));
    keepConvexPiece(alone.view<std::uint8_t>(0));
    keepConvexPiece(mask.view<std::uint8_t>(0));
    EXPECT_TRUE(samePixels(mask, alone)) << "round " << round;
  }
}

TEST(FieldOfView, FindsTheStretchesOfAMaskOfBitsToo) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    const int rows = 1 + static_cast<int>(random() % 5);
    const int columns = 1 + static_cast<int>(random() % 130);
    const unsigned dense = std::array{0u, 5u, 50u, 95u, 100u}[random() % 5];
    const int words = (columns + 31) / 32;
    Image mask(1, rows, columns, ElementType::U8);
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(rows * words));
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        const bool in = random() % 100 < dense;
        mask.view<std::uint8_t>(0).at(x, y) = in ? 1 : 0;
        if (in) bits[static_cast<std::size_t>(y * words + x / 32)] |= 1u << x % 32;
      }
    }
    const auto of = [](const Stretch& s) { return std::array{s.y, s.first, s.last}; };
    const std::vector<Stretch> expected = stretchesOf(std::as_const(mask).view<std::uint8_t>(0));
    const std::vector<Stretch> found =
        stretchesOf(PlaneView<const std::uint32_t>{bits.data(), words, rows, words}, columns);
    ASSERT_EQ(found.size(), expected.size()) << "round " << round;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(of(found[i]), of(expected[i]));
  }
}

}  // namespace
}  // namespace bankside
