/// Splitting and packing, without a GPU.
#include "kernels/cuda/tensor/packed_taps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/conformance.h"
#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_choice.h"
#include "kernels/cuda/tensor/tensor_walk.h"
#include "tests/kernels/cuda/tensor/packed_half.h"

namespace bankside::cuda {
namespace {

/// Whether the engine would take the problem's shape.
bool inReach(const ConvolutionProblem& p) {
  return p.filterHeight <= 31 && p.filterWidth <= 31 &&
         (p.channels == 1 || p.channelMode == ChannelMode::PerPlane);
}

/// What the columns of an output of a block stand for, together: two, or one where taps have one half.
double tapAt(const PackedTaps& packed, const TensorLayout& layout, int pass, int block, int step, int output,
             int k) {
  const double high = halfAt(packed, layout, pass, block, step, output, k);
  if (layout.halves == TapHalves::High) return high;
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
class PackTaps : public ::testing::TestWithParam<TapProducts> {};

TEST_P(PackTaps, PutsEveryTapWhereItsPixelIs) {
  const double lost = GetParam() == TapProducts::Rounded ? 0x1p-11 : 0x1p-23;
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

INSTANTIATE_TEST_SUITE_P(Halves, PackTaps, ::testing::Values(TapProducts::Most, TapProducts::Rounded));

/// Taps of a filter of one row: which products they ask for.
TapProducts productsOf(const char* types, const std::vector<float>& taps) {
  const ConvolutionProblem p =
      parseProblem("c1h9w9-f1k1x" + std::to_string(taps.size()) + "-reflect101-" + types);
  return productsFor(p, taps);
}

TEST(Products, AreThoseThatEveryFilterNeeds) {
  const ConvolutionProblem p = parseProblem("c1h9w9-f3k1x2-reflect101-u8:f32-none");
  EXPECT_EQ(productsFor(p, {1, 1, 0, 0, -2, 0.5f}), TapProducts::Exact);
  EXPECT_EQ(productsFor(p, {1, 1, 65472, 1025, 1, 1}), TapProducts::Most) << "the second one's sums";
  EXPECT_FALSE(sumsAreExact(p, {1, 1, 1, 1, 65472, 1025})) << "the third one's";
  EXPECT_EQ(productsFor(p, {1, 1, 1, 1, 0.1f, 1}), TapProducts::Most) << "the third one's taps";
}

TEST(Products, AreThoseThatTapsNeed) {
  const char* bytes = "u8:f32-none";
  EXPECT_EQ(productsOf(bytes, {1, -2, 2048, 4096}), TapProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {0, 0, 0}), TapProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {0.25f, 0.5f, -0.0625f}), TapProducts::Exact) << "halves, exact";
  EXPECT_EQ(productsOf(bytes, {0.1f, 0.2f, 0.3f}), TapProducts::Most);
  EXPECT_EQ(productsOf(bytes, {2049, 1}), TapProducts::Every) << "twelve bits";
  EXPECT_EQ(productsOf(bytes, {2048.5f, 1}), TapProducts::Most) << "twelve bits, no integer";
  // 65536 * 255 is all but 2^24: nothing may be added.
  EXPECT_EQ(productsOf(bytes, {65472}), TapProducts::Exact);
  EXPECT_EQ(productsOf(bytes, {65472, 1024, 1}), TapProducts::Most) << "beyond 2^24";
  EXPECT_EQ(productsOf(bytes, {65472, 1024, 2}), TapProducts::Exact) << "even";
  EXPECT_EQ(productsOf("f16:f32-none", {1, 2}), TapProducts::Most) << "any pixels";
  EXPECT_EQ(productsOf("u16:f32-none", {1, 2}), TapProducts::Most) << "pixels of two parts";
  EXPECT_EQ(productsOf("u16:f32-none", {2051, 2}), TapProducts::Every);
  EXPECT_EQ(productsOf(bytes, {0x1p127f, -0x1p127f}), TapProducts::Most) << "sums leave f32";
  // No scale suits these; the bank says so when taps are packed.
  EXPECT_EQ(productsOf(bytes, {1, 0x1p60f}), TapProducts::Most);
}

/// The core that is `i` cores further holds, for every group, the pixels that taps of that core mean.
TEST(TensorLayout, CoresLieWhereTheirPixelsAre) {
  for (const int shiftsLog2 : {1, 2, 3}) {
    for (const int cores : {1, 2, 3, 4, 5}) {
      TensorLayout layout;
      layout.shiftsLog2 = shiftsLog2;
      layout.cores = cores;
      for (int i = 0; i < 7 * cores; ++i) {
        const int group = layout.coreAt(i) % layout.pitch() / coreBytes;
        EXPECT_EQ(layout.coreAt(i) / layout.pitch(), i / cores);
        EXPECT_EQ(group * layout.shifts(), i % cores * 8);
        EXPECT_LE(group + layout.groups, layout.stagedGroups());
      }
    }
  }
}

/// Shifts, rows of a strip and columns of taps that took least time on an H200 (4096 x 4096, 36 layouts
/// each).
TEST(TensorLayout, IsTheFastestMeasured) {
  const auto of = [](const std::string& bank, TapProducts products = TapProducts::Most) {
    const TensorLayout layout = tensorLayout(parseProblem("c1h4096w4096-" + bank), products);
    return std::vector<int>{layout.shifts(), layout.rowStep, layout.tapColumns};
  };
  using Shape = std::vector<int>;
  EXPECT_EQ(of("f1k7-reflect101-u8:f32-none")[0], 8);
  EXPECT_EQ(of("f4k7-reflect101-u8:f32-none")[0], 8);
  EXPECT_EQ(of("f8k9-reflect101-u8:f32-none"), Shape({8, 1, 128}));
  EXPECT_EQ(of("f12k9-reflect101-u8:f32-max"), Shape({8, 1, 96}));
  EXPECT_EQ(of("f8k11-reflect101-u8:f32-none"), Shape({4, 2, 128}));
  EXPECT_EQ(of("f8k15-reflect101-u8:f32-none"), Shape({2, 4, 128}));
  EXPECT_EQ(of("f12k15-reflect101-u8:f32-none"), Shape({2, 2, 96}));
  EXPECT_EQ(of("f12k15-reflect101-u8:f32-max"), Shape({2, 2, 96}));
  EXPECT_EQ(of("f32k15-reflect101-u8:f32-none"), Shape({2, 1, 128}));
  EXPECT_EQ(of("f12k11-reflect101-u8:f32-max"), Shape({4, 2, 96}));
  EXPECT_EQ(of("f12k5-reflect101-u8:f32-max"), Shape({4, 2, 96}));
  EXPECT_EQ(of("f32k7-reflect101-f32:f32-none"), Shape({2, 1, 128}));
  EXPECT_EQ(of("f8k7-reflect101-f32:f32-none"), Shape({8, 1, 128}));
  EXPECT_EQ(of("f8k9-reflect101-f32:f32-none"), Shape({8, 1, 128}));
  EXPECT_EQ(of("f8k9-reflect101-u16:f32-none"), Shape({8, 1, 128}));
  EXPECT_EQ(of("f12k9-reflect101-u16:f32-none"), Shape({8, 1, 96}));
  EXPECT_EQ(of("f12k15-reflect101-u16:f32-none"), Shape({2, 2, 96}));
  // {4, 1, 96} has fewer products, and a ring for two of three warpgroups.
  EXPECT_EQ(of("f12k25-reflect101-f32:f32-none"), Shape({8, 1, 64}));
  EXPECT_EQ(of("f8k15-reflect101-u8:f32-none", TapProducts::Rounded), Shape({8, 2, 128}));
  EXPECT_EQ(of("f12k15-reflect101-f32:f32-none", TapProducts::Rounded), Shape({8, 1, 96}));
  EXPECT_EQ(of("f32k15-reflect101-u8:f32-none", TapProducts::Rounded), Shape({8, 1, 128}));
  EXPECT_EQ(of("f8k31-reflect101-f32:f32-none", TapProducts::Rounded), Shape({8, 1, 64}));
  EXPECT_EQ(of("f32k5-reflect101-u8:f32-max", TapProducts::Rounded), Shape({4, 2, 128}));
}

/// Halves of taps apart: where two sums of both are more than registers hold, or a second chain more than a
/// short one's time.
TEST(TensorLayout, MultipliesHalvesApart) {
  const auto apart = [](const std::string& bank, const TensorChoice& choice) {
    return tensorLayout(parseProblem("c1h4096w4096-" + bank), TapProducts::Most, choice).halves ==
           TapHalves::Apart;
  };
  EXPECT_TRUE(apart("f8k9-reflect101-u16:f32-none", {8, 1, 128}));
  EXPECT_TRUE(apart("f12k7-reflect101-u16:f32-none", {2, 2, 96}));
  EXPECT_FALSE(apart("f12k9-reflect101-u16:f32-none", {8, 1, 96}));
  EXPECT_FALSE(apart("f12k7-reflect101-u16:f32-none", {2, 2, 64}));
  EXPECT_FALSE(apart("f8k9-reflect101-u8:f32-none", {8, 1, 128}));
  // Six steps and seven.
  EXPECT_TRUE(apart("f12k11x7-reflect101-u16:f32-none", {2, 2, 96}));
  EXPECT_FALSE(apart("f12k12x7-reflect101-u16:f32-none", {2, 2, 96}));
}

/// One product: twice the outputs of an instruction, one sum of any length.
TEST(TensorLayout, MultipliesHighHalvesAlone) {
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    for (const int side : {3, 11, 21, 31}) {
      const ConvolutionProblem p =
          parseProblem("c1h4096w4096-f12k" + std::to_string(side) + "-reflect101-" + type + ":f32-none");
      EXPECT_LT(tensorCost(p, TapProducts::Rounded), tensorCost(p)) << format(p);
      for (const TensorChoice& choice : tensorChoices(p, TapProducts::Rounded)) {
        const TensorLayout layout = tensorLayout(p, TapProducts::Rounded, choice);
        EXPECT_EQ(layout.unitsPerBlock() * layout.shifts(), layout.tapColumns);
        EXPECT_EQ(layout.chains * layout.sums() * layout.planes(), 1) << format(p);
      }
    }
  }
}

/// Instructions of the longest sum that a result's own taps are in.
int longestOwnSum(const TensorLayout& layout, int filterHeight) {
  int longest = 0;
  for (int row = 0; row < layout.rowStep; ++row) {
    const int first = row * layout.cores / 2;
    const int end = ceilDiv((row + filterHeight) * layout.cores, 2);
    for (int chain = 0; chain < layout.steps; chain += layout.chainSteps())
      longest = std::max(longest, std::min(end, chain + layout.chainSteps()) - std::max(first, chain));
  }
  return ceilDiv(longest, layout.sums());
}

/// No result's sum is longer than what keeps its error below serial f32's: where it would be, instructions
/// take turns with two sums or go in chains.
TEST(TensorLayout, SumsAreShortEnough) {
  const auto sumsOf = [](const std::string& bank) {
    const TensorLayout layout = tensorLayout(parseProblem("c1h4096w4096-" + bank));
    return std::vector<int>{layout.chains, layout.sumSteps()};
  };
  using Sums = std::vector<int>;
  EXPECT_EQ(sumsOf("f8k7-reflect101-f32:f32-none"), Sums({1, 4}));
  EXPECT_EQ(sumsOf("f8k7-reflect101-u16:f32-none"), Sums({1, 3}));
  EXPECT_EQ(sumsOf("f12k15-reflect101-u8:f32-none"), Sums({1, 16}));
  EXPECT_EQ(sumsOf("f12k21-reflect101-u8:f32-none"), Sums({2, 16}));
  const auto limitOf = [](ElementType type, int side) {
    switch (type) {
      case ElementType::U8: return std::min(1.25 * side, 32.0);
      case ElementType::U16: return 0.57 * side;
      case ElementType::F16: return 0.8 * side;
      case ElementType::F32: break;
    }
    return side < 7 ? 2 : std::max(side - 4.0, 4.0);
  };
  for (const ElementType type : {ElementType::U8, ElementType::U16, ElementType::F16, ElementType::F32}) {
    for (int side = 5; side <= 31; ++side) {
      for (const int count : {1, 2, 8, 12, 32}) {
        const ConvolutionProblem p =
            parseProblem("c1h4096w4096-f" + std::to_string(count) + "k" + std::to_string(side) +
                         "-reflect101-" + toString(type) + ":f32-none");
        for (const TensorChoice& choice : tensorChoices(p)) {
          EXPECT_LE(longestOwnSum(tensorLayout(p, TapProducts::Most, choice), side), limitOf(type, side))
              << format(p) << ": " << choice.shifts << " x " << choice.rowStep << ", " << choice.tapColumns;
        }
      }
    }
  }
}

TEST(TensorLayout, CountsAreWhatTheyMustBe) {
  for (const std::string& text : conformanceProblems()) {
    ConvolutionProblem p = parseProblem(text);
    if (!inReach(p)) continue;
    for (const int count : {1, 3, 12, 32, 33, 100}) {
      p.filterCount = count;
      const TensorLayout layout = tensorLayout(p);
      EXPECT_GE(layout.passes * layout.units(), count * layout.rowStep) << text;
      EXPECT_EQ(layout.chainSteps() * layout.chains, layout.steps) << text;
      EXPECT_GE(layout.chainSteps(), 2) << text;
      EXPECT_GE(layout.cores * 8, p.filterWidth + layout.shifts() - 1) << text;
      EXPECT_GE(layout.reach(), p.filterHeight + layout.rowStep - 1) << text;
      if (p.combine != Combine::None && count > 1) {
        // Filters of a row meet in the lanes of eight columns, each in a power of two of them.
        EXPECT_EQ(layout.filtersOfEight() * layout.rowStep, layout.unitsOfEight()) << text;
        const bool inOrder = p.combine == Combine::ArgMax || p.combine == Combine::AbsMax;
        EXPECT_TRUE(!inOrder || layout.filtersOfEight() == 1) << text;
      }
    }
  }
}

TEST(TensorLayout, FitsInSharedMemory) {
  for (const std::string& text : conformanceProblems()) {
    ConvolutionProblem p = parseProblem(text);
    if (!inReach(p)) continue;
    for (const int count : {1, 3, 12, 32, 33, 100}) {
      p.filterCount = count;
      const TensorLayout layout = tensorLayout(p);
      for (const int side : {4096, 1024, 512, 256, 64}) {
        const TensorWalk walk = tensorWalk(layout, side, side, 132);
        EXPECT_LE(walk.total, 225 * 1024) << text << " " << count;
        EXPECT_LE(tensorThreads(walk.multipliers), 1024);
        EXPECT_LE(walk.chunks, TensorWalk::mostChunks) << text;
        EXPECT_LE(corePlacesOf(layout, walk), mostCorePlaces) << text;
        EXPECT_GE(walk.chunks * walk.strips, walk.blockStrips) << text;
        EXPECT_GE(walk.ring, std::min(walk.blockStrips, walk.strips + 1) * layout.rowStep) << text;
        for (const int part : {walk.units, walk.pixels, walk.plane, walk.raw, walk.startRaw})
          EXPECT_EQ(part % 16, 0) << text;
        // Warpgroups that wait for each other within a turn lie in two chunks, or nothing waits for them.
        const bool together =
            (layout.combined && layout.passes > 1) ||
            (layout.blocks > 1 && startInTurn(layout.tapColumns, layout.parts, layout.chained()));
        if (together && walk.chunks > 2) {
          EXPECT_GE(walk.strips * layout.groups, (walk.multipliers - 1) * groupsOfProduct) << text;
        }
        // Rows that helpers copy at the start lie where the second chunk will be, or behind the stagers'
        // rows.
        const int helpers = walk.starters - TensorWalk::stagerWarps;
        const int helpersEnd = walk.startRaw + helpers * layout.rawPitch();
        EXPECT_GE(helpers, 0) << text << " " << count;
        EXPECT_LE(helpers, walk.multipliers * 4) << text;
        if (walk.startRaw < walk.raw) {
          EXPECT_GE(walk.startRaw, walk.raw - walk.plane + walk.firstRows * layout.pitch()) << text;
          EXPECT_LE(helpersEnd, walk.raw) << text;
        } else {
          const int stagersRows = TensorWalk::stagerWarps * TensorWalk::rowsAhead(layout.pixelBytes);
          EXPECT_GE(walk.startRaw, walk.raw + stagersRows * layout.rawPitch()) << text;
          EXPECT_LE(helpersEnd, walk.total) << text;
        }
      }
    }
  }
}

/// Strips that the busiest of the multiprocessors gets, if each takes the next block when it is done with
/// one.
int mostStrips(const TensorLayout& layout, int side, int multiprocessors) {
  const TensorWalk walk = tensorWalk(layout, side, side, multiprocessors);
  const int columns = ceilDiv(side, layout.width()) * (layout.combined ? 1 : layout.passes);
  std::vector<int> done(static_cast<std::size_t>(multiprocessors));
  for (int strips = ceilDiv(side, layout.rowStep); strips > 0; strips -= walk.blockStrips)
    for (int i = 0; i < columns; ++i)
      *std::min_element(done.begin(), done.end()) += std::min(strips, walk.blockStrips);
  return *std::max_element(done.begin(), done.end());
}

/// 4096 columns are a power of two of bands, multiprocessors are not: all of them have as much to do.
TEST(TensorLayout, BlocksShareAnImage) {
  for (const int count : {1, 8, 12, 32}) {
    for (const int side : {5, 7, 11, 15, 21, 31}) {
      for (const char* combine : {"none", "max"}) {
        ConvolutionProblem p = parseProblem(std::string("c1h4096w4096-f1k3-reflect101-u8:f32-") + combine);
        p.filterCount = count;
        p.filterHeight = p.filterWidth = side;
        const TensorLayout layout = tensorLayout(p);
        const int all = ceilDiv(4096, layout.width()) * (layout.combined ? 1 : layout.passes) *
                        ceilDiv(4096, layout.rowStep);
        EXPECT_LE(mostStrips(layout, 4096, 132), 1.04 * all / 132 + 1) << format(p);
        EXPECT_GE(tensorWalk(layout, 4096, 4096, 132).chunks, 4) << format(p);
      }
    }
  }
}

/// Every bank that the engine takes has a layout that holds it.
TEST(TensorLayout, HoldsEveryBank) {
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    for (const char* combine : {"none", "max", "argmax"}) {
      for (const int count : {1, 2, 5, 12, 33, 100}) {
        for (int side = 1; side <= mostTensorSide; ++side) {
          ConvolutionProblem p =
              parseProblem(std::string("c1h4096w4096-f1k3-reflect101-") + type + ":f32-" + combine);
          p.filterCount = count;
          p.filterHeight = p.filterWidth = side;
          const TensorLayout layout = tensorLayout(p);
          ASSERT_GE(layout.steps * 2, (side + layout.rowStep - 1) * layout.cores) << format(p);
          ASSERT_GE(layout.passes * layout.units(), count * layout.rowStep) << format(p);
          const TensorWalk walk = tensorWalk(layout, p.width, p.height, 132);
          ASSERT_LE(walk.total, 225 * 1024) << format(p);
          ASSERT_LE(corePlacesOf(layout, walk), mostCorePlaces) << format(p);
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
