/// Splitting and packing, without a GPU.
#include "kernels/cuda/tensor/packed_taps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_choice.h"
#include "kernels/cuda/tensor/warp_order.h"
#include "tests/kernels/cuda/tensor/in_reach.h"
#include "tests/kernels/cuda/tensor/packed_half.h"
#include "tests/kernels/cuda/tensor/print_products.h"

namespace bankside::cuda {
namespace {

/// What the columns of an output of a block stand for, together: two, or one where taps have one half.
double tapAt(const PackedTaps& packed, const TensorLayout& layout, int pass, int block, int step, int output,
             int k) {
  const double high = halfAt(packed, layout, pass, block, step, output, k);
  if (layout.halves == TapParts::High) return high;
  return high + halfAt(packed, layout, pass, block, step, layout.tapColumns / 2 + output, k) * lowWeight;
}

TEST(SplitTaps, KeepsWhatF32SumsWouldNotice) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> exponent(-26.0f, 0.0f);
  for (int i = 0; i < 100'000; ++i) {
    float taps[2] = {1.75f, std::exp2(exponent(random))};
    if (i % 2 == 1) taps[1] = -taps[1];
    const float scale = tapScale(taps, 2);
    const float scaled = taps[1] / scale;
    const float high = toFloat(toHalf(scaled));
    const float low = toFloat(toHalf((scaled - high) / lowWeight));
    EXPECT_LE(std::fabs(static_cast<double>(high) + static_cast<double>(low) * lowWeight - scaled),
              0x1p-23 * std::fabs(scaled))
        << taps[1];
  }
}

TEST(SplitTaps, RefusesWhatHalvesCannotHold) {
  const float wide[] = {1.0f, 1e-9f};
  const float tiny[] = {1e-38f};
  const float zeros[] = {0.0f, 0.0f};
  EXPECT_THROW(tapScale(wide, 2), Error);
  EXPECT_THROW(tapScale(tiny, 1), Error);
  EXPECT_EQ(tapScale(zeros, 2), 1.0f);
}

/// Every tap of every filter in the halves of its columns, read back by what the instruction does with them:
/// the pixels of a group's cores, in image rows and columns from the first output on, meet the taps.
class PackTaps : public ::testing::TestWithParam<PartialProducts> {};

TEST_P(PackTaps, PutsEveryTapWhereItsPixelIs) {
  const double lost = GetParam() == PartialProducts::Rounded ? 0x1p-11 : 0x1p-23;
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    if (!inReach(p) || p.filterCount > 12) continue;
    const TensorLayout layout = tensorLayout(p, GetParam());
    const FilterBank bank = withMode(
        withAnchor(randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3), p.anchorX, p.anchorY),
        p.mode);
    const CorrelationTaps taps = correlationTaps(p, bank);
    const PackedTaps packed = packTaps(layout, p, taps.taps);
    ASSERT_EQ(packed.halves.size() * 2, static_cast<std::size_t>(layout.passes * layout.passBytes())) << text;
    for (int output = 0; output < p.filterCount * layout.rowStep * layout.shifts(); ++output) {
      const int shift = output % layout.shifts();
      const int unit = output / layout.shifts();
      const int f = unit / layout.rowStep;
      const int block = unit % layout.units() / layout.unitsPerBlock();
      const int column = unit % layout.unitsPerBlock() * layout.shifts() + shift;
      double total = 0;
      double expected = 0;
      for (int step = 0; step < layout.steps; ++step) {
        for (int k = 0; k < 16; ++k) {
          const int core = 2 * step + k / 8;
          const int row = core / layout.cores - unit % layout.rowStep;
          const int x = core % layout.cores * 8 + k % 8 - shift;
          const double value = tapAt(packed, layout, unit / layout.units(), block, step, column, k) *
                               packed.scales[static_cast<std::size_t>(f)];
          const bool inside = row >= 0 && row < p.filterHeight && x >= 0 && x < p.filterWidth;
          const double tap =
              inside ? taps.taps[static_cast<std::size_t>((f * p.filterHeight + row) * p.filterWidth + x)]
                     : 0;
          ASSERT_LE(std::fabs(value - tap), lost * std::fabs(tap)) << text << " filter " << f;
          total += std::fabs(value);
          expected += std::fabs(tap);
        }
      }
      double all = 0;
      for (int i = 0; i < p.filterHeight * p.filterWidth; ++i)
        all += std::fabs(
            static_cast<double>(taps.taps[static_cast<std::size_t>(f * p.filterHeight * p.filterWidth + i)]));
      ASSERT_NEAR(expected, all, 1e-6 * all) << text << ": a tap is missing";
      ASSERT_NEAR(total, expected, 2 * lost * expected) << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Halves, PackTaps, ::testing::Values(PartialProducts::Most, PartialProducts::Rounded),
                         [](const auto& one) { return ::testing::PrintToString(one.param); });

/// Taps of a filter of one row: which products they ask for.
PartialProducts productsOf(const char* types, const std::vector<float>& taps) {
  const ConvolutionProblem p =
      parseProblem("c1h9w9-f1k1x" + std::to_string(taps.size()) + "-reflect101-" + types);
  return productsFor(p, taps);
}

TEST(Products, AreThoseThatEveryFilterNeeds) {
  const ConvolutionProblem p = parseProblem("c1h9w9-f3k1x2-reflect101-u8:f32-none");
  EXPECT_EQ(productsFor(p, {1, 1, 0, 0, -2, 0.5f}), PartialProducts::Exact);
  EXPECT_EQ(productsFor(p, {1, 1, 65472, 1025, 1, 1}), PartialProducts::Most) << "the second one's sums";
  EXPECT_FALSE(sumsAreExact(p, {1, 1, 1, 1, 65472, 1025})) << "the third one's";
  EXPECT_EQ(productsFor(p, {1, 1, 1, 1, 0.1f, 1}), PartialProducts::Most) << "the third one's taps";
}

TEST(Products, AreThoseThatTapsNeed) {
  const char* bytes = "u8:f32-none";
  EXPECT_EQ(productsOf(bytes, {1, -2, 2048, 4096}), PartialProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {0, 0, 0}), PartialProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {0.25f, 0.5f, -0.0625f}), PartialProducts::Exact) << "halves, exact";
  EXPECT_EQ(productsOf(bytes, {0.1f, 0.2f, 0.3f}), PartialProducts::Most);
  EXPECT_EQ(productsOf(bytes, {2049, 1}), PartialProducts::Every) << "twelve bits";
  EXPECT_EQ(productsOf(bytes, {2048.5f, 1}), PartialProducts::Most) << "twelve bits, no integer";
  // 65536 * 255 is all but 2^24: nothing may be added.
  EXPECT_EQ(productsOf(bytes, {65472}), PartialProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {65472, 1024, 1}), PartialProducts::Most) << "beyond 2^24";
  EXPECT_EQ(productsOf(bytes, {65472, 1024, 2}), PartialProducts::Exact) << "even";
  EXPECT_EQ(productsOf("f16:f32-none", {1, 2}), PartialProducts::Most) << "any pixels";
  EXPECT_EQ(productsOf("u16:f32-none", {1, 2}), PartialProducts::Most) << "pixels of two parts";
  EXPECT_EQ(productsOf("u16:f32-none", {2051, 2}), PartialProducts::Every);
  EXPECT_EQ(productsOf(bytes, {0x1p127f, -0x1p127f}), PartialProducts::Most) << "sums leave f32";
  // No scale suits these; the bank says so when taps are packed.
  EXPECT_EQ(productsOf(bytes, {1, 0x1p60f}), PartialProducts::Most);
}

