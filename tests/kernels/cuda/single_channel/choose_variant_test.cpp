/// Which kernel shape a problem gets, and the table behind it, without a GPU.
#include "kernels/cuda/single_channel/choose_variant.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "core/judge/conformance.h"
#include "kernels/cuda/single_channel/launch_table.h"

namespace bankside::cuda {
namespace {

const Variant& chosen(const std::string& text) {
  const ConvolutionProblem p = parseProblem(text);
  return variants()[static_cast<std::size_t>(chooseVariant(p, p.anchorX, p.anchorY))];
}

TEST(Variants, HaveUniqueNamesAndKernels) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < variants().size(); ++i) {
    const Variant& v = variants()[i];
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    EXPECT_EQ(findVariant(v.name), static_cast<int>(i));
    if (v.trial != Trial::No) continue;
    if (v.paper()) {
      EXPECT_NE(launchTable()[i].kernel[static_cast<int>(ElementType::U8)][0], nullptr) << v.name;
      continue;
    }
    for (const auto& type : launchTable()[i].kernel) {
      const bool noIndex = v.valueOnly || (v.form == Form::AnySize && v.anySizeUnits() > 1);
      const int least = v.indexOnly ? 2 : v.valueOnly ? 1 : 0;
      for (int fused = least; fused < (v.single ? 1 : noIndex ? 2 : 3); ++fused)
        EXPECT_NE(type[fused], nullptr) << v.name;
    }
    EXPECT_EQ(launchTable()[i].constantTaps != nullptr, v.constantTaps()) << v.name;
  }
  EXPECT_EQ(findVariant("no such shape"), -1);
  EXPECT_GT(compiledKernels(), 20);
}

TEST(ChooseVariant, TakesRegistersForSmallCentredFilters) {
  EXPECT_EQ(chosen("c1h64w64-f8k3-reflect101-f32:f32-none").form, Form::Rows);
  EXPECT_EQ(chosen("c1h64w64-f1k5-reflect101-u8:f32-none").form, Form::Rows);
  EXPECT_EQ(chosen("c1h64w64-f8k3a0x2-reflect101-f32:f32-none").form, Form::Tile);
}

TEST(ChooseVariant, TakesTilesForLargeOnes) {
  EXPECT_EQ(chosen("c1h64w64-f8k7x5-reflect101-f32:f32-none").form, Form::Tile);
  for (const char* side : {"9", "11", "13", "15"}) {
    const Variant& v = chosen("c1h64w64-f8k" + std::string(side) + "-wrap-f32:f32-max");
    EXPECT_EQ(v.form, Form::Tile) << side;
    EXPECT_EQ(v.shape.filterWidth, std::stoi(side));
  }
  EXPECT_EQ(chosen("c1h64w64-f8k31x15-wrap-f32:f32-none").form, Form::Tile);
}

TEST(ChooseVariant, MakesOneFilterOneAtATime) {
  for (const char* side : {"3", "5", "7", "9", "11", "13", "15"}) {
    EXPECT_EQ(chosen("c1h64w64-f1k" + std::string(side) + "-wrap-u8:f32-none").shape.filtersPerPass, 1)
        << side;
    EXPECT_EQ(chosen("c1h64w64-f1k" + std::string(side) + "-wrap-u8:f32-max").shape.filtersPerPass, 1)
        << side;
  }
}

TEST(ChooseVariant, HasShapesForTheSizeOfTheImage) {
  EXPECT_EQ(chosen("c1h4096w4096-f32k3-reflect101-f32:f32-none").name, "rows3_tall");
  EXPECT_EQ(chosen("c1h4096w4096-f8k3-reflect101-f32:f32-none").name, "rows3");
  EXPECT_EQ(chosen("c1h512w512-f32k3-reflect101-f32:f32-none").name, "rows3");
  EXPECT_EQ(chosen("c1h4096w4096-f32k7-reflect101-f32:f32-none").name, "rows7_tall");
  EXPECT_EQ(chosen("c1h512w512-f1k7-reflect101-f32:f32-none").name, "rows7_low");
  EXPECT_EQ(chosen("c1h512w512-f1k9-reflect101-f32:f32-none").name, "rows9_low");
  EXPECT_EQ(chosen("c1h512w512-f1k11-reflect101-f32:f32-none").name, "tile11_low");
  EXPECT_EQ(chosen("c1h1024w1024-f1k7-reflect101-f32:f32-none").name, "tile7_short");
  EXPECT_EQ(chosen("c1h1024w1024-f1k9-reflect101-f32:f32-none").name, "tile9_short");
  EXPECT_EQ(chosen("c1h1024w1024-f1k13-reflect101-f32:f32-none").name, "tile13_single");
  EXPECT_EQ(chosen("c1h4096w4096-f1k9-reflect101-f32:f32-none").name, "tile9_single");
}

