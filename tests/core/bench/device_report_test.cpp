#include "core/bench/device_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bench/device_chart.h"
#include "core/bench/time_chart.h"
#include "core/error.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

const DeviceLimits limits{
    .copyRate = 4e12, .fmaRate = 60e12, .tensorRate = 600e12, .streams = {{1, 3e12, "a"}, {8, 2e12, "b"}}};

DeviceRow row(const std::string& problem, const std::string& engine, double seconds) {
  const ConvolutionProblem p = parseProblem(problem);
  DeviceRow r = makeDeviceRow(p, p.flops(), engine, limits);
  r.variant = "v";
  r.disposition = "Passed";
  r.times = DeviceTimes{{seconds, seconds, seconds}, {seconds, 0.9 * seconds, 1.1 * seconds}, 3};
  r.times->sustained = Interval{3 * seconds, seconds, 4 * seconds};
  r.times->hotLaunched = Interval{2 * seconds, seconds, 3 * seconds};
  return r;
}

DeviceReport sample() {
  DeviceReport report{.what = "figure7", .command = "c", .environment = {{"gpu", "G"}}, .limits = limits};
  report.rows = {row("c1h64w64-f8k3-reflect101-f32:f32-none", "ours", 1e-6),
                 row("c1h64w64-f8k3-constant=0-f32:f32-none", "peer", 4e-6),
                 row("c1h128w128-f8k3-reflect101-f32:f32-none", "ours", 1e-6),
                 row("c1h128w128-f8k3-constant=0-f32:f32-none", "peer", 9e-6),
                 row("c1h64w64-f1k5-reflect101-f32:f32-none", "ours", 2e-6)};
  DeviceRow refused = row("c1h64w64-f1k5-constant=0-f32:f32-none", "peer", 1);
  refused.times.reset();
  refused.disposition = "Unsupported";
  refused.reason = "no";
  report.rows.push_back(refused);
  return report;
}

TEST(DeviceFloor, IsTheLargerOfBytesAndOperations) {
  // 64 x 64 pixels, 4 bytes each read once and written 8 times.
  const ConvolutionProblem memory = parseProblem("c1h64w64-f8k1-reflect101-f32:f32-none");
  EXPECT_EQ(floorOf(memory, memory.flops(), limits).bound, "memory");
  EXPECT_DOUBLE_EQ(floorOf(memory, memory.flops(), limits).seconds, 64.0 * 64 * 4 * 9 / 4e12);
  const ConvolutionProblem fma = parseProblem("c1h64w64-f8k31-reflect101-f32:f32-none");
  EXPECT_EQ(floorOf(fma, fma.flops(), limits).bound, "fma");
  EXPECT_DOUBLE_EQ(floorOf(fma, fma.flops(), limits).seconds, 2.0 * 64 * 64 * 8 * 961 / 60e12);
  EXPECT_EQ(floorOf(fma, fma.flops(), {}).seconds, 0);
}

TEST(DeviceFloor, TensorCoresTakeTwoHalvesATapAndAWidePixel) {
  for (const auto& [type, products] : {std::pair{"u8", 2}, {"f16", 2}, {"u16", 4}, {"f32", 4}}) {
    const auto p = parseProblem(std::string("c1h64w64-f8k31-reflect101-") + type + ":f32-none");
    EXPECT_DOUBLE_EQ(tensorSeconds(p, p.flops(), limits), 2.0 * 64 * 64 * 8 * 961 * products / 600e12);
    EXPECT_EQ(tensorSeconds(p, p.flops(), {}), 0);
  }
}

TEST(DeviceFloor, TakesTheStreamOfTheNearestPlaneCount) {
  const auto bytes = 64.0 * 64 * 4;
  EXPECT_DOUBLE_EQ(streamSeconds(parseProblem("c1h64w64-f7k1-reflect101-f32:f32-none"), limits),
                   bytes * 8 / 2e12);
  // A fused combine writes one plane, whatever F is.
  EXPECT_DOUBLE_EQ(streamSeconds(parseProblem("c1h64w64-f7k1-reflect101-f32:f32-max"), limits),
                   bytes * 2 / 3e12);
}

TEST(PeerRatios, ComparesCellsWhateverTheBorder) {
  const auto ratios = peerRatios(sample().rows, "ours");
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].filterSize, 3);
  EXPECT_EQ(ratios[0].cells, 2);
  EXPECT_DOUBLE_EQ(ratios[0].arithmeticMean, 6.5);
  EXPECT_NEAR(ratios[0].geometricMean, 6.0, 1e-12);
  EXPECT_DOUBLE_EQ(ratios[0].smallest, 4.0);
  EXPECT_EQ(ratios[1].filterSize, 0);
  EXPECT_EQ(ratios[1].cells, 2);
}

