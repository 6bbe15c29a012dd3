/// The layouts of the tensor cores' kernel, without a GPU.
#include "kernels/cuda/multichannel/tensor_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace bankside::cuda {
namespace {

TEST(TensorLayout, GivesEveryTapTwoPlaces) {
  constexpr int filters = 70;
  constexpr int channels = 11;
  constexpr int taps = 6;
  std::set<std::size_t> places;
  for (int f = 0; f < filters; ++f)
    for (int c = 0; c < channels; ++c)
      for (int t = 0; t < taps; ++t)
        for (const bool lower : {false, true})
          places.insert(tensorTapPosition(f, c, t, channels, taps, lower));
  EXPECT_EQ(places.size(), static_cast<std::size_t>(2 * filters * channels * taps));
  EXPECT_LT(*places.rbegin(), static_cast<std::size_t>(2 * 2 * taps * tensorTapFloats));
}

/// Four channels and eight neighbouring pixels at a time: 32 banks.
TEST(TensorLayout, ReadsPixelsWithoutBankConflicts) {
  for (int height = 1; height <= mostFilterHeight; ++height) {
    for (int width = 1; width <= mostFilterHeight; ++width) {
      const int plane = tensorPlane(height, width);
      EXPECT_GE(plane, tensorShape.stagedRows(height) * tensorColumns(width));
      std::set<int> banks;
      for (int lane = 0; lane < 32; ++lane) banks.insert((lane % 4 * plane + lane / 4) % 32);
      EXPECT_EQ(banks.size(), 32u) << height << " x " << width;
      EXPECT_LE(tensorSharedBytes(height, width), 227u * 1024);
    }
  }
  EXPECT_TRUE(tensorShape.valid());
  EXPECT_EQ(tensorShape.threads(), 128);
}

TEST(TensorLayout, RoundsToTf32) {
  EXPECT_EQ(nearestTf32(1.0f), 1.0f);
  EXPECT_EQ(nearestTf32(1.0f + 0x1p-11f), 1.0f);            // a tie goes to the even neighbour
  EXPECT_EQ(nearestTf32(1.0f + 0x3p-11f), 1.0f + 0x1p-9f);  // and here up
  EXPECT_EQ(nearestTf32(2047.0f), 2047.0f);
  EXPECT_EQ(nearestTf32(-2049.0f), -2048.0f);
  EXPECT_TRUE(std::isnan(nearestTf32(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(nearestTf32(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
  for (const float value : {0.1f, -3.14159f, 1e-20f, 7e30f}) {
    const float upper = nearestTf32(value);
    EXPECT_LE(std::abs(value - upper), std::ldexp(std::abs(value), -11));
    EXPECT_LE(std::abs(value - upper - nearestTf32(value - upper)), std::ldexp(std::abs(value), -22));
  }
}

}  // namespace
}  // namespace bankside::cuda