TEST(ChooseVariant, TakesAnySizeForTheRest) {
  EXPECT_EQ(chosen("c1h64w64-f2k4-reflect101-f32:f32-none").form, Form::AnySize);
  EXPECT_EQ(chosen("c1h64w64-f1k31-reflect101-f32:f32-none").form, Form::AnySize);
  EXPECT_EQ(chosen("c1h64w64-f1k31-reflect101-f32:f32-none").name, "any-size");
  EXPECT_EQ(chosen("c1h4096w4096-f8k31-reflect101-f32:f32-max").name, "any-size-wide");
  EXPECT_EQ(chosen("c1h4096w4096-f8k31-reflect101-f32:f32-argmax").name, "any-size");
  // Two blocks of two units do not fit in shared memory.
  EXPECT_EQ(chosen("c1h4096w4096-f8k101-reflect101-f32:f32-none").name, "any-size");
  // Too many taps for constant memory at once, and a combine needs all of them.
  EXPECT_EQ(chosen("c1h64w64-f100k15-reflect101-f32:f32-max").form, Form::AnySize);
  EXPECT_EQ(chosen("c1h64w64-f100k15-reflect101-f32:f32-none").form, Form::Tile);
  // Rows of one filter's taps take whole vectors of it: 132 x 31 x 4 floats.
  EXPECT_EQ(chosen("c1h64w64-f132k31x1-reflect101-f32:f32-max").name, "tile1");
  EXPECT_EQ(chosen("c1h64w64-f133k31x1-reflect101-f32:f32-max").form, Form::AnySize);
}

TEST(ChooseVariant, HasAShapeOfItsOwnForFusedValues) {
  EXPECT_TRUE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-max").valueOnly);
  EXPECT_FALSE(chosen("c1h584w565-f12k15-reflect101-u8:f32-max").valueOnly);
  EXPECT_TRUE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-argmax").indexOnly);
  EXPECT_FALSE(chosen("c1h584w565-f12k15-reflect101-u8:f32-argmax").indexOnly);
  EXPECT_FALSE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-none").valueOnly);
}

/// n of the paper's model: elements in a bank's width.
TEST(MatchedPaperVariant, IsAsWideAsABank) {
  for (const auto& [type, pixels] : {std::pair{"f32", 1}, {"f16", 2}, {"u16", 2}, {"u8", 4}}) {
    const ConvolutionProblem p = parseProblem("c1h64w64-f8k3-reflect101-" + std::string(type) + ":f32-none");
    const int i = matchedPaperVariant(p, 1, 1);
    ASSERT_GE(i, 0) << type;
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    EXPECT_EQ(v.shape.pixels, pixels) << type;
    EXPECT_EQ(v.blockWidth(), 256);
    EXPECT_EQ(v.blockHeight(), 8);
    EXPECT_EQ(v.shape.threads(), 256 / pixels);
  }
  EXPECT_LT(matchedPaperVariant(parseProblem("c1h9w9-f1k3-constant=-3.5-u8:f32-none"), 1, 1), 0);
  EXPECT_LT(matchedPaperVariant(parseProblem("c1h9w9-f1k9-reflect101-u8:f32-none"), 4, 4), 0);
  EXPECT_LT(matchedPaperVariant(parseProblem("c1h9w9-f2k3-reflect101-u8:f32-max"), 1, 1), 0);
}

/// Measured ones are of f32 and of the paper's filter sizes.
TEST(ChoosePaperVariant, IsTheFastestThatWasMeasuredElseTheMatchedOne) {
  const auto chosenOf = [](const std::string& text, int anchor) {
    return std::string(
        variants()[static_cast<std::size_t>(choosePaperVariant(parseProblem(text), anchor, anchor))].name);
  };
  EXPECT_EQ(chosenOf("c1h64w64-f8k1-reflect101-f32:f32-none", 0), "paper1_tuned");
  EXPECT_EQ(chosenOf("c1h64w64-f8k3-reflect101-f32:f32-none", 1), "paper3_tuned");
  EXPECT_EQ(chosenOf("c1h64w64-f8k5-reflect101-f32:f32-none", 2), "paper5_tuned");
  EXPECT_EQ(chosenOf("c1h64w64-f8k7-reflect101-f32:f32-none", 3), "paper7_x1");
  EXPECT_EQ(chosenOf("c1h64w64-f8k3-reflect101-u8:f32-none", 1), "paper3_x4");
  EXPECT_LT(choosePaperVariant(parseProblem("c1h9w9-f1k9-reflect101-u8:f32-none"), 4, 4), 0);
}

