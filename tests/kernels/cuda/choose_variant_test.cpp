/// Which kernel shape a problem gets, and the table behind it, without a GPU.
#include "kernels/cuda/choose_variant.h"

#include <gtest/gtest.h>

#include <set>

#include "core/conformance.h"
#include "kernels/cuda/launch_table.h"

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
    for (const auto& type : launchTable()[i].kernel) {
      for (int fused = v.valueOnly ? 1 : 0; fused < (v.single ? 1 : v.valueOnly ? 2 : 3); ++fused)
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

TEST(ChooseVariant, TakesAnySizeForTheRest) {
  EXPECT_EQ(chosen("c1h64w64-f2k4-reflect101-f32:f32-none").form, Form::AnySize);
  EXPECT_EQ(chosen("c1h64w64-f1k31-reflect101-f32:f32-none").form, Form::AnySize);
  // Too many taps for constant memory at once, and a combine needs all of them.
  EXPECT_EQ(chosen("c1h64w64-f100k15-reflect101-f32:f32-max").form, Form::AnySize);
  EXPECT_EQ(chosen("c1h64w64-f100k15-reflect101-f32:f32-none").form, Form::Tile);
}

TEST(ChooseVariant, HasAShapeOfItsOwnForFusedValues) {
  EXPECT_TRUE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-max").valueOnly);
  EXPECT_FALSE(chosen("c1h584w565-f12k15-reflect101-u8:f32-max").valueOnly);
  EXPECT_FALSE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-argmax").valueOnly);
  EXPECT_FALSE(chosen("c1h4096w4096-f12k15-reflect101-u8:f32-none").valueOnly);
}

TEST(ChooseVariant, NeverTakesATrial) {
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    const int i = chooseVariant(p, p.anchorX, p.anchorY);
    EXPECT_EQ(variants()[static_cast<std::size_t>(i)].trial, Trial::No) << text;
  }
}

TEST(ChooseFiltersPerBlock, SplitsOnlyWhereBlocksAreFew) {
  const ConvolutionProblem small = parseProblem("c1h256w256-f32k15-reflect101-f32:f32-none");
  const Variant& v = chosen("c1h256w256-f32k15-reflect101-f32:f32-none");
  const int perBlock = chooseFiltersPerBlock(v, small, 256, 256, 132);
  EXPECT_LT(perBlock, 32);
  EXPECT_EQ(perBlock % v.shape.filtersPerPass, 0);
  EXPECT_EQ(chooseFiltersPerBlock(v, small, 65536, 65536, 132), 32);
  ConvolutionProblem fused = small;
  fused.combine = Combine::Max;
  EXPECT_EQ(chooseFiltersPerBlock(v, fused, 256, 256, 132), 32);
}

}  // namespace
}  // namespace bankside::cuda
