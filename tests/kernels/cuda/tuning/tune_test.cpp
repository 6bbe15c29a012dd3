/// What a tuner tries, and what it keeps: no device.
#include "kernels/cuda/tuning/tune.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "core/bench/paper_grid.h"
#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/tuning/tune_search.h"

namespace bankside::cuda {
namespace {

TEST(Candidates, AreAllShapesWithTheBankInParts) {
  const ConvolutionProblem p = parseProblem("c1h1024w1024-f8k5-reflect101-f32:f32-none");
  bool split = false;
  for (const Choice& c : candidates(p, p.anchorX, p.anchorY)) {
    const Variant& v = variants()[static_cast<std::size_t>(c.variant)];
    EXPECT_NE(v.form, Form::AnySize);
    EXPECT_EQ(c.filtersPerBlock % v.shape.filtersPerPass, 0) << v.name;
    split = split || c.filtersPerBlock == 2;
  }
  EXPECT_TRUE(split);
  for (const Choice& c : candidates(parseProblem("c1h64w64-f8k5-reflect101-f32:f32-max"), 2, 2))
    EXPECT_GE(c.filtersPerBlock, 8);
  // The form of any size with one unit a thread and with two.
  EXPECT_EQ(candidates(parseProblem("c1h64w64-f1k21-reflect101-f32:f32-none"), 10, 10).size(), 2u);
}

TEST(Candidates, OfAlgorithm1AreAKindOfTheirOwn) {
  const ConvolutionProblem p = parseProblem("c1h1024w1024-f8k5-reflect101-f32:f32-none");
  for (const Choice& c : candidates(p, p.anchorX, p.anchorY))
    EXPECT_FALSE(variants()[static_cast<std::size_t>(c.variant)].paper());
  std::set<int> units;
  for (const Choice& c : paperCandidates(p, p.anchorX, p.anchorY)) {
    const Variant& v = variants()[static_cast<std::size_t>(c.variant)];
    EXPECT_TRUE(v.paper()) << v.name;
    EXPECT_EQ(c.filtersPerBlock, 8) << "every block makes all filters";
    units.insert(v.shape.pixels);
  }
  EXPECT_EQ(units, (std::set<int>{1, 2, 4}));
  EXPECT_TRUE(paperCandidates(parseProblem("c1h64w64-f1k9-reflect101-f32:f32-none"), 4, 4).empty());
}

/// What the tuner walks: shapes that differ in every tile parameter, and every split, once.
TEST(Candidates, CoverTheTileParameters) {
  for (const int k : {3, 5, 7}) {
    std::set<int> filters, heights, widths, steps, perThread, pixels, parts;
    for (const SummedChoice& c : fittingSummedChoices(problemOf(GeneralCell{64, k, 64, 64}))) {
      const BlockShape& s = summedVariants()[static_cast<std::size_t>(c.variant)].shape;
      filters.insert(s.filtersPerBlock);
      heights.insert(s.tileHeight);
      widths.insert(s.tileWidth);
      steps.insert(s.channelsPerStep);
      perThread.insert(s.filtersPerThread);
      pixels.insert(s.pixelsPerThread);
      parts.insert(c.parts);
    }
    for (const auto* values : {&filters, &heights, &widths, &steps, &perThread, &pixels})
      EXPECT_GE(values->size(), 2u) << k;
    EXPECT_EQ(parts, (std::set<int>{1, 2, 4, 8})) << k;
  }
}

TEST(FastestOf, KeepsTheRuleUnlessSomethingIsClearlyFasterAndRight) {
  const double never = std::numeric_limits<double>::infinity();
  const auto pick = [](std::map<int, double> seconds) {
    std::multiset<int> asked;
    const auto found = fastestOf(0, std::vector<int>{2, 0, 1, 3}, [&](int c) {
      asked.insert(c);
      return seconds.at(c);
    });
    EXPECT_EQ(asked, (std::multiset<int>{0, 1, 2, 3})) << "each once";
    EXPECT_EQ(found.ruleSeconds, seconds.at(0));
    EXPECT_EQ(found.seconds, seconds.at(found.choice));
    return found.choice;
  };
  EXPECT_EQ(pick({{0, 1.0}, {1, 0.99}, {2, 0.985}, {3, 1.5}}), 0);
  EXPECT_EQ(pick({{0, 1.0}, {1, 0.9}, {2, 0.95}, {3, 0.91}}), 1);
  EXPECT_EQ(pick({{0, 1.0}, {1, never}, {2, never}, {3, 0.5}}), 3);
  EXPECT_EQ(pick({{0, never}, {1, 2.0}, {2, never}, {3, 3.0}}), 1);
}

}  // namespace
}  // namespace bankside::cuda