TEST(ChooseVariant, NeverTakesATrial) {
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    const int i = chooseVariant(p, p.anchorX, p.anchorY);
    EXPECT_EQ(variants()[static_cast<std::size_t>(i)].trial, Trial::No) << text;
    EXPECT_FALSE(variants()[static_cast<std::size_t>(i)].paper()) << text;
  }
}

TEST(SplitBank, SplitsEverythingOnlyWhereBlocksAreFew) {
  const ConvolutionProblem small = parseProblem("c1h256w256-f32k15-reflect101-f32:f32-none");
  const Choice choice{findVariant("tile15")};
  const int perPass = variants()[static_cast<std::size_t>(choice.variant)].shape.filtersPerPass;
  const BankSplit few = splitBank(choice, small, 256, 256, 132);
  EXPECT_LT(few.filtersPerBlock, 32);
  EXPECT_EQ(few.filtersPerBlock % perPass, 0);
  EXPECT_EQ(few.wholeRows, 0);
  // 4096 tiles on 528 places: seven waves make all filters, the last rows are split.
  const BankSplit many = splitBank(choice, small, 4096, 4096, 132);
  EXPECT_EQ(many.wholeRows, 7 * 528 / 16);
  EXPECT_EQ(many.filtersPerBlock, 8);
  ConvolutionProblem thin = small;
  thin.filterWidth = thin.filterHeight = 3;
  EXPECT_EQ(splitBank({findVariant("rows3")}, thin, 4096, 4096, 132).filtersPerBlock, 2);
  const BankSplit asked = splitBank({choice.variant, 3, true}, small, 4096, 4096, 132);
  EXPECT_EQ(asked.filtersPerBlock, 4);
  EXPECT_EQ(asked.wholeRows, 7 * 528 / 16);
  EXPECT_EQ(splitBank({choice.variant, 16, false}, small, 4096, 4096, 132).wholeRows, 0);
  ConvolutionProblem fused = small;
  fused.combine = Combine::Max;
  EXPECT_EQ(splitBank(choice, fused, 256, 256, 132).filtersPerBlock, 32);
}

/// Behind a faster kernel: no rows that begin at whole vectors, no taps that are copied while it runs.
TEST(ChooseFallback, TakesTilesWhoseTapsLieReady) {
  const auto formOf = [](const char* problem) {
    const ConvolutionProblem p = parseProblem(problem);
    return variants()[static_cast<std::size_t>(
                          chooseFallback(p, (p.filterWidth - 1) / 2, (p.filterHeight - 1) / 2))]
        .form;
  };
  EXPECT_EQ(formOf("c1h999w999-f8k5-reflect101-f32:f32-none"), Form::Tile);
  EXPECT_EQ(formOf("c1h3000w3000-f12k15-reflect101-f32:f32-max"), Form::Tile);
  EXPECT_EQ(formOf("c1h99w99-f12k9-reflect101-f16:f32-argmax"), Form::Tile);
  EXPECT_EQ(formOf("c1h999w999-f128k15-reflect101-f32:f32-none"), Form::AnySize) << "28,800 taps";
  EXPECT_EQ(formOf("c1h999w999-f2k31-reflect101-f32:f32-none"), Form::AnySize);
}

TEST(PlaceOf, MakesEveryFilterOfEveryRowOnce) {
  for (const int wholeRows : {0, 1, 7, 15}) {
    for (const int perBlock : {1, 2, 5, 8}) {
      constexpr int rows = 15, filters = 7;
      std::set<std::pair<int, int>> made;
      const int log2 = partsLog2(filters, perBlock);
      for (int y = 0; y < blockRows(rows, wholeRows, log2); ++y) {
        const BlockPlace place = placeOf(y, wholeRows, filters, perBlock, log2);
        for (int f = place.firstFilter; f < place.endFilter; ++f)
          EXPECT_TRUE(made.insert({place.tileY, f}).second) << y;
        EXPECT_LT(place.tileY, rows);
      }
      EXPECT_EQ(made.size(), std::size_t{rows * filters});
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
