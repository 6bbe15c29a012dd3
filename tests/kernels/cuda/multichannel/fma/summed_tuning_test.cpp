/// A recorded table for filters over several channels is replayed without a GPU, and what a tuner keeps.
#include "kernels/cuda/multichannel/fma/summed_tuning.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "core/bench/paper_grid.h"
#include "core/error.h"
#include "kernels/cuda/tuning/tune_search.h"
#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {
namespace {

/// As a tuner would write it for a device that does not exist.
const char* const recorded = R"({
 "bankside": "tuning",
 "schema_version": 2,
 "device": "Recorded GPU",
 "multiprocessors": 7,
 "environment": {"cuda_runtime": "13.0"},
 "entries": [
  {"filter_size":5,"filter_count":8,"size":1024,"type":"f32","dst_type":"f32","fused":"none","variant":"tile5","filters_per_block":4,"tail_only":false,"us":15.5,"rule_us":16.25,"floor_us":8.9}
 ],
 "summed": {
  "environment": {"cuda_runtime":"13.1"},
  "entries": [
   {"filter_size":3,"channels":64,"filter_count":64,"size":256,"variant":"slim3","filters_per_block":32,"tile_height":8,"tile_width":32,"channels_per_step":8,"filters_per_thread":8,"pixels_per_thread":8,"parts":2,"us":99.5,"rule_us":102,"floor_us":73.6},
   {"filter_size":3,"channels":128,"filter_count":64,"size":256,"variant":"half3","filters_per_block":32,"tile_height":8,"tile_width":16,"channels_per_step":8,"filters_per_thread":4,"pixels_per_thread":8,"parts":1,"us":199,"rule_us":205,"floor_us":147},
   {"filter_size":5,"channels":64,"filter_count":64,"size":256,"variant":"tall5","filters_per_block":64,"tile_height":8,"tile_width":32,"channels_per_step":99,"filters_per_thread":8,"pixels_per_thread":8,"parts":1,"us":1,"rule_us":2,"floor_us":1},
   {"filter_size":7,"channels":64,"filter_count":64,"size":256,"variant":"of another build","filters_per_block":64,"tile_height":8,"tile_width":32,"channels_per_step":2,"filters_per_thread":8,"pixels_per_thread":8,"parts":1,"us":1,"rule_us":2,"floor_us":1}
  ]
 }
})";

SummedChoice chosen(const TuningTable& table, const std::string& text) {
  return chooseSummed(parseProblem(text), &table);
}

std::string nameOf(const SummedChoice& choice) {
  return summedVariants()[static_cast<std::size_t>(choice.variant)].name;
}

TEST(SummedTuning, IsReplayedForWhatWasMeasured) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  const SummedChoice c = chosen(table, "c64h256w256-f64k3-reflect101-f32:f32-none");
  EXPECT_EQ(nameOf(c), "slim3");
  EXPECT_EQ(c.parts, 2);
  EXPECT_EQ(describe(c), "slim3, channels over 2 blocks");
  EXPECT_EQ(nameOf(chosen(table, "c128h256w256-f64k3-wrap-u8:f32-max")), "half3");
  // Near: 80 channels are nearer to 64 than to 128.
  EXPECT_EQ(chosen(table, "c80h240w260-f60k3-reflect101-f32:f32-none"), c);
}

TEST(SummedTuning, SaysNothingOfWhatIsFar) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  for (const char* far :
       {"c64h128w128-f64k3-reflect101-f32:f32-none", "c64h256w256-f128k3-reflect101-f32:f32-none",
        "c16h256w256-f64k3-reflect101-f32:f32-none", "c64h256w256-f64k3x5-reflect101-f32:f32-none",
        // its shape is not what it was, and its name stands for nothing
        "c64h256w256-f64k5-reflect101-f32:f32-none", "c64h256w256-f64k7-reflect101-f32:f32-none"}) {
    EXPECT_EQ(chosen(table, far), chooseSummed(parseProblem(far))) << far;
    EXPECT_LT(tunedSummedChoice(table.summed, parseProblem(far)).variant, 0) << far;
  }
}

