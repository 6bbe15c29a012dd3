#include "core/batch/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/refusals.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

Environ variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  };
}

std::string refusal(const std::optional<int>& count, const Environ& environ) {
  return testing::sentenceOf([&] { chooseShard({}, count, environ); });
}

TEST(Shard, EveryImageIsInExactlyOne) {
  for (const int count : {1, 2, 5, 16, 1000}) {
    std::map<int, int> sizes;
    for (int i = 0; i < 2000; ++i) {
      const std::string id = "left/" + std::to_string(i) + "_L.png";
      int found = 0;
      for (int index = 0; index < count; ++index) {
        if (!Shard{index, count}.has(id)) continue;
        ++found;
        ++sizes[index];
      }
      EXPECT_EQ(found, 1);
    }
    // Far more than chance makes of even parts: eight standard deviations.
    const double mean = 2000.0 / count;
    for (const auto& [index, size] : sizes) EXPECT_NEAR(size, mean, 8 * std::sqrt(mean) + 1) << count;
  }
}

TEST(Shard, AnIdIsWhereItWas) {
  // A study that was begun must go on with the shards that it had.
  EXPECT_TRUE((Shard{0, 1}.has("a.png")));
  std::string places;
  for (const char* id : {"a.png", "b.png", "left/0001.png", "right/0001.png"}) {
    for (int index = 0; index < 10; ++index) {
      if (Shard{index, 10}.has(id)) places += std::to_string(index);
    }
  }
  EXPECT_EQ(places, "3614");
}

TEST(Shard, IsWrittenFromZero) {
  EXPECT_EQ(parseShard("3/10"), (Shard{3, 10}));
  for (const char* text : {"10/10", "-1/3", "1", "1/0", "a/3", "1/2/3", "", "1/1000001"})
    EXPECT_EQ(parseShard(text), std::nullopt) << text;
}

TEST(Shard, ComesFromTheEnvironment) {
  EXPECT_EQ(chooseShard({}, {}, variables({})), Shard{});
  EXPECT_EQ(chooseShard({}, 1, variables({})), Shard{}) << "one shard needs no number";
  EXPECT_EQ(chooseShard(Shard{1, 3}, {}, variables({{"SLURM_ARRAY_TASK_ID", "7"}})), (Shard{1, 3}));
  const auto array = variables({{"SLURM_ARRAY_TASK_ID", "4"},
                                {"SLURM_ARRAY_TASK_COUNT", "5"},
                                {"SLURM_ARRAY_TASK_MIN", "1"},
                                {"SLURM_ARRAY_TASK_MAX", "5"}});
  EXPECT_EQ(chooseShard({}, {}, array), (Shard{3, 5}));
  EXPECT_EQ(chooseShard({}, 10, array), (Shard{4, 10}));
  EXPECT_EQ(chooseShard({}, 8, variables({{"JOB_COMPLETION_INDEX", "7"}})), (Shard{7, 8}));
}

TEST(Shard, DoubtIsNoShard) {
  const auto part = variables({{"SLURM_ARRAY_TASK_ID", "7"},
                               {"SLURM_ARRAY_TASK_COUNT", "2"},
                               {"SLURM_ARRAY_TASK_MIN", "3"},
                               {"SLURM_ARRAY_TASK_MAX", "7"}});
  EXPECT_THAT(refusal({}, part), HasSubstr("part of a Slurm array"));
  EXPECT_THAT(refusal(7, part), HasSubstr("is 7, and 7 shards are counted from 0 to 6"));
  EXPECT_THAT(refusal({}, variables({{"JOB_COMPLETION_INDEX", "0"}})), HasSubstr("--shards of how many"));
  EXPECT_THAT(refusal(4, variables({})), HasSubstr("say which with --shard I/N"));
  EXPECT_THAT(refusal(4, variables({{"SLURM_ARRAY_TASK_ID", "x"}})), HasSubstr("is \"x\""));
}

}  // namespace
}  // namespace bankside::testing
