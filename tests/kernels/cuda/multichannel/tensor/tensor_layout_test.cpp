/// The layouts of the tensor cores' kernel, without a GPU.
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/multichannel/tensor/tensor_taps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/element_type.h"
#include "core/made_input.h"

namespace bankside::cuda {
namespace {

constexpr TensorMode modes[] = {TensorMode::Fp16x3, TensorMode::Fp16x2, TensorMode::Fp16};

TEST(TensorLayout, GivesEveryTapItsPlaces) {
  constexpr int filters = 70;
  constexpr int channels = 19;
  constexpr int taps = 6;
  for (const TensorMode mode : modes) {
    const int parts = partsOfTap(mode);
    std::set<std::size_t> places;
    for (int f = 0; f < filters; ++f)
      for (int c = 0; c < channels; ++c)
        for (int t = 0; t < taps; ++t)
          for (int lower = 0; lower < parts; ++lower)
            places.insert(tensorTapPosition(mode, f, c, t, channels, taps, lower == 1));
    EXPECT_EQ(places.size(), static_cast<std::size_t>(parts * filters * channels * taps));
    const int slabs = ceilDiv(channels, channelsPerProduct);
    EXPECT_LT(*places.rbegin(),
              static_cast<std::size_t>(2 * slabs * taps * tapUnits(mode) * channelsPerUnit));
  }
}

TEST(TensorLayout, FitsEverySizeIntoSharedMemory) {
  for (const TensorMode mode : modes) {
    for (int height = 1; height <= mostFilterHeight; ++height) {
      for (int width = 1; width <= mostFilterHeight; ++width) {
        const int taps = tapsPerStep(mode, height, width);
        EXPECT_EQ(height * width % taps, 0) << height << " x " << width;
        EXPECT_LE(tensorSharedBytes(mode, wideTile, height, width, taps), 227u * 1024)
            << height << " x " << width;
        for (const TensorTile tile : {wideTile, narrowTile}) {
          const TensorStages stages = tensorStages(mode, tile, height, width, taps, 227 * 1024);
          EXPECT_GE(stages.taps, 2);
          EXPECT_LE(tensorSharedBytes(mode, tile, height, width, taps, stages), 227u * 1024);
          if (height == width && height % 2 == 1 && height < 10) {
            EXPECT_TRUE(stages.sumsApart) << height;
          }
          const int columns = tile.stagedColumns(width);
          for (int at = 0; at < tile.stagedPixels(height, width); ++at)
            ASSERT_EQ(at * rowFactor(columns) >> 16, at / columns) << at << " of " << columns;
        }
        // What a descriptor can say.
        EXPECT_LT(wideTile.stagedPixels(height, width), 1 << 14);
      }
    }
  }
  EXPECT_EQ(tapsPerStep(TensorMode::Fp16x3, 3, 3), 9);
  EXPECT_EQ(tapsPerStep(TensorMode::Fp16x3, 7, 7), 7);
  EXPECT_EQ(tapsPerStep(TensorMode::Fp16, 5, 5), 25);
}

/// Few tiles are split, as clusters fit on the device; many are not, nor those of many images.
TEST(TensorLayout, SplitsChannelsOfSmallImages) {
  const auto parts = [](const char* text, int images = 1) {
    return tensorSplit(TensorMode::Fp16x3, parseProblem(text), images).parts;
  };
  EXPECT_EQ(parts("c64h256w256-f64k7-constant-f32:f32-none"), 1);
  EXPECT_EQ(parts("c64h128w128-f64k7-constant-f32:f32-none"), 2);
  EXPECT_GT(parts("c128h32w32-f128k7-constant-f32:f32-none"), 4);
  EXPECT_EQ(parts("c128h32w32-f128k7-constant-f32:f32-none", 32), 1);
  EXPECT_EQ(parts("c3h32w32-f128k7-constant-f32:f32-none"), 1);
  for (const TensorMode mode : modes) {
    for (int channels = 1; channels <= 300; channels += 7) {
      ConvolutionProblem p = parseProblem("c3h32w32-f64k5-constant-f32:f32-none");
      p.channels = channels;
      const int split = tensorSplit(mode, p).parts;
      const int each = tensorChannelsOfPart(channels, split);
      EXPECT_EQ(each % channelsPerProduct, 0);
      EXPECT_LT(each * (split - 1), channels) << "every part has some";
      EXPECT_GE(each * split, channels);
    }
  }
}

/// Half a warp stores two floats a lane at a time: of four filters, four pairs of pixels each.
TEST(TensorLayout, KeepsSumsWithoutBankConflicts) {
  for (const TensorTile tile : {wideTile, narrowTile}) {
    std::set<int> banks;
    for (int lane = 0; lane < 16; ++lane)
      for (int i = 0; i < 2; ++i) banks.insert((tile.sumOffset(lane / 4, 0) + lane % 4 * 2 + i) % 32);
    EXPECT_EQ(banks.size(), 32u);
  }
}

float floatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float halfOf(std::uint32_t word, int i) {
  return toFloat(Half{static_cast<std::uint16_t>(word >> (16 * i))});
}

/// Number `channel` of filter `filter`, parts added, of one tap's units.
float tapOf(TensorMode mode, const std::uint32_t* words, int filter, int channel) {
  const int each = channelsPerUnit;
  float sum = 0;
  for (int part = 0; part < partsOfTap(mode); ++part) {
    const std::uint32_t* const unit = words + ((2 * part + channel / each) * 64 + filter) * 4;
    const int i = channel % each;
    sum += halfOf(unit[i / 2], i % 2);
  }
  return sum;
}

/// The products that the kernel makes of the laid-out taps are those of the bank.
TEST(TensorTaps, MultiplyAsTheBankDoes) {
  for (const TensorMode mode : modes) {
    const ConvolutionProblem p = parseProblem("c19h8w8-f70k2x3-constant-f32:f32-none");
    const std::vector<float> taps = correlationTaps(p, randomBank(70, 19, 2, 3, 5)).taps;
    const TensorTaps laidOut = tensorTaps(mode, p, taps);
    const int slabs = ceilDiv(19, channelsPerProduct);
    ASSERT_EQ(laidOut.words.size(), static_cast<std::size_t>(2 * slabs * 6 * 4 * tapUnits(mode)));
    const double rounding = mode == TensorMode::Fp16 ? 0x1p-11 : 0x1p-21;
    for (int block = 0; block < 2; ++block)
      for (int slab = 0; slab < slabs; ++slab)
        for (int t = 0; t < 6; ++t)
          for (int inBlock = 0; inBlock < 64; ++inBlock)
            for (int c = 0; c < channelsPerProduct; ++c) {
              const std::uint32_t* words =
                  laidOut.words.data() + ((block * slabs + slab) * 6 + t) * 4 * tapUnits(mode);
              const float got = tapOf(mode, words, inBlock, c) * laidOut.scaleBack;
              const int f = block * 64 + inBlock;
              const int channel = slab * channelsPerProduct + c;
              const bool there = f < 70 && channel < 19;
              const float want = there ? taps[static_cast<std::size_t>((f * 19 + channel) * 6 + t)] : 0.0f;
              EXPECT_NEAR(got, want, rounding * std::fabs(want)) << f << " " << channel << " " << t;
            }
  }
}

TEST(TensorTaps, HalvesNeverOverflowAndKeepTheirBits) {
  const ConvolutionProblem p = parseProblem("c16h8w8-f64k1-constant-f32:f32-none");
  for (const float size : {1e-30f, 1e-10f, 1.0f, 7e4f, 1e30f}) {
    std::vector<float> taps(16 * 64);
    for (std::size_t i = 0; i < taps.size(); ++i) taps[i] = size * (1.0f - 0.0007f * static_cast<float>(i));
    const TensorTaps laidOut = tensorTaps(TensorMode::Fp16, p, taps);
    float largest = 0;
    for (int f = 0; f < 64; ++f)
      for (int c = 0; c < 16; ++c) {
        const std::size_t at = tensorTapPosition(TensorMode::Fp16, f, c, 0, 16, 1, false);
        const float half = halfOf(laidOut.words[at / 2], static_cast<int>(at % 2));
        largest = std::max(largest, std::fabs(half));
        const float want = taps[static_cast<std::size_t>(f * 16 + c)];
        EXPECT_NEAR(half * laidOut.scaleBack, want, 0x1p-11 * std::fabs(want));
      }
    EXPECT_GE(largest, 0x1p14f);
    EXPECT_LE(largest, 0x1p15f);
  }
}

TEST(TensorMode, LeavesOutThePartsThatAreZero) {
  const auto mode = [](TensorMode wanted, const char* text) {
    return withoutEmptyParts(wanted, parseProblem(text));
  };
  EXPECT_EQ(mode(TensorMode::Fp16x3, "c9h8w8-f1k3-reflect-u8:f32-none"), TensorMode::Fp16x2);
  EXPECT_EQ(mode(TensorMode::Fp16x3, "c9h8w8-f1k3-constant=0.5-f16:f32-none"), TensorMode::Fp16x2);
  EXPECT_EQ(mode(TensorMode::Fp16x3, "c9h8w8-f1k3-constant=0.1-u8:f32-none"), TensorMode::Fp16x3);
  EXPECT_EQ(mode(TensorMode::Fp16x3, "c9h8w8-f1k3-reflect-u16:f32-none"), TensorMode::Fp16x3);
}

TEST(HalfScale, BringsTheLargestToFifteenBits) {
  for (const float value : {0x1p-112f, 1e-20f, 0.3f, 1.0f, 255.0f, 65504.0f, 3e9f, 3.4e38f}) {
    const std::uint32_t bits = halfScaleBits(std::bit_cast<std::uint32_t>(value));
    const float scaled = value * floatOf(bits);
    EXPECT_GE(scaled, 0x1p14f) << value;
    EXPECT_LT(scaled, 0x1p15f) << value;
    EXPECT_EQ(floatOf(bits) * floatOf(halfScaleBackBits(bits)), 1.0f) << value;
  }
  EXPECT_EQ(floatOf(halfScaleBits(0)), 0x1p126f);
  const auto scaleFor = [](const char* text) {
    return floatOf(halfScaleBits(knownLargestBits(parseProblem(text))));
  };
  EXPECT_EQ(scaleFor("c3h9w9-f1k3-reflect101-u8:f32-none"), 1.0f);
  EXPECT_EQ(scaleFor("c3h9w9-f1k3-reflect101-f16:f32-none"), 1.0f);
  EXPECT_EQ(scaleFor("c3h9w9-f1k3-reflect101-u16:f32-none"), 0.5f);
  for (const char* looked :
       {"c3h9w9-f1k3-constant=1000000-u8:f32-none", "c3h9w9-f1k3-reflect101-f32:f32-none"})
    EXPECT_EQ(knownLargestBits(parseProblem(looked)), 0u) << looked;
}

/// The bound is what the derivation says: half precision's rounding, and little more for sums of networks.
TEST(TensorErrorBound, IsThatOfTheRoundings) {
  const auto bound = [](TensorMode mode, const char* text) {
    return tensorErrorBound(mode, parseProblem(text), 1);
  };
  const ErrorBound half = bound(TensorMode::Fp16, "c64h64w64-f64k3-constant-f32:f32-none");
  EXPECT_FALSE(half.pixelwise);
  EXPECT_GT(half.factor, 0x1p-10);
  EXPECT_LT(half.factor, 0x1p-10 * 1.2);
  const ErrorBound bytes = bound(TensorMode::Fp16, "c64h64w64-f64k3-constant-u8:f32-none");
  EXPECT_GT(bytes.factor, 0x1p-11);
  EXPECT_LT(bytes.factor, half.factor - 0x1p-12);
  EXPECT_EQ(bound(TensorMode::Fp16, "c64h64w64-f64k3-constant=0.1-u8:f32-none").factor, half.factor);
  // A bound like f32's own, which adds 64 x 9 numbers one after another.
  const ErrorBound split = bound(TensorMode::Fp16x3, "c64h64w64-f64k3-constant-f32:f32-none");
  EXPECT_FALSE(split.pixelwise);
  EXPECT_LT(split.factor, 2 * gammaBound(64 * 9));
}

}  // namespace
}  // namespace bankside::cuda
