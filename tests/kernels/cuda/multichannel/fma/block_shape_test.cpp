/// The tile arithmetic of Algorithm 2, for every compiled shape, without a GPU.
#include "kernels/cuda/multichannel/fma/block_shape.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/cuda/multichannel/fma/summed_table.h"
#include "kernels/cuda/multichannel/fma/summed_variant.h"

namespace bankside::cuda {
namespace {

int heightOf(const SummedVariant& v) { return v.filterHeight > 0 ? v.filterHeight : mostFilterHeight; }

TEST(SummedVariants, HaveUniqueNamesKernelsAndValidShapes) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < summedVariants().size(); ++i) {
    const SummedVariant& v = summedVariants()[i];
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    EXPECT_EQ(findSummedVariant(v.name), static_cast<int>(i));
    EXPECT_TRUE(v.shape.valid()) << v.name;
    EXPECT_NE(summedKernels()[i], nullptr) << v.name;
    EXPECT_LE(v.shape.sharedBytes(heightOf(v), v.filterWidth, true), 227u * 1024) << v.name;
  }
  EXPECT_EQ(findSummedVariant("no such shape"), -1);
}

/// Table 1 of the paper: W, H, F_TB, W_T, F_T, C_SH.
TEST(SummedVariants, HaveThePapersTable) {
  const auto shape = [](const char* name) {
    return summedVariants()[static_cast<std::size_t>(findSummedVariant(name))].shape;
  };
  EXPECT_EQ(shape("paper3"), (BlockShape{64, 32, 4, 2, 4, 16, 2}));
  EXPECT_EQ(shape("paper5"), (BlockShape{32, 32, 8, 1, 8, 8, 2}));
  EXPECT_EQ(shape("paper7"), (BlockShape{32, 64, 4, 1, 8, 8, 2}));
  // T_X = F_TB / F_T and T_Y = W H / W_T.
  EXPECT_EQ(shape("paper3").filterLanes(), 16);
  EXPECT_EQ(shape("paper3").runs(), 8);
}

TEST(BlockShape, GivesEveryThreadItsFilters) {
  for (const SummedVariant& v : summedVariants()) {
    std::set<int> filters;
    for (int lane = 0; lane < v.shape.filterLanes(); ++lane)
      for (int i = 0; i < v.shape.filtersPerThread; ++i) filters.insert(v.shape.filterOf(lane, i));
    EXPECT_EQ(filters.size(), static_cast<std::size_t>(v.shape.filtersPerBlock)) << v.name;
    EXPECT_EQ(*filters.begin(), 0);
    EXPECT_EQ(*filters.rbegin(), v.shape.filtersPerBlock - 1);
  }
}

TEST(BlockShape, KeepsWindowsInsideTheStagedRow) {
  for (const SummedVariant& v : summedVariants()) {
    const int lastRun = (v.shape.runsPerRow() - 1) * v.shape.pixelsPerThread;
    EXPECT_EQ(lastRun + 4 * v.shape.windowUnits(v.filterWidth), v.shape.stagedColumns(v.filterWidth))
        << v.name;
    EXPECT_GE(v.shape.stagedColumns(v.filterWidth), v.shape.tileWidth + v.filterWidth - 1) << v.name;
    EXPECT_EQ(v.shape.stagedColumns(v.filterWidth) % 4, 0) << v.name;
    EXPECT_EQ(v.shape.stagedTaps(1, v.filterWidth) % 4, 0) << v.name;
  }
}

TEST(BlockShape, GivesEverySumItsPlace) {
  for (const SummedVariant& v : summedVariants()) {
    std::set<int> places;
    for (int f = 0; f < v.shape.filtersPerBlock; ++f)
      for (int u = 0; u < v.shape.tilePixels() / 4; ++u) places.insert(v.shape.sumOffset(f, u));
    EXPECT_EQ(static_cast<int>(places.size()), v.shape.sumFloats() / 4) << v.name;
    EXPECT_EQ(*places.rbegin(), v.shape.sumFloats() - 4) << v.name;
  }
}

/// Eight threads store at a time: 16-byte units of eight bank groups.
TEST(BlockShape, StoresSumsWithoutBankConflicts) {
  const BlockShape shape = summedVariants()[static_cast<std::size_t>(findSummedVariant("wide3"))].shape;
  for (int i = 0; i < shape.filtersPerThread; ++i) {
    std::set<int> groups;
    for (int lane = 0; lane < 8; ++lane) groups.insert(shape.sumOffset(shape.filterOf(lane, i), 3) / 4 % 8);
    EXPECT_EQ(groups.size(), 8u) << i;
  }
}

TEST(BlockShape, LaysTapsOutOnce) {
  constexpr BlockShape shape{32, 32, 4, 1, 4, 8, 2};
  constexpr int filters = 70;
  constexpr int channels = 3;
  constexpr int taps = 6;
  std::set<std::size_t> places;
  for (int f = 0; f < filters; ++f)
    for (int c = 0; c < channels; ++c)
      for (int t = 0; t < taps; ++t) places.insert(tapPosition(shape, f, c, t, channels, taps));
  EXPECT_EQ(places.size(), static_cast<std::size_t>(filters * channels * taps));
  EXPECT_LT(*places.rbegin(), static_cast<std::size_t>(96 * channels * taps));
  // Neighbouring filters of a block are neighbours in memory: one unit serves four of them.
  EXPECT_EQ(tapPosition(shape, 5, 2, 4, channels, taps) + 1, tapPosition(shape, 6, 2, 4, channels, taps));
}

}  // namespace
}  // namespace bankside::cuda