TEST(DeviceReport, SaysTheSameInEveryForm) {
  const DeviceReport report = sample();
  const auto json = nlohmann::json::parse(toJson(report));
  ASSERT_EQ(json["rows"].size(), 6u);
  const auto& first = json["rows"][0];
  for (const char* key : {"N", "K", "F", "srcType", "dstType", "combine", "engine", "variant", "median_us",
                          "interval", "floor_us", "bytes", "flops", "disposition"})
    EXPECT_TRUE(first.contains(key)) << key;
  EXPECT_DOUBLE_EQ(first["median_us"], 1.0);
  EXPECT_DOUBLE_EQ(first["hot_launched_us"], 2.0);
  EXPECT_DOUBLE_EQ(first["sustained_us"], 3.0);
  EXPECT_TRUE(json["rows"][5]["median_us"].is_null());
  EXPECT_EQ(json["rows"][5]["reason"], "no");
  EXPECT_EQ(json["timesOurs"][0]["engine"], "peer");
  EXPECT_DOUBLE_EQ(json["limits"]["copyGBps"], 4000.0);
  EXPECT_THAT(toCsv(report), HasSubstr("N,K,C,F,srcType"));
  EXPECT_THAT(toCsv(report), HasSubstr("gpu: G"));
  EXPECT_THAT(toMarkdown(report), HasSubstr("| peer "));
  EXPECT_THAT(toTable(report), HasSubstr("Unsupported: no"));
  EXPECT_THAT(toTable(report), HasSubstr("copy 4000 GB/s"));
}

TEST(DeviceReport, ReadsWhatItWrote) {
  DeviceReport report = sample();
  report.notes = {"a note"};
  report.rows[0].source = "earlier.json";
  const std::string json = toJson(report);
  EXPECT_EQ(nlohmann::json::parse(json)["complete"], false);
  DeviceReport again = readDeviceReport(json, "file.json");
  EXPECT_EQ(again.rows[0].source, "earlier.json");
  for (std::size_t i = 1; i < again.rows.size(); ++i) {
    EXPECT_EQ(again.rows[i].source, "file.json");
    again.rows[i].source.clear();
  }
  EXPECT_EQ(toJson(again), json);
}

/// The schema of the first files, which lack what came later.
TEST(DeviceReport, ReadsOlderFiles) {
  auto json = nlohmann::ordered_json::parse(toJson(sample()));
  json.erase("complete");
  json.erase("notes");
  json["limits"].erase("tensorTflops");
  for (auto& row : json["rows"])
    for (const char* key : {"images", "source", "sustained_us", "hot_launched_us"}) row.erase(key);
  const DeviceReport report = readDeviceReport(json.dump(), "old.json");
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.rows.size(), 6u);
  EXPECT_EQ(report.rows[1].images, 1);
  EXPECT_FALSE(report.rows[1].times->sustained);
  EXPECT_DOUBLE_EQ(report.rows[1].times->cold.median, 4e-6);
}

/// As reports are kept: columns named once, a list a row, no repeated commands.
TEST(DeviceReport, ReadsRowsUnderNamedColumns) {
  const auto plain = nlohmann::ordered_json::parse(toJson(sample()));
  auto kept = plain;
  kept["columns"] = nlohmann::ordered_json::array();
  for (const auto& [key, value] : plain["rows"][0].items())
    if (key != "command") kept["columns"].push_back(key);
  for (std::size_t i = 0; i < plain["rows"].size(); ++i) {
    auto values = nlohmann::ordered_json::array();
    for (const auto& key : kept["columns"]) values.push_back(plain["rows"][i][key.get<std::string>()]);
    kept["rows"][i] = values;
  }
  DeviceReport report = readDeviceReport(kept.dump(), "kept.json");
  const DeviceReport expected = readDeviceReport(plain.dump(), "kept.json");
  ASSERT_EQ(report.rows.size(), expected.rows.size());
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    EXPECT_EQ(report.rows[i].command, "");
    report.rows[i].command = expected.rows[i].command;
  }
  EXPECT_EQ(toJson(report), toJson(expected));

  kept["rows"][0].erase(0);
  EXPECT_THAT([&] { readDeviceReport(kept.dump(), "kept.json"); },
              ThrowsMessage<Error>(HasSubstr("kept.json")));
}

/// Our own time of a cell is the first one.
TEST(PeerRatios, TakeTheFirstRowOfACell) {
  std::vector<DeviceRow> rows = sample().rows;
  rows.push_back(rows[0]);
  rows.back().times->hot.median = 1;
  const auto ratios = peerRatios(rows, "ours");
  EXPECT_DOUBLE_EQ(ratios[0].smallest, 4.0);
}

