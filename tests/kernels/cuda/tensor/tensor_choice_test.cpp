/// Which layout a bank gets, and what it must hold.
#include "kernels/cuda/tensor/tensor_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/judge/conformance.h"
#include "kernels/cuda/tensor/tensor_walk.h"
#include "tests/kernels/cuda/tensor/in_reach.h"

namespace bankside::cuda {
namespace {

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
  const auto of = [](const std::string& bank, PartialProducts products = PartialProducts::Most) {
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
  EXPECT_EQ(of("f8k15-reflect101-u8:f32-none", PartialProducts::Rounded), Shape({8, 2, 128}));
  EXPECT_EQ(of("f12k15-reflect101-f32:f32-none", PartialProducts::Rounded), Shape({8, 1, 96}));
  EXPECT_EQ(of("f32k15-reflect101-u8:f32-none", PartialProducts::Rounded), Shape({8, 1, 128}));
  EXPECT_EQ(of("f8k31-reflect101-f32:f32-none", PartialProducts::Rounded), Shape({8, 1, 64}));
  EXPECT_EQ(of("f32k5-reflect101-u8:f32-max", PartialProducts::Rounded), Shape({4, 2, 128}));
}

/// Halves of taps apart: where two sums of both are more than registers hold, or a second chain more than a
/// short one's time.
TEST(TensorLayout, MultipliesHalvesApart) {
  const auto apart = [](const std::string& bank, const TensorChoice& choice) {
    return tensorLayout(parseProblem("c1h4096w4096-" + bank), PartialProducts::Most, choice).halves ==
           TapParts::Apart;
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
      EXPECT_LT(tensorCost(p, PartialProducts::Rounded), tensorCost(p)) << format(p);
      for (const TensorChoice& choice : tensorChoices(p, PartialProducts::Rounded)) {
        const TensorLayout layout = tensorLayout(p, PartialProducts::Rounded, choice);
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
        for (const TensorForm form : {TensorForm::Warpgroups, TensorForm::Warps}) {
          // What `mma.sync` may cut off more often; two at least.
          const bool shorter = type == ElementType::U16 || type == ElementType::F16;
          const double share = form == TensorForm::Warpgroups ? 1 : shorter ? 0.6 : 0.8;
          const double limit = std::max(2.0, limitOf(type, side) * share);
          for (const TensorChoice& choice : tensorChoices(p, PartialProducts::Most, form)) {
            EXPECT_LE(longestOwnSum(tensorLayout(p, PartialProducts::Most, choice, form), side), limit)
                << format(p) << ": " << choice.shifts << " x " << choice.rowStep << ", " << choice.tapColumns;
          }
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
          for (const PartialProducts products :
               {PartialProducts::Most, PartialProducts::Rounded, PartialProducts::Every}) {
            const TensorLayout layout = tensorLayout(p, products);
            ASSERT_GE(layout.steps * 2, (side + layout.rowStep - 1) * layout.cores) << format(p);
            ASSERT_GE(layout.passes * layout.units(), count * layout.rowStep) << format(p);
            const TensorWalk walk = tensorWalk(layout, p.width, p.height, 132);
            ASSERT_LE(walk.total, 225 * 1024) << format(p);
            ASSERT_LE(corePlacesOf(layout, walk), mostCorePlaces) << format(p);
            // By warps in the memory of every device, all filters in one pass.
            const TensorLayout warps = tensorLayout(p, products, {}, TensorForm::Warps);
            ASSERT_GE(warps.units(), count * warps.rowStep) << format(p);
            ASSERT_LE(warpWalk(warps, p.width, p.height, 132, leastShared).total, 96 * 1024) << format(p);
          }
        }
      }
    }
  }
}

/// One width of columns, whole halves together; a maximum too.
TEST(TensorLayout, OfWarpsIsOneOfAFew) {
  const auto of = [](const std::string& bank, PartialProducts products = PartialProducts::Most) {
    return tensorLayout(parseProblem("c1h4096w4096-" + bank), products, {}, TensorForm::Warps);
  };
  for (const char* bank : {"f12k15-reflect101-u8:f32-none", "f12k15-reflect101-f32:f32-max",
                           "f8k9-reflect101-u16:f32-argmax", "f1k31-reflect101-u8:f32-none"}) {
    const TensorLayout layout = of(bank);
    EXPECT_EQ(layout.tapColumns, warpColumns) << bank;
    EXPECT_EQ(layout.groups, groupsOfProduct) << bank;
    EXPECT_EQ(layout.halves, TapParts::Both) << bank;
    EXPECT_EQ(layout.sums(), 1) << bank;
    EXPECT_EQ(of(bank, PartialProducts::Rounded).halves, TapParts::High) << bank;
  }
  EXPECT_FALSE(of("f12k15-reflect101-u8:f32-none").chained());
  EXPECT_TRUE(of("f12k31-reflect101-u8:f32-none").chained());
  EXPECT_TRUE(of("f12k15-reflect101-f32:f32-none").chained());
}

/// The rule's layout is the first candidate, every candidate is another one, and each holds the bank.
TEST(TensorChoices, BeginWithTheRule) {
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    if (p.filterHeight > mostTensorSide || p.filterWidth > mostTensorSide) continue;
    std::vector<TensorChoice> choices = tensorChoices(p);
    ASSERT_FALSE(choices.empty()) << text;
    const TensorLayout layout = tensorLayout(p);
    EXPECT_EQ(choices.front(), (TensorChoice{layout.shifts(), layout.rowStep, layout.tapColumns})) << text;
    for (const TensorChoice& choice : choices) {
      const TensorLayout other = tensorLayout(p, PartialProducts::Most, choice);
      EXPECT_GE(other.passes * other.units(), p.filterCount * other.rowStep) << text;
      EXPECT_EQ(std::count(choices.begin(), choices.end(), choice), 1) << text;
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
