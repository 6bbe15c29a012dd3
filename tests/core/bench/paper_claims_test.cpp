/// The paper's numbers, and counters read back.
#include "core/bench/paper_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bench/bench_columns.h"
#include "core/error.h"

namespace bankside {
namespace {

TEST(PaperClaims, AreThePapersNumbers) {
  EXPECT_DOUBLE_EQ(paperGlobalShare(5), 0.2);
  EXPECT_DOUBLE_EQ(paperSharedShare(16, 3), 0.375);
  EXPECT_DOUBLE_EQ(paperSharedShare(1, 7), 1.0) << "one pixel a thread shares nothing";
  EXPECT_DOUBLE_EQ(paperRatio(1, false), 6.16);
  EXPECT_DOUBLE_EQ(paperRatio(3, false), 6.43);
  EXPECT_DOUBLE_EQ(paperRatio(5, false), 2.90);
  EXPECT_EQ(paperRatio(7, false), 0);
  EXPECT_DOUBLE_EQ(paperRatio(3, true), 1.305);
  EXPECT_DOUBLE_EQ(paperRatio(5, true), 1.453);
  EXPECT_DOUBLE_EQ(paperRatio(7, true), 1.308);
  EXPECT_EQ(paperRatio(1, true), 0);
  EXPECT_EQ(paperRatio(9, true), 0);
}

const char* const profile = R"csv(==PROF== Connected to process 1
cudnn:fma, "not a table"
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","77","void otherKernel<int>(A)","shared.sum","inst","5"
"1","77","void summedKernel<Block<64, 32>, 3>(SummedArguments)","shared.sum","inst","3,670,016"
"1","77","void summedKernel<Block<64, 32>, 3>(SummedArguments)","bytes.sum","byte","112,500,000"
"2","77","void summedKernel<Block<64, 32>, 3>(SummedArguments)","shared.sum","inst","7"
)csv";

TEST(Counters, AreThoseOfTheFirstLaunch) {
  const auto counters = readCounters(profile, "summedKernel");
  EXPECT_EQ(counters.size(), 2u);
  EXPECT_DOUBLE_EQ(counters.at("shared.sum"), 3670016);
  EXPECT_DOUBLE_EQ(counters.at("bytes.sum"), 112.5e6);
  EXPECT_DOUBLE_EQ(readCounters(profile, "otherKernel").at("shared.sum"), 5);
  EXPECT_THROW(readCounters(profile, "noKernel"), Error);
  EXPECT_THROW(readCounters("", "summedKernel"), Error);
  EXPECT_THROW(readCounters("\"ID\",\"Kernel Name\"\n", "summedKernel"), Error);
}

TEST(PaperClaims, StandInATable) {
  const std::vector<PaperClaim> claims = {{"loads", "K 3", 0.375, 20.0 / 48, {}, "1", ""},
                                          {"gain", "K 5", 45.3, {}, 114.2, "%", "timed"}};
  const std::string text = tableOf(claims, claimColumns()).aligned();
  EXPECT_THAT(text, ::testing::HasSubstr("0.417"));
  EXPECT_THAT(text, ::testing::HasSubstr("45.3"));
  EXPECT_THAT(text, ::testing::HasSubstr("timed"));
}

}  // namespace
}  // namespace bankside
