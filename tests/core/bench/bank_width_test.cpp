#include "core/bench/bench_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bankside {
namespace {

/// The paper's own numbers: banks of 8 bytes on Kepler, of 4 elsewhere.
TEST(BankWidth, DerivesHowManyElementsFillABank) {
  EXPECT_EQ(bankWidthFactor(4, 8), 2);
  EXPECT_EQ(bankWidthFactor(4), 1);
  EXPECT_EQ(bankWidthFactor(2), 2);
  EXPECT_EQ(bankWidthFactor(1), 4);
  EXPECT_EQ(bankWidthFactor(8), 1);
}

TEST(BankWidth, PredictsWhatNarrowAccessesLose) {
  EXPECT_DOUBLE_EQ(predictedShare(4, 8), 0.5);
  EXPECT_DOUBLE_EQ(predictedShare(1), 0.25);
  EXPECT_DOUBLE_EQ(predictedShare(2), 0.5);
  EXPECT_DOUBLE_EQ(predictedShare(4), 1.0);
  EXPECT_DOUBLE_EQ(predictedShare(16), 1.0);
  EXPECT_STREQ(matchWord(2), "unmatched");
  EXPECT_STREQ(matchWord(4), "matched");
  EXPECT_STREQ(matchWord(8), "wider");
}

TEST(BankWidth, SaysTheSameInEveryForm) {
  BenchReport report{.kind = ReportKind::BankWidth, .command = "c", .environment = {{"gpu", "G"}}};
  report.widths.push_back({.what = "w",
                           .type = "u8",
                           .unitElements = 2,
                           .unitBytes = 2,
                           .measured = 10,
                           .measuredIn = "us",
                           .relative = 0.6,
                           .predicted = 0.5});
  const auto json = nlohmann::json::parse(toJson(report));
  EXPECT_EQ(json["rows"][0]["match"], "unmatched");
  EXPECT_DOUBLE_EQ(json["rows"][0]["models_speed_to_matched"], 0.5);
  EXPECT_EQ(json["rows"][0]["disposition"], "PASSED");
  EXPECT_EQ(json["bankside"], "bank-width");
  EXPECT_EQ(json["schema_version"], BenchReport::schemaVersion);
  EXPECT_THAT(toTable(report), ::testing::HasSubstr("unmatched"));
  EXPECT_THAT(toMarkdown(report), ::testing::HasSubstr("- gpu: G"));
}

}  // namespace
}  // namespace bankside
