/// Index arithmetic of the kernels, on the host.
#include "kernels/cuda/pixels/tile_math.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "kernels/cuda/single_channel/any_size_shape.h"
#include "kernels/cuda/single_channel/variant.h"

namespace bankside::cuda {
namespace {

/// Rows of the whole image: the border rule's own answer, shifted by what the buffer begins with.
TEST(BufferRow, WholeImageResolvesTheBorder) {
  for (const BorderKind kind : allBorderKinds) {
    for (int y = -9; y < 16; ++y) {
      EXPECT_EQ(bufferRow(y, 7, kind, false, 0), borderIndex(y, 7, kind)) << toString(kind) << " " << y;
    }
  }
}

/// A band already holds border rows, except that a Constant border has none to hold.
TEST(BufferRow, BandsHoldResolvedRows) {
  EXPECT_EQ(bufferRow(-2, 7, BorderKind::Reflect101, true, -2), 0);
  EXPECT_EQ(bufferRow(8, 7, BorderKind::Wrap, true, 3), 5);
  EXPECT_EQ(bufferRow(8, 7, BorderKind::Constant, true, 3), -1);
  EXPECT_EQ(bufferRow(-1, 7, BorderKind::Constant, true, -1), -1);
  EXPECT_EQ(bufferRow(4, 7, BorderKind::Constant, true, 3), 1);
}

TEST(SkewedColumn, KeepsUnitsWholeAndApart) {
  std::set<int> used;
  for (int c = 0; c < 400; ++c) {
    const int to = skewedColumn(c, true);
    EXPECT_TRUE(used.insert(to).second);
    EXPECT_EQ(to - to % 4, skewedColumn(c - c % 4, true)) << "a 16-byte unit is torn at " << c;
    EXPECT_EQ(skewedColumn(c, false), c);
  }
}

/// The reason for the skew: every 16-byte read of 8 neighbouring threads, 8 floats apart, takes 8
/// different groups of four banks.
TEST(SkewedColumn, EightThreadsMeetNoBankTwice) {
  for (int firstThread = 0; firstThread < 32; firstThread += 8) {
    for (int unit = 0; unit < 6; ++unit) {
      std::set<int> groups;
      for (int t = firstThread; t < firstThread + 8; ++t) {
        groups.insert(skewedColumn(t * 8 + unit * 4, true) / 4 % 8);
      }
      EXPECT_EQ(groups.size(), 8u) << "unit " << unit << " of threads from " << firstThread;
    }
  }
}

/// The kernels reach both units of a pair at one address.
TEST(SkewedColumn, PairsOfUnitsShareTheirSkew) {
  for (int t = 0; t < 32; ++t) {
    for (int pair = 0; pair < 3; ++pair)
      EXPECT_EQ(skewedColumn(t * 8 + pair * 8 + 4, true), skewedColumn(t * 8 + pair * 8, true) + 4);
  }
}

/// The last thread's last read lies inside the staged row, and covers all its taps.
TEST(TileShape, EveryVariantStagesWhatItReads) {
  for (const Variant& v : variants()) {
    if (v.form != Form::Tile) continue;
    const TileShape& s = v.shape;
    const int lastPixel = s.tileWidth() - s.pixels;
    const int lastFloat = lastPixel + 4 * s.windowUnits() - 1;
    EXPECT_LT(lastFloat, s.stagedColumns()) << v.name;
    EXPECT_GE(lastFloat, s.tileWidth() - 1 + s.filterWidth - 1) << v.name;
    EXPECT_LT(skewedColumn(lastFloat, s.skewed()), s.stride()) << v.name;
    EXPECT_EQ(s.stride() % 4, 0) << v.name;
    EXPECT_LE(s.windowUnits(), 6) << v.name;
    EXPECT_LE(s.sharedBytes(31), 227u * 1024u) << v.name;
  }
  EXPECT_LE(AnySizeShape::sharedBytes(1, 127, 127), 227u * 1024u);
}

TEST(Taps, PassesAreAlignedAndHoldTheirFilters) {
  // Rows of one filter's taps begin at whole vectors.
  EXPECT_EQ((TileShape{.filterWidth = 11, .filtersPerPass = 1}.tapStride()), 12);
  EXPECT_EQ((TileShape{.filterWidth = 11, .filtersPerPass = 2}.tapStride()), 11);
  EXPECT_EQ(passStride(9, 1), 12);
  EXPECT_EQ(passStride(225, 2), 452);
  EXPECT_EQ(tapOffset(0, 5, 9, 1), 5);
  EXPECT_EQ(tapOffset(1, 0, 9, 1), 12);
  EXPECT_EQ(tapOffset(3, 7, 225, 2), 452 + 14 + 1);
}

}  // namespace
}  // namespace bankside::cuda
