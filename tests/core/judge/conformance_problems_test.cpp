/// The list that every engine is held against: what goes missing from it nobody would miss.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/hash.h"
#include "core/judge/conformance.h"
#include "kernels/reference/reference_engine.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"
#include "tests/support/refusals.h"

namespace bankside {
namespace {

/// These numbers change only where the list is meant to: then both are written anew.
TEST(ConformanceProblems, AreThoseThatWereChosen) {
  Hash hash;
  for (const std::string& text : conformanceProblems()) hash.add(text);
  EXPECT_EQ(conformanceProblems().size(), 752u);
  EXPECT_EQ(hash.value(), 17142265679244405685u);
}

TEST(ConformanceProblems, CanBeReadAndWritten) {
  for (const std::string& text : conformanceProblems()) EXPECT_EQ(format(parseProblem(text)), text);
}

/// What the list must have, whatever else is in it.
TEST(ConformanceProblems, HaveEveryBorderTypeCombineAndMode) {
  std::set<BorderKind> borders;
  std::set<std::pair<ElementType, ElementType>> types;
  std::set<Combine> combines;
  std::set<std::pair<ChannelMode, FilterMode>> modes;
  int largestFilter = 0, longest = 0, least = 1000;
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    borders.insert(p.border.kind);
    types.insert({p.srcType, p.dstType});
    combines.insert(p.combine);
    modes.insert({p.channelMode, p.mode});
    largestFilter = std::max({largestFilter, p.filterHeight, p.filterWidth});
    longest = std::max({longest, p.height, p.width});
    least = std::min({least, p.height * p.width});
  }
  EXPECT_EQ(borders.size(), 5u);
  EXPECT_EQ(types.size(), 16u);
  EXPECT_EQ(combines.size(), std::size(allCombines));
  EXPECT_GE(modes.size(), 3u);
  EXPECT_EQ(largestFilter, 127);
  EXPECT_EQ(longest, 70'000);
  EXPECT_EQ(least, 1);
}

TEST(MadePixels, ApplyToTypesThatHoldThem) {
  const auto of = [](const char* type) {
    return parseProblem(std::string("c1h9w9-f1k3-reflect101-") + type + ":f32-none");
  };
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    EXPECT_TRUE(applies(MadePixels::Integers, of(type)));
    EXPECT_TRUE(applies(MadePixels::Random, of(type)));
    EXPECT_EQ(applies(MadePixels::NonFinite, of(type)), type[0] == 'f') << type;
  }
  EXPECT_STREQ(toString(MadePixels::Integers), "integers");
  EXPECT_STREQ(toString(MadePixels::Random), "random");
  EXPECT_STREQ(toString(MadePixels::NonFinite), "nonfinite");
}

/// Takes filters that are a column times a row, and no others.
class ProductEngine final : public testing::OffEngine {
 public:
  using OffEngine::OffEngine;
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& p, const FilterBank& bank,
                                const PlanOptions& options) const override {
    for (const Filter& f : bank.filters())
      for (int y = 0; y < f.height; ++y)
        for (int x = 0; x < f.width; ++x)
          if (std::fabs(f.tap(0, y, x) * f.tap(0, 0, 0) - f.tap(0, y, 0) * f.tap(0, 0, x)) > 1e-5f)
            throw Error(ErrorCode::Unsupported, "a filter is no product");
    return OffEngine::prepare(p, bank, options);
  }
};

/// Such an engine is held to those that it takes, and as strictly.
TEST(CheckConformance, TakesABankOfRankOneWhereNoOtherIsTaken) {
  const auto reference = makeReferenceEngine();
  const ConvolutionProblem p = parseProblem("c1h20w30-f2k5-reflect101-f32:f32-none");
  const ProductEngine right(*reference, "right", 0, -1);
  const ProductEngine wrong(*reference, "wrong", 3, 2);
  const auto refusal = testing::refusalOf([&] { right.prepare(p, testing::randomBank(2, 1, 5, 5), {}); });
  ASSERT_EQ(refusal.code, ErrorCode::Unsupported);
  for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random}) {
    const ConformanceResult result = checkConformance(right, *reference, p, pixels);
    EXPECT_TRUE(result.passed) << result.sentence;
    EXPECT_EQ(result.plan.shape, "right");
    const ConformanceResult off = checkConformance(wrong, *reference, p, pixels);
    EXPECT_FALSE(off.passed);
    EXPECT_NE(off.sentence.find("verify --engine wrong --problem " + format(p)), std::string::npos)
        << off.sentence;
  }
}

}  // namespace
}  // namespace bankside