TEST(DeviceReport, SaysWhatIsWrongWithAnotherFile) {
  const std::string json = toJson(sample());
  EXPECT_THAT([] { readDeviceReport("{", "a.json"); },
              ThrowsMessage<Error>(HasSubstr("a.json is no benchmark on a device")));
  EXPECT_THAT([] { readDeviceReport("{\"bankside\": \"bench\"}", "a.json"); },
              ThrowsMessage<Error>(HasSubstr("a.json is no benchmark on a device")));
  const auto with = [&](const char* from, const char* to) {
    std::string text = json;
    text.replace(text.find(from), std::string(from).size(), to);
    return text;
  };
  EXPECT_THAT([&] { readDeviceReport(with("\"schemaVersion\": 1", "\"schemaVersion\": 7"), "a.json"); },
              ThrowsMessage<Error>(HasSubstr("a.json: its schema version is 7, not 1")));
  EXPECT_THAT([&] { readDeviceReport(with("\"problem\": \"c1", "\"problem\": \"z1"), "a.json"); },
              ThrowsMessage<Error>(HasSubstr("a.json: ")));
}

/// Rows of several images at once are cells of their own, in every form.
TEST(DeviceReport, KeepsBatchesApart) {
  DeviceReport report = sample();
  EXPECT_EQ(nlohmann::json::parse(toJson(report))["rows"][0]["images"], 1);
  EXPECT_THAT(toTable(report), Not(HasSubstr("images x N")));
  DeviceRow batch = report.rows[1];
  batch.images = 8;
  report.rows.push_back(batch);
  EXPECT_EQ(nlohmann::json::parse(toJson(report))["rows"][6]["images"], 8);
  EXPECT_THAT(toTable(report), HasSubstr("images x N"));
  EXPECT_THAT(toTable(report), HasSubstr("8 x 64"));
  EXPECT_EQ(peerRatios(report.rows, "ours")[0].cells, 2) << "ours has no row of eight images";
  EXPECT_THAT(timeChart(report), HasSubstr("peer, 8 images"));
}

TEST(DeviceReport, ShowsThePapersClaimsWhereTheyWereAskedFor) {
  DeviceReport report = sample();
  EXPECT_FALSE(nlohmann::json::parse(toJson(report)).contains("claims"));
  report.claims.push_back({"loads", "K 3, Table 1", 0.375, 0.5, {}, "1", "counted"});
  const auto json = nlohmann::json::parse(toJson(report));
  ASSERT_EQ(json["claims"].size(), 1u);
  EXPECT_DOUBLE_EQ(json["claims"][0]["computed"], 0.5);
  EXPECT_TRUE(json["claims"][0]["here"].is_null());
  EXPECT_THAT(toTable(report), HasSubstr("K 3, Table 1"));
  EXPECT_THAT(toMarkdown(report), HasSubstr("| loads | K 3, Table 1 | 0.375 | 0.500 | - | 1 | counted |"));
}

TEST(Figure7Charts, DrawsOneChartAFilterSizeWithTheRoofline) {
  const auto charts = filterSizeCharts(sample());
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].filterSize, 3);
  EXPECT_THAT(charts[0].svg, HasSubstr("3 x 3 filters"));
  EXPECT_THAT(charts[0].svg, HasSubstr("roofline"));
  EXPECT_THAT(charts[0].svg, HasSubstr("64, 8"));
  EXPECT_EQ(charts[1].filterSize, 5);
  EXPECT_DOUBLE_EQ(paperRatio(1, false), 6.16);
  EXPECT_DOUBLE_EQ(paperRatio(3, false), 6.43);
  EXPECT_DOUBLE_EQ(paperRatio(5, false), 2.90);
  EXPECT_EQ(paperRatio(7, false), 0);
  EXPECT_DOUBLE_EQ(paperRatio(7, true), 1.308);
  EXPECT_EQ(paperRatio(1, true), 0);
}

TEST(TimeChart, DrawsALineAnEngineWithTheFloorsOnAxesOfTheirOwnForEachNumberOfFilters) {
  DeviceReport report{.what = "device", .command = "c", .environment = {{"gpu", "G"}}, .limits = limits};
  for (const char* side : {"3", "31"}) {
    for (const char* filters : {"1", "8"}) {
      const std::string shape = std::string("c1h64w64-f") + filters + "k" + side + "-reflect101-";
      report.rows.push_back(row(shape + "u8:f32-none", "ours", 1e-6));
      report.rows.push_back(row(shape + "f32:f32-none", "peer", 4e-6));
    }
  }
  report.rows.back().times.reset();
  const std::string svg = timeChart(report);
  for (const char* text : {"G, medians", "ours u8", "peer f32", "1 filter<", "8 filters<",
                           "f32 multiply-adds", "memory", "mma.sync", "microseconds"})
    EXPECT_THAT(svg, HasSubstr(text));
  for (DeviceRow& r : report.rows) r.problem.srcType = ElementType::F32;
  EXPECT_THAT(timeChart(report), ::testing::Not(HasSubstr("peer f32")));  // one type goes without saying
}

}  // namespace
}  // namespace bankside
