/// A recorded tuning table is replayed without a GPU.
#include "kernels/cuda/single_channel/tuning_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "core/error.h"
#include "core/log.h"
#include "kernels/cuda/single_channel/device_choice.h"

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
  {"filter_size":5,"filter_count":8,"size":1024,"type":"f32","dst_type":"f32","fused":"none","variant":"tile5","filters_per_block":4,"tail_only":false,"us":15.5,"rule_us":16.25,"floor_us":8.9},
  {"filter_size":5,"filter_count":32,"size":4096,"type":"f32","dst_type":"f32","fused":"none","variant":"rows5","filters_per_block":8,"tail_only":true,"us":590,"rule_us":600,"floor_us":520},
  {"filter_size":5,"filter_count":8,"size":512,"type":"u8","dst_type":"f32","fused":"value","variant":"any-size","filters_per_block":8,"tail_only":false,"us":9,"rule_us":10,"floor_us":3},
  {"filter_size":3,"filter_count":8,"size":1024,"type":"f32","dst_type":"f32","fused":"none","variant":"of another build","filters_per_block":8,"tail_only":false,"us":1,"rule_us":2,"floor_us":1}
 ]
})";

Choice chosen(const TuningTable& table, const std::string& text) {
  const ConvolutionProblem p = parseProblem(text);
  return choose(p, p.anchorX, p.anchorY, &table);
}

std::string nameOf(const Choice& choice) { return variants()[static_cast<std::size_t>(choice.variant)].name; }

TEST(TuningTable, IsReplayedForWhatWasMeasured) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  Choice c = chosen(table, "c1h1024w1024-f8k5-reflect101-f32:f32-none");
  EXPECT_EQ(nameOf(c), "tile5");
  EXPECT_EQ(c.filtersPerBlock, 4);
  c = chosen(table, "c1h4096w4096-f32k5-wrap-f32:f32-none");
  EXPECT_EQ(nameOf(c), "rows5");
  EXPECT_EQ(c.filtersPerBlock, 8);
  EXPECT_TRUE(c.tailOnly);
  EXPECT_EQ(nameOf(chosen(table, "c1h512w512-f8k5-wrap-u8:f32-max")), "any-size");
}

TEST(TuningTable, CountsForWhatIsNear) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  // Twelve filters in the two parts that eight were best in.
  const Choice c = chosen(table, "c1h900w1200-f12k5-reflect101-f32:f32-none");
  EXPECT_EQ(nameOf(c), "tile5");
  EXPECT_EQ(c.filtersPerBlock, 6);
  for (const char* far :
       {"c1h64w64-f8k5-reflect101-f32:f32-none", "c1h1024w1024-f1k5-reflect101-f32:f32-none",
        "c1h1024w1024-f8k5-reflect101-u16:f32-none", "c1h1024w1024-f8k5-reflect101-f32:u8-none",
        "c1h1024w1024-f8k5-reflect101-f32:f32-argmax", "c1h1024w1024-f8k5x3-reflect101-f32:f32-none",
        "c1h1024w1024-f8k3-reflect101-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(far);
    const Choice rule = chosen(table, far);
    EXPECT_EQ(rule.variant, chooseVariant(p, p.anchorX, p.anchorY)) << far;
    EXPECT_EQ(rule.filtersPerBlock, 0) << far;
  }
  // A shape that does not fit is not taken: a corner anchor is not for the register form.
  EXPECT_NE(nameOf(chosen(table, "c1h4096w4096-f32k5a0x0-wrap-f32:f32-none")), "rows5");
}

TEST(TuningTable, IsNeverMixedBetweenDevices) {
  EXPECT_EQ(tuningTableFor("Recorded GPU", 7), nullptr);
  EXPECT_EQ(tuningTableFor("NVIDIA H200", 131), nullptr);
  EXPECT_EQ(tuningTableFor("NVIDIA H100", 132), nullptr);
  ASSERT_NE(tuningTableFor("NVIDIA H200", 132), nullptr);
  EXPECT_EQ(tuningTableFor("NVIDIA H200", 132)->device, "NVIDIA H200");
}

/// What is shipped was written by this tuner and names shapes that this build has.
TEST(TuningTable, ShippedOneIsWhole) {
  const TuningTable& table = *tuningTableFor("NVIDIA H200", 132);
  for (const TuningEntry& e : table.entries) {
    const int variant = findVariant(e.variant);
    ASSERT_GE(variant, 0) << e.variant;
    EXPECT_EQ(variants()[static_cast<std::size_t>(variant)].trial, Trial::No) << e.variant;
    EXPECT_GT(e.microseconds, 0);
    EXPECT_LE(e.microseconds, e.ruleMicroseconds);
  }
}