TEST(PixelRange, KeepsProductsAndScalesInF32) {
  // A filter of ones has the scale 2^-14.
  const MagnitudeRange ones = pixelRange({1, -1}, {0x1p-14f});
  EXPECT_EQ(ones.least, 0x1p-98f) << "2^-27 of it times the tap is 2^-125";
  EXPECT_EQ(ones.most, std::numeric_limits<float>::max());
  const MagnitudeRange small = pixelRange({0x1p-40f, 0}, {0x1p-54f});
  EXPECT_EQ(small.least, 0x1p-58f);
  const MagnitudeRange large = pixelRange({0x1p70f, 1}, {0x1p56f, 0x1p-14f});
  EXPECT_LT(large.most, 0x1p86f) << "2^85 becomes 2^14, and back by 2^71 * 2^56";
  EXPECT_GE(large.most, 0x1p85f);
  const MagnitudeRange zeros = pixelRange({0, 0}, {1});
  EXPECT_LE(zeros.least, 0x1p-100f);
  EXPECT_EQ(zeros.most, std::numeric_limits<float>::max());
}

/// What a lane of `mma.sync` reads at once is its registers of two instructions: see warp_order.h.
TEST(PackTaps, InTheOrderOfWarpsRegisters) {
  const ConvolutionProblem p = parseProblem("c1h64w64-f9k11-reflect101-u8:f32-none");
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
  const TensorLayout layout = tensorLayout(p, PartialProducts::Most, {}, TensorForm::Warps);
  ASSERT_GE(layout.blocks, 2);
  const PackedTaps packed = packTaps(layout, p, correlationTaps(p, bank).taps);
  const std::vector<std::uint16_t> ordered = inWarpOrder(packed.halves);
  constexpr std::size_t beyond = unitsOfStep * 8;
  ASSERT_EQ(ordered.size(), packed.halves.size() + beyond);
  EXPECT_TRUE(std::all_of(ordered.end() - beyond, ordered.end(), [](auto half) { return half == 0; }));
  for (int block = 0; block < layout.blocks; ++block)
    for (int step = 0; step < layout.steps; ++step)
      for (int sixteen = 0; sixteen < warpColumns / 16; ++sixteen)
        for (int lane = 0; lane < 32; ++lane)
          for (int i = 0; i < 8; ++i) {
            const int at = (((block * layout.steps + step) * 4 + sixteen) * 32 + lane) * 8 + i;
            const int column = 16 * sixteen + i / 4 * 8 + lane / 4;
            const int k = i / 2 % 2 * 8 + lane % 4 * 2 + i % 2;
            ASSERT_EQ(toFloat(Half{ordered[static_cast<std::size_t>(at)]}),
                      halfAt(packed, layout, 0, block, step, column, k))
                << block << " " << step << " " << lane << " " << i;
          }
}

}  // namespace
}  // namespace bankside::cuda