TEST(SummedTuning, WithoutATableTheRuleStands) {
  const ConvolutionProblem p = parseProblem("c64h256w256-f64k3-reflect101-f32:f32-none");
  EXPECT_EQ(chooseSummed(p, nullptr), chooseSummed(p));
  const TuningTable* shipped = tuningTableFor("NVIDIA H200", 132);
  ASSERT_NE(shipped, nullptr);
  EXPECT_EQ(tuningTableFor("Recorded GPU", 7), nullptr);
  for (const SummedTuningEntry& e : shipped->summed.entries) {
    const int variant = findSummedVariant(e.variant);
    ASSERT_GE(variant, 0) << e.variant;
    EXPECT_FALSE(summedVariants()[static_cast<std::size_t>(variant)].trial) << e.variant;
    EXPECT_EQ(summedVariants()[static_cast<std::size_t>(variant)].shape, e.shape) << e.variant;
    EXPECT_LE(e.microseconds, e.ruleMicroseconds);
  }
}

TEST(SummedTuning, SurvivesWritingAndReading) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  const std::string text = toJson(table);
  const TuningTable again = readTuningTable(text, "again");
  EXPECT_EQ(toJson(again), text);
  ASSERT_EQ(again.summed.entries.size(), 4u);
  EXPECT_EQ(again.summed.environment, table.summed.environment);
  EXPECT_EQ(again.summed.entries[0].shape, table.summed.entries[0].shape);
  EXPECT_EQ(again.entries.size(), 1u);
  // A table that knows nothing of several channels is written as it always was.
  TuningTable single = table;
  single.summed = {};
  EXPECT_EQ(toJson(single).find("summed"), std::string::npos);
  std::string broken = recorded;
  broken.replace(broken.find("\"parts\":2"), 9, "\"parts\":0");
  EXPECT_THROW(readTuningTable(broken, "broken"), Error);
}

TEST(SummedTuning, KeepsWhatWasNotMeasuredAgain) {
  const TuningTable known = readTuningTable(recorded, "recorded");
  TuningTable measured{"Recorded GPU", 7, {{"when", "now"}}, {}, {}};
  measured.summed.entries.push_back(known.summed.entries[1]);
  measured.summed.environment = measured.environment;
  const TuningTable both = keepUntouched(measured, &known);
  EXPECT_EQ(both.entries.size(), 1u);
  EXPECT_EQ(both.environment, known.environment);
  ASSERT_EQ(both.summed.entries.size(), 4u);
  EXPECT_EQ(both.summed.environment, measured.environment);
  // A run adds to what is there, and replaces what it measured again.
  measured.summed.entries[0].parts = 4;
  measured.summed.entries[0].filterSize = known.summed.entries[1].filterSize;
  const TuningTable more = keepUntouched(measured, &known);
  ASSERT_EQ(more.summed.entries.size(), 4u);
  EXPECT_EQ(more.summed.entries[0].parts, 4);
  EXPECT_EQ(more.summed.entries[1].variant, known.summed.entries[0].variant);
  // Of one channel as well.
  measured.entries.push_back(known.entries[0]);
  measured.entries[0].filtersPerBlock += 1;
  const TuningTable again = keepUntouched(measured, &known);
  ASSERT_EQ(again.entries.size(), 1u);
  EXPECT_EQ(again.entries[0].filtersPerBlock, known.entries[0].filtersPerBlock + 1);
  EXPECT_EQ(again.environment, measured.environment);
  measured.entries[0].side *= 2;
  EXPECT_EQ(keepUntouched(measured, &known).entries.size(), 2u);
  measured.entries.clear();
  measured.multiprocessors = 8;
  EXPECT_TRUE(keepUntouched(measured, &known).entries.empty());
  EXPECT_TRUE(keepUntouched(measured, nullptr).entries.empty());
}

/// What the tuner walks: shapes that differ in every tile parameter, and every split, once.
TEST(SummedTuning, CandidatesCoverTheTileParameters) {
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