TEST(TuningTable, SurvivesWritingAndReading) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  const std::string text = toJson(table);
  const TuningTable again = readTuningTable(text, "again");
  EXPECT_EQ(toJson(again), text);
  EXPECT_EQ(again.entries.size(), 4u);
  EXPECT_EQ(again.environment, table.environment);
  EXPECT_EQ(tuningFileName("NVIDIA H200"), "nvidia-h200.json");
  EXPECT_EQ(tuningFileName("NVIDIA A100-SXM4-80GB"), "nvidia-a100-sxm4-80gb.json");
}

TEST(TuningTable, SaysWhatIsWrongWithAFile) {
  for (const char* text :
       {"", "{}", R"({"bankside":"bench"})", R"({"bankside":"tuning","schema_version":9})"}) {
    try {
      readTuningTable(text, "some.json");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      EXPECT_EQ(std::string(error.what()).rfind("some.json: ", 0), 0u) << error.what();
    }
  }
}

/// The recorded table with another number in every entry.
TuningTable withNumber(const std::string& field, const std::string& number) {
  std::string text = recorded;
  const std::string start = "\"" + field + "\":";
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    at += start.size();
    text = text.substr(0, at) + number + text.substr(text.find(',', at));
  }
  return readTuningTable(text, "some.json");
}

TEST(TuningTable, NumbersThatOverflowAreRefused) {
  for (const char* field : {"filter_size", "filter_count", "size", "filters_per_block"}) {
    for (const char* number : {"2147483647", "-2147483648", "0", "1000001"}) {
      try {
        withNumber(field, number);
        FAIL() << field;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::BadInput);
        EXPECT_NE(std::string(error.what()).find("is " + std::string(number)), std::string::npos)
            << error.what();
      }
    }
  }
}

/// One block for all filters, and a block for each.
TEST(TuningTable, TheLargestNumbersThatAreTakenChooseWhatThereIs) {
  const std::string text = "c1h1024w1024-f8k5-reflect101-f32:f32-none";
  const Choice all = chosen(withNumber("filters_per_block", "1000000"), text);
  EXPECT_EQ(nameOf(all), "tile5");
  EXPECT_EQ(all.filtersPerBlock, 8);
  EXPECT_EQ(chosen(withNumber("filters_per_block", "1"), text).filtersPerBlock, 1);
  EXPECT_EQ(chosen(withNumber("filter_count", "1000000"), text).filtersPerBlock, 0) << "which is not near";
}

/// Which one is used is found out once a process.
TEST(TuningTableDeathTest, OneWithoutAnEndIsNotUsed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto use = [] {
    setenv("BANKSIDE_TUNING", "/dev/zero", 1);
    setLogSink([](LogLevel, const std::string& sentence) { std::cerr << sentence << std::endl; });
    const TuningTable* table = tuningTableFor("NVIDIA H200", 132);
    std::exit(table != nullptr && table->device == "NVIDIA H200" ? 0 : 1);
  };
  EXPECT_EXIT(use(), ::testing::ExitedWithCode(0),
              "the tuning table is not used: /dev/zero: larger than the 64 MiB that such a file may have");
}

TEST(TuningTable, KeepsWhatWasNotMeasuredAgain) {
  const TuningTable known = readTuningTable(recorded, "recorded");
  TuningTable measured{"Recorded GPU", 7, {{"when", "now"}}, {}};
  EXPECT_EQ(keepUntouched(measured, &known).environment, known.environment);
  measured.entries.push_back(known.entries[1]);
  measured.entries[0].filtersPerBlock += 1;
  const TuningTable both = keepUntouched(measured, &known);
  ASSERT_EQ(both.entries.size(), 4u);
  EXPECT_EQ(both.environment, measured.environment);
  EXPECT_EQ(both.entries[0].filtersPerBlock, known.entries[1].filtersPerBlock + 1);
  EXPECT_EQ(both.entries[1].variant, known.entries[0].variant);
  measured.entries[0].side *= 2;
  EXPECT_EQ(keepUntouched(measured, &known).entries.size(), 5u);
  measured.entries.clear();
  measured.multiprocessors = 8;
  EXPECT_TRUE(keepUntouched(measured, &known).entries.empty());
  EXPECT_TRUE(keepUntouched(measured, nullptr).entries.empty());
}

}  // namespace
}  // namespace bankside::cuda
